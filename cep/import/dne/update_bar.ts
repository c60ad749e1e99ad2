import { drawProgress } from "../../util/progress_bar.ts";
import type { UpdateProgress } from "./update.ts";

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
