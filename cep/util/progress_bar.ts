const WIDTH = 24;
const REDRAW_MS = 100;

/** Progress of a task. */
export interface Progress {
  /** Part of `total` that is done. */
  readonly done: number;
  /** Size of the task, `undefined` if it is unknown. */
  readonly total: number | undefined;
  /** Number of items done. */
  readonly count: number;
  /** True in the last call. */
  readonly isLast: boolean;
  /**
   * Texts between the bar and the number of items.
   *
   * @default {[]}
   */
  readonly before?: readonly string[];
  /**
   * Texts at the end of the line.
   *
   * @default {[]}
   */
  readonly after?: readonly string[];
}

/** Options of {@linkcode drawProgress}. */
interface ProgressBarOptions {
  /** Plural of an item, e.g. `CEPs`. */
  readonly unit: string;
  /** Writes to the terminal. */
  readonly write: (text: string) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** Draws the progress of a task in one line, which each call overwrites. */
export function drawProgress(
  { unit, write, now }: ProgressBarOptions,
): (progress: Progress) => void {
  const start = now();
  let drawnAt = -Infinity;
  return ({ done, total, count, isLast, before = [], after = [] }) => {
    if (!isLast && now() - drawnAt < REDRAW_MS) return;
    drawnAt = now();
    const seconds = Math.max((drawnAt - start) / 1000, 0.001);
    const share = total === undefined ? undefined : shareOf(done, total);
    const line = [
      ...(share === undefined ? [] : barOf(share)),
      ...before,
      `${count} ${unit}`,
      `${Math.round(count / seconds)} ${unit}/s`,
      ...(share === undefined ? [] : leftOf(share, seconds)),
      ...after,
    ].join("  ");
    // Move to the first column, and clear to the end of the line.
    write(`\r${line}\x1b[K${isLast ? "\n" : ""}`);
  };
}

function shareOf(done: number, total: number): number {
  return total === 0 ? 1 : Math.min(done / total, 1);
}

function barOf(share: number): string[] {
  return [
    "#".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "."),
    `${Math.floor(share * 100)}%`,
  ];
}

function leftOf(share: number, seconds: number): string[] {
  return [`${Math.ceil(seconds / share - seconds)} s left`];
}

/** Formats a number of bytes. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
