import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { type Config, SETTINGS } from "../settings/config.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import type { CensusFileReport } from "../import/cnefe/report.ts";
import { progressBar } from "../import/progress_bar.ts";
import {
  type CensusImportReport,
  seed,
  type SeedOptions,
  type SeedReport,
} from "../import/seed.ts";
import {
  databaseSetting,
  openDatabase,
  processName,
  sourceSettings,
} from "./open_database.ts";
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

/**
 * Finds the DNE. If `DB_RAW_PATH` is not set, the default folder is used unless
 * it is missing or empty, and the CNEFE alone otherwise.
 *
 * @param folder Working folder.
 * @returns The path, `undefined` without a DNE.
 */
export async function findDne(
  config: Pick<Config, "rawPath" | "cnefePaths">,
  folder: string,
  logger: Logger,
): Promise<string | undefined> {
  const { rawPath } = config;
  if (rawPath !== "") return rawPath;
  const path = resolve(folder, SETTINGS.rawPath.default);
  if (await mayExist(path)) return path;
  logger.info(
    "Importing CNEFE alone: DB_RAW_PATH is not set, and its default is missing or empty",
    { ...sourceSettings(config), default: path },
  );
  return undefined;
}

/** False for a path that does not exist or is an empty folder, or one that Deno must not read. */
async function mayExist(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length > 0;
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && name !== "NotCapable";
  }
}

/** Percentage of rows from which unusable coordinates are not an exception. */
const MANY_PERCENT = 10;

/** Logs which facts a file lacks although every row is counted. */
export function warnOfMissing(
  { file, rows, missingColumns, warnings: { coordinates } }: Pick<
    CensusFileReport,
    "file" | "rows" | "missingColumns" | "warnings"
  >,
  logger: Pick<Logger, "warn">,
): void {
  if (missingColumns.length > 0) {
    logger.warn("File of CNEFE lacks columns", { file, missingColumns });
  }
  if (coordinates && coordinates.count * 100 >= rows * MANY_PERCENT) {
    const { count, lines } = coordinates;
    logger.warn("File of CNEFE has rows with unusable coordinates", {
      file,
      rows,
      count,
      lines,
    });
  }
}
