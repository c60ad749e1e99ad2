import process from "node:process";
import type { Config } from "../settings/config.ts";
import { updateBar } from "../import/progress_bar.ts";
import { update } from "../import/update/update.ts";
import { defaultLogger } from "../util/logger.ts";
import { databaseSetting, openDatabase, processName } from "./open_database.ts";
import { stoppable } from "./stoppable.ts";

/** Applies the delta at `DB_RAW_PATH`. */
export async function runUpdate(config: Config): Promise<void> {
  const logger = defaultLogger();
  // An update does not serve lookups, so it needs no snapshot.
  const store = await openDatabase({ ...config, snapshot: false }, logger);
  try {
    const { files, changed, ...totals } = await stoppable((signal) =>
      update({
        ...config,
        store,
        signal,
        logger,
        directory: config.rawPath,
        holder: processName(),
        onFile: (report) => logger.info("Applied file", { ...report }),
        // No line is logged while the bar is drawn.
        ...(process.stderr.isTTY
          ? {
            onProgress: updateBar(
              (text) => process.stderr.write(text),
              Date.now,
            ),
          }
          : {}),
      })
    );
    const message = changed
      ? "Updated DNE"
      : "Nothing to do: the release contains every change of the delta";
    logger.info(message, {
      ...totals,
      files: files.length,
      ...databaseSetting(config),
    });
  } finally {
    await store.close();
  }
}
