import type { CensusRow, NumberRange } from "../record/census.ts";
import {
  distanceFromSeen,
  rangeOnSide,
  type SeenNumbers,
} from "../record/seen_numbers.ts";
import {
  containsNumber,
  type Side,
  STREET_END,
  type StreetNumber,
  type Stretch,
  type Unit,
} from "../record/street_number.ts";
import { lowerBound } from "../util/bisect.ts";
import { Growing } from "../util/growing.ts";
import type { Column } from "./columns.ts";
import { type IndexArrays, STRETCH_KINDS } from "./index_layout.ts";

/** Score of a record about whose numbers nothing is known. */
export const UNIT = 32;

/** Stretches of the records of an index, and the numbers that were seen. */
export class Stretches {
  readonly #arrays: IndexArrays;
  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
  }

  /**
   * Returns how well a number fits a record: the less, the narrower its stretch;
   * more if the number is only between those that were seen, {@linkcode UNIT} if
   * nothing is known, and more if it is beyond those; `Infinity` if it is on none
   * of the stretches.
   */
  fit(record: number, number: StreetNumber): number {
    const { stretchRecords, stretchFrom, stretchTo, stretchKinds } =
      this.#arrays;
    const { length } = stretchRecords;
    let isKnown = false;
    let least = Infinity;
    let i = lowerBound(stretchRecords, record, 0, length);
    for (; i < length && stretchRecords[i] === record; i++) {
      const kind = STRETCH_KINDS[stretchKinds[i]!]!;
      const [side, unit] = kind.split(" ") as [Side, Unit];
      const stretch = {
        from: stretchFrom[i]!,
        to: stretchTo[i]!,
        side,
        unit,
      };
      const contains = containsNumber(stretch, number);
      if (contains) least = Math.min(least, scoreWidth(stretch));
      isKnown ||= contains !== undefined;
    }
    if (isKnown) return least;
    const seen = this.seen(record);
    return seen === undefined ? UNIT : scoreSeen(seen, number);
  }

  /** Returns the numbers that were seen at a record without a stretch. */
  seen(record: number): SeenNumbers | undefined {
    return readSeen(this.#arrays.seenNumbers, record);
  }
}

/** Highest score of a stretch with an end, on one side. */
const MAX_CLOSED = 8;

/** Width up to which stretches are equal, as a power of two. */
const NARROW = 5;

/** Returns a score that, with the size of a municipality, is below a unit. */
function scoreWidth({ from, to, side }: Stretch): number {
  const bothSides = side === "A" && from < to ? 1 : 0;
  if (to === STREET_END) return MAX_CLOSED + (from > 2 ? 1 : 2) + bothSides;
  const width = Math.ceil(Math.log2(to - from + 1)) - NARROW;
  return Math.min(Math.max(width, 0), MAX_CLOSED) + bothSides;
}

/** Score of a narrow range of numbers that were seen: above every stretch. */
const SEEN = MAX_CLOSED + 4;

/** Highest score of a distance from the numbers that were seen. */
const MAX_DISTANCE = 8;

/** Returns a score below a unit only for a number between those seen. */
function scoreSeen(seen: SeenNumbers, number: StreetNumber): number {
  const distance = distanceFromSeen(seen, number);
  if (distance === undefined) return UNIT;
  if (distance > 0) {
    return UNIT + Math.min(Math.ceil(Math.log2(distance + 1)), MAX_DISTANCE);
  }
  const [from, to] = rangeOnSide(seen, number.value)!;
  return SEEN + scoreWidth({ from, to, side: "P", unit: "number" });
}

/**
 * Building numbers that a census saw, as a column of the index.
 *
 * The sides of a street are known by the parity of a number, so that half of it
 * is stored, in 16 bits.
 */

/** Numbers of a record: first and last odd one, first and last even one. */
const ITEMS = 4;

/** Half of the highest number, and the first half of a side without numbers. */
const HIGHEST = 0xFFFE;
const NONE = 0xFFFF;

/** Numbers that were seen, by CEP, while an index is written. */
export class SeenRows {
  readonly #ceps = new Growing();
  readonly #addresses = new Growing();
  /** Halves of the first and the last number of each side. */
  readonly #sides = [new Growing(), new Growing()] as const;
  /** Row of each record plus one, 0 for none, followed by a bit. */
  readonly #records = new Growing();
  #isUsed = false;

  /** Adds a row. Rows come in order of CEP. */
  add({ cep, addresses, streets: [street] }: CensusRow): void {
    this.#ceps.push(Number(cep));
    this.#addresses.push(addresses);
    this.#sides[0].push(pack(street?.odd ?? null));
    this.#sides[1].push(pack(street?.even ?? null));
  }

  /**
   * Adds the next record.
   *
   * @param hasNumbers False if its numbers are known otherwise, or it has none.
   */
  addRecord(cep: number, hasNumbers: boolean): void {
    if (this.#ceps.length === 0) return; // The columns are empty.
    const row = this.#ceps.findSorted(cep);
    this.#records.push(2 * (row + 1) + Number(hasNumbers));
    this.#isUsed ||= hasNumbers && row >= 0 && this.#hasNumbers(row);
  }

  #hasNumbers(row: number): boolean {
    return this.#sides.some((side) => side.at(row) !== pack(null));
  }

  /** True without any row. */
  get isEmpty(): boolean {
    return this.#ceps.length === 0;
  }

  /** Returns the number of addresses of a record, 0 for an unknown CEP. */
  addressesOf(record: number): number {
    const row = (this.#records.at(record) >>> 1) - 1;
    return row < 0 ? 0 : this.#addresses.at(row);
  }

  /**
   * Returns the numbers of the records in another order, empty if no record has
   * any.
   */
  toColumn(order: Column): Uint16Array<ArrayBuffer> {
    const [odd, even] = this.#sides;
    const column = new Uint16Array(this.#isUsed ? ITEMS * order.length : 0);
    for (let record = 0; record < column.length / ITEMS; record++) {
      const packed = this.#records.at(order[record]!);
      const row = packed % 2 === 1 ? (packed >>> 1) - 1 : -1;
      const i = ITEMS * record;
      unpack(row < 0 ? pack(null) : odd.at(row), column, i);
      unpack(row < 0 ? pack(null) : even.at(row), column, i + 2);
    }
    return column;
  }

  /** Frees the rows. */
  free(): void {
    for (
      const it of [this.#ceps, this.#addresses, ...this.#sides, this.#records]
    ) {
      it.free();
    }
  }
}

function pack(range: NumberRange | null): number {
  if (range === null) return NONE * 0x10000;
  const [from, to] = range.map((number) => Math.min(number >>> 1, HIGHEST));
  return from! * 0x10000 + to!;
}

function unpack(side: number, column: Uint16Array, i: number): void {
  column[i] = side >>> 16;
  column[i + 1] = side & 0xFFFF;
}

/** Reads the numbers of a record, `undefined` without any. */
export function readSeen(
  column: Uint16Array,
  record: number,
): SeenNumbers | undefined {
  const i = ITEMS * record;
  if (i >= column.length) return undefined;
  const odd = readSide(column, i, 1);
  const even = readSide(column, i + 2, 0);
  return odd === null && even === null ? undefined : { odd, even };
}

function readSide(
  column: Uint16Array,
  i: number,
  parity: number,
): NumberRange | null {
  const from = column[i]!;
  return from === NONE
    ? null
    : [2 * from + parity, 2 * column[i + 1]! + parity];
}
