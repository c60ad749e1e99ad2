/**
 * Time of the last sync of a replica, kept across restarts: the modification
 * time of an empty file, which no crash can tear.
 */
import { open, stat } from "node:fs/promises";
import { join } from "node:path";

/** Name of the file. */
const NAME = "replica.sync";

/**
 * Returns the time in a folder, ISO 8601, `null` if unknown.
 *
 * @param now Present time: a later one is of a clock that was wrong.
 */
export async function readSyncTime(
  folder: string,
  now: number,
): Promise<string | null> {
  const found = await stat(join(folder, NAME)).catch(() => undefined);
  if (found === undefined || found.mtimeMs >= now + 1) return null;
  return new Date(Math.floor(found.mtimeMs)).toISOString();
}

/** Keeps a time in a folder. */
export async function writeSyncTime(
  folder: string,
  time: number,
): Promise<void> {
  const file = await open(join(folder, NAME), "a");
  try {
    // In the middle of the millisecond, because fractions are cut off.
    const seconds = (time + 0.5) / 1000;
    await file.utimes(seconds, seconds);
  } finally {
    await file.close();
  }
}
