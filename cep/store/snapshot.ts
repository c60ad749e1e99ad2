/**
 * Snapshot of all records, in which any CEP is found without a query.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { CENSUS_FIELDS } from "../fields.ts";
import { free, freePart } from "../free.ts";
import {
  addToChecksum,
  FRAGMENT_FIELDS,
  LAYOUT_VERSION,
  PART_BYTES,
  type Piece,
  PIECES,
  PREFIXES,
  SEPARATOR,
  type SnapshotHeader,
  TEXT_FIELDS,
  WORDS,
} from "./snapshot_layout.ts";
import { renderNumbers } from "./snapshot_numbers.ts";

/** Error of a snapshot that is damaged or of another version. */
export class SnapshotError extends Error {
  /** Always `SnapshotError`. */
  override readonly name = "SnapshotError";
}

/**
 * Reads a snapshot, and frees its parts.
 *
 * @throws {SnapshotError} If it is of another version or damaged.
 */
export async function readSnapshot(
  { version, records, counted, recordParts, columns, checksum }: SnapshotHeader,
  parts: AsyncIterable<Uint8Array>,
): Promise<Snapshot> {
  if (version !== LAYOUT_VERSION) {
    throw new SnapshotError(
      `Cannot read snapshot: its layout version is ${version}, ` +
        `not ${LAYOUT_VERSION}`,
    );
  }
  if (typeof counted !== "boolean") throw mismatch();
  const bytesOfRecords = allocateParts(recordParts);
  let sum = 0;
  let count = 0;
  const rest: Uint8Array[] = [];
  for await (const part of parts) {
    sum = addToChecksum(sum, part);
    if (part.length > PART_BYTES) throw mismatch();
    if (count < recordParts) {
      bytesOfRecords.set(part, count * PART_BYTES);
      freePart(part);
    } else {
      rest.push(part);
    }
    count++;
  }
  if (sum !== checksum) {
    throw new SnapshotError(
      "Cannot read snapshot: its checksum does not match",
    );
  }
  const bytes = joinParts(rest);
  const cut = cutColumns(bytes, rest.length, columns);
  const fragments: string[][] = [];
  for (const [i, bytes] of cut.splice(0, FRAGMENT_FIELDS.length).entries()) {
    await setImmediate(); // Requests are answered in between.
    fragments.push(toTexts(bytes, FRAGMENT_SLOTS[i]!.before));
  }
  await setImmediate();
  const words = cut.splice(0, 1).flatMap((bytes) => toTexts(bytes, ""));
  const [starts, places, suffixes, ...more] = cut;
  if (
    starts?.length !== 4 * (PREFIXES + 1) || places?.length !== 4 * records ||
    suffixes?.length !== 2 * records || more.length > 0
  ) {
    throw mismatch();
  }
  const index = {
    starts: new Uint32Array(copyOf(starts)),
    places: new Uint32Array(copyOf(places)),
    suffixes: new Uint16Array(copyOf(suffixes)),
  };
  freePart(bytes);
  return new Snapshot(bytesOfRecords, fragments, words, index, counted);
}

/** Parts with records, at most: their locations are 32-bit numbers. */
const MAX_PARTS = 2 ** 32 / PART_BYTES;

/**
 * Allocates memory for parts at once: a block of this size is returned to the
 * system when it is freed, which many small ones would not be.
 */
function allocateParts(count: number): Buffer {
  try {
    if (Number.isInteger(count) && count >= 0 && count <= MAX_PARTS) {
      return Buffer.from(new ArrayBuffer(count * PART_BYTES));
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
  }
  throw mismatch();
}

function mismatch(): SnapshotError {
  return new SnapshotError(
    "Cannot read snapshot: its parts do not match its header",
  );
}

/** Joins parts in memory of their own, and frees them. */
function joinParts(parts: readonly Uint8Array[]): Buffer {
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.allocUnsafeSlow(total);
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
    freePart(part);
  }
  return bytes;
}

/** Cuts bytes of some parts into columns; none if the sizes do not match. */
function cutColumns(
  bytes: Buffer,
  parts: number,
  sizes: readonly number[],
): Buffer[] {
  const columns: Buffer[] = [];
  let end = 0;
  for (const size of Array.isArray(sizes) ? sizes : []) {
    columns.push(bytes.subarray(end, end + size));
    end += size;
  }
  const count = Math.ceil(end / PART_BYTES);
  return end === bytes.length && count === parts ? columns : [];
}

/**
 * Decodes the texts of a column and prepends the same text to each. Each result
 * is decoded separately: V8 would keep a slice or a concatenation as a
 * reference to other strings, which is slower to read.
 */
function toTexts(bytes: Buffer, before: string): string[] {
  return bytes.toString("latin1").split(SEPARATOR).map((text) =>
    Buffer.from(before + text, "latin1").toString("latin1")
  );
}

/** Copies bytes, to align them for an array of numbers. */
function copyOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** Index of the records by CEP. */
interface Index {
  /** Index of the first CEP of each five-digit prefix, and the end. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Location of the record of each CEP. */
  readonly places: Uint32Array<ArrayBuffer>;
  /** Last three digits of each CEP. */
  readonly suffixes: Uint16Array<ArrayBuffer>;
}

/**
 * Numbers at the start of a record: those of its fragments, and text lengths.
 */
const NUMBERS = FRAGMENT_FIELDS.length + TEXT_FIELDS.length;

/** Piece of the JSON text, and the constant text before it. */
interface Slot extends Pick<Piece, "kind"> {
  readonly before: string;
}

const SLOTS: readonly Slot[] = PIECES.map(({ kind, fields }, i) => ({
  before: `${i === 0 ? "{" : '",'}"${fields[0]}":"`,
  kind,
}));

const FRAGMENT_SLOTS = SLOTS.filter(({ kind }) => kind === "fragment");

/** All records in memory. */
export class Snapshot {
  /** Parts with records, one after the other. */
  readonly #records: Buffer;
  readonly #fragments: readonly (readonly string[])[];
  readonly #words: readonly string[];
  readonly #index: Index;
  /** True if the records have the fields of the CNEFE. */
  readonly #counted: boolean;
  /** Numbers of the current record, in one array for all calls. */
  readonly #numbers = new Uint32Array(NUMBERS);
  /** Bit of each field of the CNEFE that has a number in the current record. */
  #present = 0;
  /** Numbers of these fields. */
  readonly #fieldNumbers = new Uint32Array(CENSUS_FIELDS.length);

  /** Created by {@linkcode readSnapshot}. */
  constructor(
    records: Buffer,
    fragments: readonly (readonly string[])[],
    words: readonly string[],
    index: Index,
    counted: boolean,
  ) {
    this.#records = records;
    this.#fragments = fragments;
    this.#words = words;
    this.#index = index;
    this.#counted = counted;
  }

  /** Frees its memory. No record can be found afterwards. */
  free(): void {
    freePart(this.#records);
    const { starts, places, suffixes } = this.#index;
    free(starts, places, suffixes);
  }

  /** Finds the record of eight digits as JSON text. */
  find(cep: string): string | undefined {
    const place = this.#locate(Number(cep));
    if (place === undefined) return undefined;
    return this.#render(cep, place);
  }

  /**
   * Finds the location of the record of a CEP by interpolation search, whose
   * guesses are usually close enough to read only a few cache lines.
   */
  #locate(cep: number): number | undefined {
    const { starts, places, suffixes } = this.#index;
    const prefix = Math.floor(cep / 1000);
    const suffix = cep % 1000;
    let low = starts[prefix]!;
    let high = starts[prefix + 1]!;
    let least = 0; // Lower bound of the suffixes from low to high,
    let limit = 1000; // and upper bound, exclusive.
    while (low < high) {
      const share = (suffix - least) / (limit - least);
      const guess = low + Math.floor(share * (high - low));
      const found = suffixes[guess]!;
      if (found === suffix) return places[guess];
      if (found < suffix) {
        low = guess + 1;
        least = found + 1;
      } else {
        high = guess;
        limit = found;
      }
    }
    return undefined;
  }

  #render(cep: string, place: number): string {
    const numbers = this.#numbers;
    const start = this.#readNumbers(place);
    let length = 0;
    for (let i = FRAGMENT_FIELDS.length; i < NUMBERS; i++) {
      length += numbers[i]!;
    }
    // One call for all texts, because a call costs more than slicing.
    const texts = this.#records.toString("latin1", start, start + length);
    let fragment = 0;
    let text = 0;
    let used = 0;
    let json = "";
    for (const { before, kind } of SLOTS) {
      if (kind === "code") {
        json += before + cep;
      } else if (kind === "fragment") {
        json += this.#fragments[fragment]![numbers[fragment]!]!;
        fragment++;
      } else {
        const end = used + numbers[FRAGMENT_FIELDS.length + text]!;
        json += before + this.#expand(texts.slice(used, end));
        used = end;
        text++;
      }
    }
    if (this.#counted) json += renderNumbers(this.#present, this.#fieldNumbers);
    return `${json}"}`;
  }

  /**
   * Replaces the byte at the start of a text with the word that it stands for.
   */
  #expand(text: string): string {
    const byte = text.charCodeAt(0); // NaN if the text is empty
    return byte < WORDS ? this.#words[byte]! + text.slice(1) : text;
  }

  /** Reads the numbers of a record. Returns the offset of its texts. */
  #readNumbers(offset: number): number {
    for (let i = 0; i < NUMBERS; i++) {
      offset = this.#readNumber(offset, this.#numbers, i);
    }
    if (!this.#counted) return offset;
    const present = this.#present = this.#records[offset++]!;
    for (let i = 0; present >> i > 0; i++) {
      if (present & 1 << i) {
        offset = this.#readNumber(offset, this.#fieldNumbers, i);
      }
    }
    return offset;
  }

  /** Reads a number. Returns the offset after it. */
  #readNumber(offset: number, numbers: Uint32Array, i: number): number {
    const bytes = this.#records;
    let byte = bytes[offset++]!;
    let number = byte & 0x7F;
    for (let shift = 7; byte > 0x7F; shift += 7) {
      byte = bytes[offset++]!;
      number |= (byte & 0x7F) << shift;
    }
    numbers[i] = number;
    return offset;
  }
}
