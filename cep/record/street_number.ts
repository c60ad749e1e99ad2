/**
 * Building numbers: stretches of a street, as the DNE writes them, and numbers,
 * as users write them.
 */
/**
 * Side of a street, as in LOG_NUM_SEC: both (`A`), even (`P`), odd (`I`), right
 * (`D`) or left (`E`).
 */
export type Side = "A" | "P" | "I" | "D" | "E";

/** Unit of a number: a building number, or metres from the start of a highway. */
export type Unit = "number" | "metre";

/** Stretch of a street: the numbers on one side or on both. */
export interface Stretch {
  /** First number. */
  readonly from: number;
  /** Last number, {@linkcode STREET_END} for the end of the street. */
  readonly to: number;
  /** Side of the numbers. */
  readonly side: Side;
  /** Unit of the numbers. */
  readonly unit: Unit;
}

/** Number of a building on a street. */
export interface StreetNumber {
  /** The number, without its letters. */
  readonly value: number;
  /** Unit of the number. */
  readonly unit: Unit;
}

/** Last number of a stretch to the end of its street: fits 32 bits. */
export const STREET_END = 0x7FFFFFFF;

/** Two numbers that face each other, or one number twice. */
type Limit = readonly [number, number];

const START: Limit = [1, 2];
const END: Limit = [STREET_END, STREET_END];

const AMOUNT = String.raw`\d{1,9}(?:[.,]\d{1,3})?`;
const LIMIT = String.raw`((?:km )?)(${AMOUNT})(?:/(${AMOUNT}))?`;
const UP_TO = new RegExp(`^ate (?:o )?${LIMIT}$`);
const FROM = new RegExp(`^d[eo] ${LIMIT} (?:(?:ao?|ate) ${LIMIT}|ao? fim)$`);
/** May be cut off: the column once had 36 characters. */
const SIDE = /^lado ([pide])\w*$/;

/**
 * Parses the complement of a street: `até 697 - lado ímpar`, `de 1001/1002 ao
 * fim`, `do km 10,000 ao km 11,000`. Brackets and other text are ignored.
 *
 * @returns One stretch; two if the sides differ (`de 301/302 a 799/498`); none
 * if the complement limits neither numbers nor sides.
 *
 * @example
 * ```ts
 * import { parseComplement } from "@carteiro/cep";
 *
 * const [stretch] = parseComplement("de 612 a 1510 - lado par");
 * console.assert(stretch?.from === 612 && stretch.side === "P");
 * ```
 */
export function parseComplement(complement: string): Stretch[] {
  if (!/\d|lado/i.test(complement)) return [];
  let range: Omit<Range, "side"> | undefined;
  let side: Side | undefined;
  const text = fold(complement).replaceAll(/\([^)]*\)?/g, " - ");
  for (const part of text.split(/\s+-|-\s+/)) {
    const clause = part.replaceAll(/\s+/g, " ").trim();
    range ??= parseRange(clause);
    side ??= parseSide(clause);
  }
  if (range === undefined && side === undefined) return [];
  range ??= { first: START, last: END, unit: "number" };
  return toStretches({ ...range, side: side ?? "A" });
}

interface Range {
  readonly first: Limit;
  readonly last: Limit;
  readonly unit: Unit;
  readonly side: Side;
}

function parseRange(clause: string): Omit<Range, "side"> | undefined {
  const upTo = UP_TO.exec(clause);
  if (upTo !== null) {
    const unit = unitOf(clause);
    const last = toLimit(upTo[2]!, upTo[3], unit);
    return { first: unit === "metre" ? [0, 0] : START, last, unit };
  }
  const from = FROM.exec(clause);
  if (from === null) return undefined;
  const unit = unitOf(clause);
  const [, , first, firstFacing, , last, lastFacing] = from;
  return {
    first: toLimit(first!, firstFacing, unit),
    last: last === undefined ? END : toLimit(last, lastFacing, unit),
    unit,
  };
}

function parseSide(clause: string): Side | undefined {
  return SIDE.exec(clause)?.[1]?.toUpperCase() as Side | undefined;
}

/** A comma is the decimal sign of kilometres. */
function unitOf(text: string): Unit {
  return text.includes("km") || text.includes(",") ? "metre" : "number";
}

function toLimit(text: string, facing: string | undefined, unit: Unit): Limit {
  const number = toAmount(text, unit);
  return [number, facing === undefined ? number : toAmount(facing, unit)];
}

function toAmount(text: string, unit: Unit): number {
  const amount = unit === "metre"
    ? Math.round(Number(text.replace(",", ".")) * 1000)
    : Number(text.replace(".", ""));
  return Math.min(amount, STREET_END);
}

function toStretches({ first, last, unit, side }: Range): Stretch[] {
  const odd = {
    from: pick(first, 1, Math.min),
    to: pick(last, 1, Math.max),
    side: "I",
    unit,
  } as const;
  const even = {
    from: pick(first, 0, Math.min),
    to: pick(last, 0, Math.max),
    side: "P",
    unit,
  } as const;
  const both = {
    from: Math.min(...first),
    to: Math.max(...last),
    side,
    unit,
  };
  const stretches: Stretch[] = unit === "metre" || side === "D" || side === "E"
    ? [both]
    : side === "I"
    ? [odd]
    : side === "P"
    ? [even]
    : isAdjacent(odd.from, even.from) && isAdjacent(odd.to, even.to)
    ? [both]
    : [odd, even];
  return stretches.filter(({ from, to }) => from <= to);
}

/** Returns the number of a parity, if only one of the two has it. */
function pick(
  [one, other]: Limit,
  parity: number,
  select: (...numbers: number[]) => number,
): number {
  if (one % 2 === other % 2) return select(one, other);
  return one % 2 === parity ? one : other;
}

function isAdjacent(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1;
}

/** Columns of a row of LOG_NUM_SEC, without the number of the street. */
export interface Section {
  /** SEC_NU_INI. */
  readonly first: string;
  /** SEC_NU_FIM: `99999` or `99998` for the end of the street. */
  readonly last: string;
  /** SEC_IN_LADO. */
  readonly side: string;
}

const SECTION_LIMIT = /^\d{1,9}(?:,\d{1,3})?$/;
const SECTION_END = /^9{4,}[89](?:,9+)?$/;

/**
 * Parses a row of LOG_NUM_SEC. A limit with a comma is in kilometres.
 *
 * @returns The stretch, `undefined` if a column is unusable.
 */
export function parseSection(
  { first, last, side }: Section,
): Stretch | undefined {
  if (!SECTION_LIMIT.test(first) || !SECTION_LIMIT.test(last)) return undefined;
  if (!/^[APIDE]$/.test(side)) return undefined;
  const unit = unitOf(first + last);
  const from = toAmount(first, unit);
  const to = SECTION_END.test(last) ? STREET_END : toAmount(last, unit);
  return from <= to ? { from, to, side: side as Side, unit } : undefined;
}

const NUMBER =
  /^(?:n(?:umero|[o.]{0,2})? ?)?(\d{1,3}(?:\.\d{3})+|\d{1,9})(?: ?[-/]? ?[a-z]{1,3}| ?[-/] ?\d{1,9})?$/;
const KILOMETRE =
  /^(?:n(?:umero|[o.]{0,2})? ?)?km\.? ?(\d{1,6})(?:[.,+](\d{1,3}))?$/;
const WITHOUT_NUMBER =
  /^(?:s ?[/.]? ?n(?:[o.]{0,2}|umero)?|sem n(?:o|umero)?\.?|0+)$/;

/**
 * Parses a number as users write it: `1578`, `1.578`, `1578A`, `nº 1578`,
 * `km 34,5`.
 *
 * @returns The number; `null` for a building without one (`s/n`, `0`);
 * `undefined` for any other text.
 *
 * @example
 * ```ts
 * import { parseStreetNumber } from "@carteiro/cep";
 *
 * console.assert(parseStreetNumber("1.578")?.value === 1578);
 * console.assert(parseStreetNumber("s/n") === null);
 * console.assert(parseStreetNumber("-1") === undefined);
 * ```
 */
export function parseStreetNumber(
  text: string,
): StreetNumber | null | undefined {
  if (text.length > 40) return undefined;
  const folded = fold(text).replaceAll(/\s+/g, " ").trim();
  if (WITHOUT_NUMBER.test(folded)) return null;
  const kilometre = KILOMETRE.exec(folded);
  if (kilometre !== null) {
    const [, whole, fraction = ""] = kilometre;
    const value = Number(whole) * 1000 + Number(fraction.padEnd(3, "0"));
    return { value, unit: "metre" };
  }
  const digits = NUMBER.exec(folded)?.[1]?.replaceAll(".", "");
  if (digits === undefined || digits.length > 9) return undefined;
  return { value: Number(digits), unit: "number" };
}

/**
 * Compares a number with a stretch.
 *
 * @returns `undefined` if they have different units: a highway may have building
 * numbers, too.
 */
export function containsNumber(
  { from, to, side, unit }: Stretch,
  number: StreetNumber,
): boolean | undefined {
  if (number.unit !== unit) return undefined;
  const { value } = number;
  if (value < from || value > to) return false;
  if (unit === "metre") return true;
  if (side === "P") return value % 2 === 0;
  if (side === "I") return value % 2 === 1;
  return true;
}

/** Folds letter case, accents and the forms of `º`. */
function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}|°/gu, "").toLowerCase();
}
