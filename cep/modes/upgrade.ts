import process from "node:process";
import type { Config } from "../settings/config.ts";
import { updateBar } from "../import/progress_bar.ts";
import { upgrade } from "../import/update/upgrade.ts";
import { defaultLogger } from "../util/logger.ts";
import { databaseSetting, openDatabase, processName } from "./open_database.ts";
import { stoppable } from "./stoppable.ts";

/** Rewrites the release of `DB_PATH` or `DB_URL`. */
export async function runUpgrade(config: Config): Promise<void> {
  const logger = defaultLogger();
  const store = await openDatabase(
    { ...config, snapshot: false, search: false },
    logger,
  );
  try {
    const { changed, ...totals } = await stoppable((signal) =>
      upgrade({
        store,
        signal,
        holder: processName(),
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
      ? "Upgraded the release"
      : "Nothing to do: the release is of this version of the program";
    logger.info(message, { ...totals, ...databaseSetting(config) });
  } finally {
    await store.close();
  }
}
