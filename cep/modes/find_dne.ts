import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { type Config, SETTINGS } from "../settings/config.ts";
import type { Logger } from "../util/logger.ts";
import { sourceSettings } from "./source_settings.ts";

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
