/**
 * Building numbers that a census saw, as a column of the index.
 *
 * The sides of a street are known by the parity of a number, so that half of it
 * is stored, in 16 bits.
 */
import type { CensusRow, NumberRange } from "../record/census.ts";
import type { SeenNumbers } from "../record/seen_numbers.ts";
import type { Column } from "./columns.ts";
import { Growing } from "../util/growing.ts";

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
