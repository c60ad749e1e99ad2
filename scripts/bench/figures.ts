/**
 * What was measured, and the table it is printed in.
 *
 * @module
 */

/** What a figure counts. */
export type Unit =
  | "s"
  | "ms"
  | "µs"
  | "MB"
  | "bytes"
  | "req/s"
  | "/s"
  | "ratio";

/** What a figure should not exceed or fall short of. */
export interface Limit {
  /** Which side of the value is good. */
  readonly side: "at most" | "at least";
  /** The value. */
  readonly value: number;
}

/** One thing, measured several times. */
export interface Figure {
  /** What it is. */
  readonly name: string;
  /** What it counts. */
  readonly unit: Unit;
  /** One value a time. */
  readonly values: readonly number[];
  /** What the median is held against, if anything. */
  readonly limit?: Limit;
}

/** A part of the table. */
export interface Section {
  /** What is measured. */
  readonly title: string;
  /** The lines. */
  readonly figures: readonly Figure[];
  /** What else there is to say. */
  readonly notes?: readonly string[];
}

/** Two things measured in turns. */
export interface Pairs {
  /** The values of the thing that is looked at. */
  readonly ours: number[];
  /** The values of the thing it is held against. */
  readonly yardstick: number[];
  /** Of each pair, the first value divided by the second. */
  readonly ratios: number[];
}

/** Measures in turns, so that whatever else the machine does falls on all. */
export async function inTurns<Name extends string>(
  count: number,
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const values = Object.fromEntries(
    names.map((name) => [name, [] as number[]]),
  ) as Record<Name, number[]>;
  for (let i = 0; i < count; i++) {
    for (const name of names) values[name].push(await measures[name]());
  }
  return values;
}

/** Measures two things in turns. */
export async function inPairs(
  count: number,
  ours: () => Promise<number>,
  yardstick: () => Promise<number>,
): Promise<Pairs> {
  const values = await inTurns(count, { ours, yardstick });
  return { ...values, ratios: ratiosOf(values.ours, values.yardstick) };
}

/** Divides the first value of each turn by the second. */
export function ratiosOf(
  values: readonly number[],
  yardstick: readonly number[],
): number[] {
  return values.map((value, i) => value / (yardstick[i] ?? NaN));
}

/** Measures one thing several times. */
export async function repeat(
  count: number,
  measure: () => Promise<number>,
): Promise<number[]> {
  const values: number[] = [];
  for (let i = 0; i < count; i++) values.push(await measure());
  return values;
}

/** How long something takes, in seconds. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1000;
}

/** The value in the middle, or between the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? NaN;
  const high = sorted[Math.ceil(middle)] ?? NaN;
  return (low + high) / 2;
}

/** The line above the sections. */
export const TABLE_HEAD: string = row("", "median", "min", "max", "limit");

/** A section as it is printed. */
export function formatSection({ title, figures, notes = [] }: Section): string {
  return [
    title,
    ...figures.map(formatFigure),
    ...notes.map((note) => `  ${note}`),
  ].join("\n");
}

function formatFigure({ name, unit, values, limit }: Figure): string {
  const middle = median(values);
  const least = Math.min(...values);
  const most = Math.max(...values);
  const [a, b, c] = [middle, least, most].map((it) => format(it, unit));
  return row(`  ${name}`, a!, b!, c!, limit ? judge(middle, unit, limit) : "");
}

function judge(value: number, unit: Unit, { side, value: bound }: Limit) {
  const met = side === "at most" ? value <= bound : value >= bound;
  return `${side} ${format(bound, unit)}: ${met ? "met" : "MISSED"}`;
}

function format(value: number, unit: Unit): string {
  switch (unit) {
    case "ratio":
      return value.toFixed(2);
    case "s":
      return `${value.toFixed(2)} s`;
    case "ms":
    case "µs":
      return `${value.toFixed(1)} ${unit}`;
    default:
      return `${withCommas(value)} ${unit}`;
  }
}

/** A whole number with its digits in groups: `1,000,000`. */
export function withCommas(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function row(name: string, ...cells: [...numbers: string[], limit: string]) {
  const numbers = cells.slice(0, -1).map((cell) => cell.padStart(15));
  return `${name.padEnd(32)}${numbers.join("")}   ${cells.at(-1)}`.trimEnd();
}
