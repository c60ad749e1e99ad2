/**
 * Database of the settings.
 *
 * @module
 */
import type { Config } from "../config.ts";
import type { Logger } from "../logger.ts";
import { openStore, type Store } from "../store/mod.ts";

/** Opens the database at `DB_PATH`. */
export function openDatabase(
  { databasePath: path, snapshot, search }: Pick<
    Config,
    "databasePath" | "snapshot" | "search"
  >,
  logger: Logger,
): Promise<Store> {
  return openStore({ path, snapshot, search, logger });
}
