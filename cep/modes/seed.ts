/**
 * `MODE=seed`: imports the DNE, the CNEFE or both.
 */
import process from "node:process";
import type { Config } from "../settings/config.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import { progressBar } from "../import/progress_bar.ts";
import {
  type CensusImportReport,
  seed,
  type SeedOptions,
  type SeedReport,
} from "../import/seed.ts";
import { warnOfMissing } from "./census_warnings.ts";
import { findDne } from "./find_dne.ts";
import { databaseSetting, openDatabase } from "./open_database.ts";
import { processName } from "./process_name.ts";
import { stoppable } from "./stoppable.ts";

/** Imports the DNE at `DB_RAW_PATH` and the CNEFE at `CNEFE_PATH`. */
export async function runSeed(config: Config): Promise<void> {
  const logger = defaultLogger();
  const directory = await findDne(config, process.cwd(), logger);
  const onTerminal = process.stderr.isTTY;
  // An import does not serve requests, so it needs no snapshot and no index.
  const store = await openDatabase(
    { ...config, snapshot: false, search: false },
    logger,
  );
  const log = fileLogs(logger);
  try {
    const report = await stoppable((signal) =>
      seed({
        ...config,
        store,
        signal,
        logger,
        ...(directory === undefined ? {} : { directory }),
        cnefe: config.cnefePaths,
        holder: processName(),
        // Log lines would break the progress bar.
        ...(onTerminal
          ? { onProgress: progressBar(writeToTerminal, Date.now) }
          : log),
      })
    );
    if (onTerminal) logFiles(report, log);
    logReport(report, config, logger);
  } finally {
    await store.close();
  }
}

function logReport(
  { files, census, ...totals }: SeedReport,
  config: Config,
  logger: Logger,
): void {
  if (census !== null) logCensus(census, logger);
  const sources = [
    ...(files.length === 0 ? [] : ["DNE"]),
    ...(census === null ? [] : ["CNEFE"]),
  ];
  logger.info(`Imported ${sources.join(" and ")}`, {
    ...totals,
    files: files.length + (census?.files.length ?? 0),
    ...databaseSetting(config),
  });
}

function logCensus(
  { files, repeatedMunicipalities, ...counts }: CensusImportReport,
  logger: Logger,
): void {
  const [first] = repeatedMunicipalities;
  if (first !== undefined) {
    logger.warn("Several files have the same municipality: one is counted", {
      municipalities: repeatedMunicipalities.length,
      first,
    });
  }
  logger.info("Counted addresses of CNEFE", { files: files.length, ...counts });
}

/** Functions that log the reports of files. */
type FileLogs = Required<Pick<SeedOptions, "onFile" | "onCensusFile">>;

function fileLogs(logger: Logger): FileLogs {
  return {
    onFile: (report) => logger.info("Imported file", { ...report }),
    onCensusFile(report) {
      logger.info("Read file of CNEFE", { ...report });
      warnOfMissing(report, logger);
    },
  };
}

function logFiles({ files, census }: SeedReport, log: FileLogs): void {
  census?.files.forEach(log.onCensusFile);
  files.forEach(log.onFile);
}

function writeToTerminal(text: string): void {
  process.stderr.write(text);
}
