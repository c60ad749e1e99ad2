/**
 * `MODE=seed`: imports the DNE.
 *
 * @module
 */
import process from "node:process";
import type { Config } from "../config.ts";
import { progressBar } from "../dne/progress_bar.ts";
import { type FileReport, seed } from "../dne/seed.ts";
import { defaultLogger } from "../logger.ts";
import { databaseSetting, openDatabase } from "./open_database.ts";
import { processName } from "./process_name.ts";

/** Imports the DNE at `DB_RAW_PATH`. */
export async function runSeed(config: Config): Promise<void> {
  const logger = defaultLogger();
  const logFile = (report: FileReport) =>
    logger.info("Imported file", { ...report });
  const onTerminal = process.stderr.isTTY;
  // An import does not serve requests, so it needs no snapshot and no index.
  const store = await openDatabase(
    { ...config, snapshot: false, search: false },
    logger,
  );
  try {
    const { files, ...totals } = await seed({
      ...config,
      store,
      logger,
      directory: config.rawPath,
      holder: processName(),
      // Log lines would break the progress bar.
      ...(onTerminal
        ? { onProgress: progressBar(writeToTerminal, Date.now) }
        : { onFile: logFile }),
    });
    if (onTerminal) files.forEach(logFile);
    logger.info("Imported DNE", {
      ...totals,
      files: files.length,
      ...databaseSetting(config),
    });
  } finally {
    await store.close();
  }
}

function writeToTerminal(text: string): void {
  process.stderr.write(text);
}
