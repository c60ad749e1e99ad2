import { drawProgress, megabytes } from "../util/progress_bar.ts";
import type { SeedProgress } from "./options.ts";
import type { UpdateProgress } from "./update/update.ts";

/**
 * Draws the progress of an import in one line, which each call overwrites.
 *
 * @param write Writes to the terminal.
 * @param now Returns the time in milliseconds.
 */
export function progressBar(
  write: (text: string) => void,
  now: () => number,
): (progress: SeedProgress) => void {
  const draw = drawProgress({ unit: "CEPs", write, now });
  return ({ file, bytes, totalBytes, codes, done }) =>
    draw({
      done: bytes,
      total: totalBytes,
      count: codes,
      isLast: done,
      before: [`${megabytes(bytes)} of ${megabytes(totalBytes)} MB`],
      after: [file],
    });
}

/**
 * Draws the progress of an update in one line, which each call overwrites.
 *
 * @param write Writes to the terminal.
 * @param now Returns the time in milliseconds.
 */
export function updateBar(
  write: (text: string) => void,
  now: () => number,
): (progress: UpdateProgress) => void {
  const draw = drawProgress({ unit: "CEPs", write, now });
  return ({ codes, totalCodes }) =>
    draw({
      done: codes,
      total: totalCodes,
      count: codes,
      isLast: codes >= totalCodes,
    });
}
