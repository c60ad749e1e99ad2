import type { Columns } from "./columns.ts";
import { withRoom } from "./grow.ts";
import { PairTable } from "./pair_table.ts";
import { MAX_ROW_BYTES } from "./row_scanner.ts";
import { TextTable } from "./text_table.ts";

const SEPARATOR = 0x3B;

/** Initial length of the counts. */
const LENGTH = 1 << 10;

/**
 * Counts the addresses of each street of each group, and the lowest and highest
 * building number on each side, 0 without.
 */
export class StreetCounts {
  /** Type, title and name of streets as written, between semicolons. */
  readonly texts = new TextTable();
  /** Group and text of each street of a group. */
  readonly pairs = new PairTable();
  /** Number of addresses. */
  addresses = new Uint32Array(LENGTH);
  /** Lowest odd number. */
  oddFrom = new Uint32Array(LENGTH);
  /** Highest odd number. */
  oddTo = new Uint32Array(LENGTH);
  /** Lowest even number. */
  evenFrom = new Uint32Array(LENGTH);
  /** Highest even number. */
  evenTo = new Uint32Array(LENGTH);
  readonly #text = new Uint8Array(MAX_ROW_BYTES + 2);

  /**
   * Adds an address.
   *
   * @param number Building number, 0 without one.
   */
  add(
    group: number,
    bytes: Uint8Array,
    starts: Int32Array,
    columns: Columns,
    number: number,
  ): void {
    const index = this.pairs.indexOf(
      group,
      this.#textOf(bytes, starts, columns),
    );
    if (index >= this.addresses.length) this.#grow(index);
    this.addresses[index]!++;
    if (number === 0) return;
    const isOdd = (number & 1) === 1;
    const from = isOdd ? this.oddFrom : this.evenFrom;
    const to = isOdd ? this.oddTo : this.evenTo;
    if (from[index] === 0 || number < from[index]!) from[index] = number;
    if (number > to[index]!) to[index] = number;
  }

  #textOf(bytes: Uint8Array, starts: Int32Array, columns: Columns): number {
    const {
      NOM_TIPO_SEGLOGR: type,
      NOM_TITULO_SEGLOGR: title,
      NOM_SEGLOGR: name,
    } = columns;
    const texts = this.texts;
    if (title === type + 1 && name === title + 1) {
      return texts.indexOf(bytes, starts[type]!, starts[name + 1]! - 1);
    }
    const text = this.#text;
    let end = 0;
    for (const column of [type, title, name]) {
      const field = bytes.subarray(starts[column], starts[column + 1]! - 1);
      text.set(field, end);
      end += field.length;
      text[end++] = SEPARATOR;
    }
    return texts.indexOf(text, 0, end - 1);
  }

  #grow(index: number): void {
    this.addresses = withRoom(this.addresses, index);
    this.oddFrom = withRoom(this.oddFrom, index);
    this.oddTo = withRoom(this.oddTo, index);
    this.evenFrom = withRoom(this.evenFrom, index);
    this.evenTo = withRoom(this.evenTo, index);
  }
}
