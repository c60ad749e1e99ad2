import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import {
  CENSUS_FIELDS,
  type FieldName,
  FIELDS,
  type OwnFieldName,
  type Variation,
} from "../record/fields.ts";
import { free } from "../util/free.ts";
import { reasonOf } from "../util/reason_of.ts";
import {
  addToChecksum,
  escapeJson,
  FRAGMENT_FIELDS,
  LAYOUT_VERSION,
  PART_BYTES,
  PREFIXES,
  SEPARATOR,
  type SnapshotHeader,
  TEXT_FIELDS,
  toStored,
  WORDS,
} from "./snapshot_layout.ts";

/** Maximum size of a number. */
const NUMBER_BYTES = 5;

/** Number of prefixes to sort before yielding to other work. */
const SORTED_AT_ONCE = 5000;

/** Maximum number of numbers of a record. */
const MAX_NUMBERS = FRAGMENT_FIELDS.length + TEXT_FIELDS.length + 1 +
  CENSUS_FIELDS.length;

/** Records per block. */
const BLOCK = 1 << 14;

/** Variation of the fields of a fragment. */
type SharedVariation = Extract<
  Variation,
  "neighbourhood" | "locality" | "kind"
>;

/** Record, as the snapshot takes it. */
export interface SnapshotRecord {
  readonly cep: string;
  /** Numbers: records with the same one have the same texts of its fields. */
  readonly keys: Readonly<Record<SharedVariation, number>>;
  /** Returns the text of a field, `undefined` if the record has none. */
  value(field: FieldName): string | undefined;
}

/** Word that a byte stands for. */
interface Word {
  /** Its letters and a space. */
  readonly text: string;
  readonly byte: number;
}

/** Text of a record. */
class Text {
  /** The text, without the word that it begins with, if a byte stands for it. */
  rest = "";
  /** Word that it begins with. */
  word: Word | undefined;

  /** Number of bytes. */
  get length(): number {
    return this.rest.length + (this.word === undefined ? 0 : 1);
  }
}

/**
 * Takes records and returns the parts of their snapshot one by one, so that
 * memory grows by eight bytes per record. Either all records have the fields of
 * the CNEFE, or none.
 */
export class SnapshotWriter {
  /** Number of records by the first five digits of their CEPs. */
  readonly recordsByPrefix: Uint32Array = new Uint32Array(PREFIXES);
  readonly #fragments = FRAGMENT_FIELDS.map((fields) => new Fragments(fields));
  readonly #texts = TEXT_FIELDS.map(() => new Text());
  readonly #numbers: (number | undefined)[] = CENSUS_FIELDS.map(() => 0);
  /** First words of texts. */
  readonly #words = new Map<string, Word>();
  /** CEPs of the records, in blocks. */
  readonly #ceps: Uint32Array[] = [];
  /** Locations of the records, in blocks. */
  readonly #places: Uint32Array[] = [];
  #records = 0;
  /** True if the records have the fields of the CNEFE. */
  #counted = false;
  /** Two buffers, so that one part can be written while the next one fills. */
  #part = Buffer.allocUnsafeSlow(PART_BYTES);
  #spare = Buffer.allocUnsafeSlow(PART_BYTES);
  #used = 0;
  #recordParts = 0;
  #checksum = 0;

  /**
   * Adds a record.
   *
   * @returns The previous part, if the record begins a new one. It is valid
   * until the next part is returned.
   */
  add(record: SnapshotRecord): Uint8Array | undefined {
    const size = this.#prepare(record);
    if (size > PART_BYTES) {
      throw new RangeError(`Cannot add ${record.cep}: its texts are too long`);
    }
    const part = size > PART_BYTES - this.#used ? this.#endPart() : undefined;
    const place = this.#recordParts * PART_BYTES + this.#used;
    this.#addToIndex(Number(record.cep), place);
    for (const column of this.#fragments) this.#writeNumber(column.last);
    for (const { length } of this.#texts) this.#writeNumber(length);
    if (this.#counted) this.#writeNumbers();
    for (const text of this.#texts) this.#writeText(text);
    return part;
  }

  #endPart(): Uint8Array {
    const part = this.#part.subarray(0, this.#used);
    this.#checksum = addToChecksum(this.#checksum, part);
    [this.#part, this.#spare] = [this.#spare, this.#part];
    this.#used = 0;
    this.#recordParts++;
    return part;
  }

  /**
   * Yields the remaining parts. No record can be added afterwards.
   *
   * @returns The header of the snapshot.
   */
  async *finish(): AsyncGenerator<Uint8Array, SnapshotHeader> {
    yield this.#endPart();
    const columns: Uint8Array[] = [];
    const words = [...this.#words.keys()];
    for (const texts of [...this.#fragments.map((it) => it.texts), words]) {
      columns.push(Buffer.from(texts.join(SEPARATOR), "latin1"));
    }
    const starts = this.#findStarts();
    columns.push(bytesOf(starts));
    const order = await this.#sort(starts);
    const places = order.map((record) => at(this.#places, record));
    columns.push(bytesOf(places));
    const suffixes = new Uint16Array(order.length);
    order.forEach((record, i) => {
      suffixes[i] = at(this.#ceps, record) % 1000;
    });
    columns.push(bytesOf(suffixes));
    free(...this.#ceps.splice(0), ...this.#places.splice(0), order);
    this.#fragments.length = 0;
    const bytes = Buffer.concat(columns);
    this.#checksum = addToChecksum(this.#checksum, bytes);
    for (let start = 0; start < bytes.length; start += PART_BYTES) {
      yield bytes.subarray(start, start + PART_BYTES);
    }
    return {
      version: LAYOUT_VERSION,
      records: this.#records,
      counted: this.#counted,
      recordParts: this.#recordParts,
      columns: columns.map(({ length }) => length),
      checksum: this.#checksum,
    };
  }

  /** Finds the fragments and texts of a record. Returns its maximum size. */
  #prepare(record: SnapshotRecord): number {
    for (const column of this.#fragments) column.find(record);
    this.#prepareNumbers(record);
    let size = MAX_NUMBERS * NUMBER_BYTES;
    for (let i = 0; i < TEXT_FIELDS.length; i++) {
      const text = this.#texts[i]!;
      this.#shorten(escapeJson(record.value(TEXT_FIELDS[i]!)!), text);
      size += text.length;
    }
    return size;
  }

  #prepareNumbers(record: SnapshotRecord): void {
    if (this.#records === 0) {
      this.#counted = record.value("latitude") !== undefined;
    }
    for (let i = 0; i < CENSUS_FIELDS.length; i++) {
      const text = record.value(CENSUS_FIELDS[i]!);
      if ((text !== undefined) !== this.#counted) {
        throw new RangeError(
          `Cannot add ${record.cep}: it has other fields than the records ` +
            "before it",
        );
      }
      if (text === undefined) continue;
      try {
        this.#numbers[i] = toStored(i, text);
      } catch (error) {
        throw new RangeError(
          `Cannot add ${record.cep}: ${reasonOf(error)}`,
        );
      }
    }
  }

  /** Separates the first word of a text, if it has a byte. */
  #shorten(text: string, into: Text): void {
    // Often, it is that of the last record.
    const { word } = into;
    if (word === undefined || !text.startsWith(word.text)) {
      into.word = this.#findWord(text);
    }
    into.rest = into.word === undefined
      ? text
      : text.slice(into.word.text.length);
  }

  #findWord(text: string): Word | undefined {
    const length = text.indexOf(" ") + 1;
    if (length < 2) return undefined;
    const start = text.slice(0, length);
    let word = this.#words.get(start);
    if (word === undefined && this.#words.size < WORDS) {
      word = { text: start, byte: this.#words.size };
      this.#words.set(start, word);
    }
    return word;
  }

  #addToIndex(cep: number, place: number): void {
    const i = this.#records++ % BLOCK;
    if (i === 0) {
      this.#ceps.push(new Uint32Array(BLOCK));
      this.#places.push(new Uint32Array(BLOCK));
    }
    this.#ceps.at(-1)![i] = cep;
    this.#places.at(-1)![i] = place;
    this.recordsByPrefix[prefixOf(cep)]!++;
  }

  /** Writes seven bits per byte, the lowest first; the high bit means more. */
  #writeNumber(number: number): void {
    while (number > 0x7F) {
      this.#part[this.#used++] = number & 0x7F | 0x80;
      number >>>= 7;
    }
    this.#part[this.#used++] = number;
  }

  /** Writes the bits of the numbers of the record, and the numbers. */
  #writeNumbers(): void {
    let present = 0;
    for (let i = 0; i < this.#numbers.length; i++) {
      if (this.#numbers[i] !== undefined) present |= 1 << i;
    }
    this.#writeNumber(present);
    for (const number of this.#numbers) {
      if (number !== undefined) this.#writeNumber(number);
    }
  }

  /** Writes a text, faster than `Buffer.write` if it is short. */
  #writeText({ word, rest }: Text): void {
    const part = this.#part;
    let used = this.#used;
    if (word !== undefined) part[used++] = word.byte;
    for (let i = 0; i < rest.length; i++) part[used++] = rest.charCodeAt(i);
    this.#used = used;
  }

  /** Computes the index of the first CEP of each prefix. */
  #findStarts(): Uint32Array {
    const starts = new Uint32Array(PREFIXES + 1);
    for (let i = 0; i < PREFIXES; i++) {
      starts[i + 1] = starts[i]! + this.recordsByPrefix[i]!;
    }
    return starts;
  }

  /**
   * Sorts the records by CEP: by prefix in one pass, then the few records of
   * each prefix by suffix.
   */
  async #sort(starts: Uint32Array): Promise<Uint32Array> {
    const order = new Uint32Array(this.#records);
    const next = starts.slice();
    for (let i = 0; i < this.#records; i++) {
      order[next[prefixOf(at(this.#ceps, i))]!++] = i;
    }
    // Suffix and record as one number, to sort by suffix.
    const keys = new Float64Array(1000);
    for (let prefix = 0; prefix < PREFIXES; prefix++) {
      if (prefix % SORTED_AT_ONCE === 0) await setImmediate();
      const records = order.subarray(starts[prefix], starts[prefix + 1]);
      if (records.length < 2) continue;
      records.forEach((record, i) => {
        keys[i] = at(this.#ceps, record) % 1000 * 2 ** 32 + record;
      });
      keys.subarray(0, records.length).sort();
      records.forEach((_, i) => records[i] = keys[i]! % 2 ** 32);
    }
    return order;
  }
}

function at(blocks: readonly Uint32Array[], record: number): number {
  return blocks[Math.floor(record / BLOCK)]![record % BLOCK]!;
}

/** Bytes of numbers, which are little-endian on all supported platforms. */
function bytesOf(numbers: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function prefixOf(cep: number): number {
  return Math.floor(cep / 1000);
}

/** Distinct texts of a group of fields, each with a number. */
class Fragments {
  readonly texts: string[] = [];
  /** Number of the text that was found last. */
  last = 0;
  readonly #fields: readonly OwnFieldName[];
  readonly #variation: SharedVariation;
  readonly #byText = new Map<string, number>();
  readonly #byKey = new Map<number, number>();

  constructor(fields: readonly [OwnFieldName, ...OwnFieldName[]]) {
    this.#fields = fields;
    this.#variation = FIELDS[fields[0]].variation as SharedVariation;
  }

  /** Finds the number of a record's text. */
  find(record: SnapshotRecord): void {
    const key = record.keys[this.#variation];
    let number = this.#byKey.get(key);
    if (number === undefined) {
      number = this.#findText(this.#toText(record));
      this.#byKey.set(key, number);
    }
    this.last = number;
  }

  #toText(record: SnapshotRecord): string {
    return this.#fields.map((field, i) => {
      const value = escapeJson(record.value(field)!);
      return i === 0 ? value : `","${field}":"${value}`;
    }).join("");
  }

  #findText(text: string): number {
    let number = this.#byText.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.#byText.set(text, number);
    }
    return number;
  }
}
