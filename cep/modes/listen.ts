/**
 * `MODE=listen`: serves requests.
 *
 * @module
 */
import type { Config } from "../config.ts";
import { createHandler } from "../http/handler.ts";
import { defaultLogger } from "../logger.ts";
import { serve } from "../server/serve.ts";
import { openDatabase } from "./open_database.ts";

/** Serves requests until SIGTERM or SIGINT. */
export async function runListen(config: Config): Promise<void> {
  const logger = defaultLogger();
  const store = await openDatabase(config, logger);
  try {
    if (await store.release() === undefined) {
      logger.warn(
        "The database is empty: lookups return 503 until the DNE is imported",
        { DB_PATH: config.databasePath, command: seedCommand(config) },
      );
    }
    const handler = createHandler({ store, config, logger });
    await serve({ ...config, handler, logger });
  } finally {
    await store.close();
  }
}

/** Returns the command that imports the DNE into the database. */
function seedCommand({ databasePath, rawPath }: Config): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return `MODE=seed DB_PATH=${quote(databasePath)} ` +
    `DB_RAW_PATH=${quote(rawPath)} cep`;
}
