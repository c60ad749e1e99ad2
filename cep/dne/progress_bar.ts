/**
 * Progress bar for a terminal.
 *
 * @module
 */
import type { SeedProgress } from "./seed.ts";

const WIDTH = 24;
const REDRAW_MS = 100;

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
  const start = now();
  let drawnAt = -Infinity;
  return ({ file, bytes, totalBytes, codes }) => {
    const done = bytes >= totalBytes;
    if (!done && now() - drawnAt < REDRAW_MS) return;
    drawnAt = now();
    const seconds = Math.max((drawnAt - start) / 1000, 0.001);
    const share = totalBytes === 0 ? 1 : bytes / totalBytes;
    const filled = Math.round(share * WIDTH);
    const left = Math.ceil(seconds / share - seconds);
    const line = [
      "#".repeat(filled).padEnd(WIDTH, "."),
      `${Math.floor(share * 100)}%`,
      `${megabytes(bytes)} of ${megabytes(totalBytes)} MB`,
      `${codes} CEPs`,
      `${Math.round(codes / seconds)} CEPs/s`,
      `${left} s left`,
      file,
    ].join("  ");
    // Move to the first column, and clear to the end of the line.
    write(`\r${line}\x1b[K${done ? "\n" : ""}`);
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
