/**
 * Harness of the benchmarks: measures cases in turn, so that other load on the
 * machine affects all of them, and prints medians, ratios and limits.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Plan, Programs } from "./programs.ts";

/** Fraction digits by unit, 0 by default. */
const DIGITS: Readonly<Record<string, number>> = {
  "s": 2,
  "ms": 1,
  "µs": 1,
  "ratio": 2,
  "%": 1,
};

/** Goal for a median. */
export type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** Case to measure, similar to those of `Deno.bench`. */
export interface Case {
  readonly name: string;
  /** Unit of the values: `s`, `MB` (a million bytes), `req/s`, … */
  readonly unit: string;
  readonly limit?: Limit | undefined;
  /** Goal for the first case divided by this one. */
  readonly ratio?: Limit | undefined;
  /** Measures once. */
  readonly run: () => Promise<number>;
}

/** Run of the benchmarks. */
export class Bench extends Programs {
  /** Prints the head of the table. */
  constructor(plan: Plan, folder: string, signal: AbortSignal) {
    super(plan, folder, signal);
    printRow("", "median", "min", "max", "limit");
  }

  /** Prints the title of a section. */
  title(text: string): void {
    console.log(text);
  }

  /** Prints a note below the figures of a section. */
  note(text: string): void {
    console.log(`  ${text}`);
  }

  /** Prints a known value. */
  show(name: string, unit: string, value: number, limit?: Limit): void {
    printFigure(name, unit, [value], limit);
  }

  /**
   * Measures cases in turn and prints them, then the ratio of the first case to
   * each of the others, turn by turn.
   *
   * @param options Number of turns, and of warm-up turns before them.
   */
  async measure(
    cases: readonly Case[],
    { turns = this.plan.pairs, warmUp = 0 } = {},
  ): Promise<void> {
    const measured = cases.map((it) => ({ ...it, values: [] as number[] }));
    for (let turn = -warmUp; turn < turns; turn++) {
      for (const { run, values } of measured) {
        // Lets a pending signal arrive.
        await delay(0, undefined, { signal: this.signal });
        const value = await run();
        if (turn >= 0) values.push(value);
      }
    }
    for (const { name, unit, values, limit } of measured) {
      printFigure(name, unit, values, limit);
    }
    const [first, ...others] = measured;
    for (const { name, values, ratio } of others) {
      const ratios = values.map((value, turn) => first!.values[turn]! / value);
      printFigure(`${first!.name} / ${name}`, "ratio", ratios, ratio);
    }
  }
}

/** Duration in seconds. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1000;
}

/**
 * Note for systems on which memory cannot be measured, otherwise `undefined`.
 */
export const NO_MEMORY = Deno.build.os === "linux"
  ? undefined
  : "not measured: only Linux reports the peak memory of a process";

/** Reads the current or the peak memory of a process in MB. */
export async function readMemory(
  pid: number,
  field: "VmRSS" | "VmHWM",
): Promise<number | undefined> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  const kibibytes = RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1];
  // A process that is ending has no such field.
  return kibibytes ? Number(kibibytes) * 1024 / 1e6 : undefined;
}

/** Formats a number with its digits in groups: `1,000,000`. */
export function format(value: number, digits = 0): string {
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

function printFigure(
  name: string,
  unit: string,
  values: readonly number[],
  limit?: Limit,
): void {
  const inUnit = (value: number) =>
    format(value, DIGITS[unit]) + (unit === "ratio" ? "" : ` ${unit}`);
  const middle = median(values);
  const cells = [middle, Math.min(...values), Math.max(...values)].map(inUnit);
  if (limit) {
    const [side, goal, met] = "atMost" in limit
      ? ["at most", limit.atMost, middle <= limit.atMost] as const
      : ["at least", limit.atLeast, middle >= limit.atLeast] as const;
    cells.push(`${side} ${inUnit(goal)}: ${met ? "met" : "MISSED"}`);
  }
  printRow(`  ${name}`, ...cells);
}

function printRow(name: string, ...cells: string[]): void {
  const numbers = cells.slice(0, 3).map((cell) => cell.padStart(15)).join("");
  console.log([name.padEnd(38) + numbers, ...cells.slice(3)].join("   "));
}
