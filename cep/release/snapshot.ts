import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { free, freePart } from "../util/free.ts";
import {
  type Allocate,
  allocateTogether,
  plainMemory,
} from "../util/memory.ts";
import {
  addToChecksum,
  FRAGMENT_FIELDS,
  LAYOUT_VERSION,
  PART_BYTES,
  type Piece,
  PIECES,
  PREFIXES,
  renderNumbers,
  SEPARATOR,
  type SnapshotHeader,
  TEXT_FIELDS,
  WORDS,
} from "./snapshot_layout.ts";
import { CENSUS_FIELDS } from "../record/fields.ts";

/** Error of a snapshot that is damaged or of another version. */
export class SnapshotError extends Error {
  /** Always `SnapshotError`. */
  override readonly name = "SnapshotError";
}

/** Texts in ISO-8859-1, with a byte between two of them. */
export interface Texts {
  readonly bytes: Uint8Array;
  /** Start of each text, and of one more. */
  readonly starts: Uint32Array;
}

/** Data of a snapshot, which other threads read from the same memory. */
export interface SnapshotData {
  /** Records, one after the other. */
  readonly records: Uint8Array;
  /** Fragments of each piece. */
  readonly fragments: readonly Texts[];
  /** Words that a byte at the start of a text stands for. */
  readonly words: Texts;
  /** Index of the first CEP of each five-digit prefix, and the end. */
  readonly starts: Uint32Array;
  /** Location of the record of each CEP. */
  readonly places: Uint32Array;
  /** Last three digits of each CEP. */
  readonly suffixes: Uint16Array;
  /** True if the records have the fields of the CNEFE. */
  readonly counted: boolean;
}

/**
 * Reads a snapshot, and frees its parts.
 *
 * @throws {SnapshotError} If it is of another version or damaged.
 */
export async function readSnapshot(
  { version, records, counted, recordParts, columns, checksum }: SnapshotHeader,
  parts: AsyncIterable<Uint8Array>,
  allocate: Allocate = plainMemory,
): Promise<SnapshotData> {
  if (version !== LAYOUT_VERSION) {
    throw new SnapshotError(
      `Cannot read snapshot: its layout version is ${version}, ` +
        `not ${LAYOUT_VERSION}`,
    );
  }
  if (typeof counted !== "boolean") throw mismatch();
  const bytesOfRecords = allocateParts(recordParts, allocate);
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
  const texts = cut.splice(0, FRAGMENT_FIELDS.length + 1);
  const [starts, places, suffixes, ...more] = cut;
  if (
    starts?.length !== 4 * (PREFIXES + 1) || places?.length !== 4 * records ||
    suffixes?.length !== 2 * records || more.length > 0
  ) {
    throw mismatch();
  }
  const textStarts: Uint8Array[] = [];
  for (const text of texts) {
    textStarts.push(startsOf(text));
    await setImmediate(); // Requests are answered in between.
  }
  const kept = copyTogether([...textStarts, ...texts, ...cut], allocate);
  freePart(bytes);
  const startsOfTexts = kept.splice(0, texts.length).map(toNumbers);
  const [words, ...fragments] = kept.splice(0, texts.length)
    .map((bytes, i) => ({ bytes, starts: startsOfTexts[i]! })).reverse();
  const [keptStarts, keptPlaces, keptSuffixes] = kept;
  return {
    records: bytesOfRecords,
    fragments: fragments.reverse(),
    words: words!,
    starts: toNumbers(keptStarts!),
    places: toNumbers(keptPlaces!),
    suffixes: toShorts(keptSuffixes!),
    counted,
  };
}

/** Parts with records, at most: their locations are 32-bit numbers. */
const MAX_PARTS = 2 ** 32 / PART_BYTES;

/**
 * Allocates memory for parts at once: a block of this size is returned to the
 * system when it is freed, which many small ones would not be.
 */
function allocateParts(count: number, allocate: Allocate): Uint8Array {
  try {
    if (Number.isInteger(count) && count >= 0 && count <= MAX_PARTS) {
      return new Uint8Array(allocate(count * PART_BYTES));
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

const SEPARATOR_BYTE = SEPARATOR.charCodeAt(0);

/** Returns the bytes of the starts of texts, and of one more. */
function startsOf(bytes: Buffer): Uint8Array {
  const starts = [0];
  let end = bytes.indexOf(SEPARATOR_BYTE);
  for (; end >= 0; end = bytes.indexOf(SEPARATOR_BYTE, end + 1)) {
    starts.push(end + 1);
  }
  starts.push(bytes.length + 1);
  return new Uint8Array(Uint32Array.from(starts).buffer);
}

/** Copies arrays into one block of memory. */
function copyTogether(
  arrays: readonly Uint8Array[],
  allocate: Allocate,
): Uint8Array[] {
  const copies = allocateTogether(arrays.map(({ length }) => length), allocate);
  for (const [i, copy] of copies.entries()) copy.set(arrays[i]!);
  return copies;
}

function toNumbers({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length / 4);
}

function toShorts({ buffer, byteOffset, length }: Uint8Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, length / 2);
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

/** Texts that are decoded when they are first read. */
class TextList {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #before: string;
  readonly #decoded: (string | undefined)[];

  /** @param before Text that is prepended to each. */
  constructor({ bytes, starts }: Texts, before = "") {
    this.#bytes = toBuffer(bytes);
    this.#starts = starts;
    this.#before = before;
    this.#decoded = new Array(starts.length - 1);
  }

  at(i: number): string {
    return this.#decoded[i] ??= this.#decode(i);
  }

  #decode(i: number): string {
    const [start, next] = [this.#starts[i]!, this.#starts[i + 1]!];
    const text = this.#bytes.toString("latin1", start, next - 1);
    // V8 would keep a concatenation as references to both strings, which are
    // slower to read.
    return Buffer.from(this.#before + text, "latin1").toString("latin1");
  }
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** All records in memory. */
export class Snapshot {
  readonly #data: SnapshotData;
  /** Records, one after the other. */
  readonly #records: Buffer;
  readonly #fragments: readonly TextList[];
  readonly #words: TextList;
  /** True if the records have the fields of the CNEFE. */
  readonly #counted: boolean;
  /** Numbers of the current record, in one array for all calls. */
  readonly #numbers = new Uint32Array(NUMBERS);
  /** Bit of each field of the CNEFE that has a number in the current record. */
  #present = 0;
  /** Numbers of these fields. */
  readonly #fieldNumbers = new Uint32Array(CENSUS_FIELDS.length);

  /** @param data Data of `readSnapshot`, also of another thread. */
  constructor(data: SnapshotData) {
    this.#data = data;
    this.#records = toBuffer(data.records);
    this.#fragments = data.fragments.map((texts, i) =>
      new TextList(texts, FRAGMENT_SLOTS[i]!.before)
    );
    this.#words = new TextList(data.words);
    this.#counted = data.counted;
  }

  /** Frees its memory. No record can be found afterwards. */
  free(): void {
    const { records, starts } = this.#data;
    // All other arrays lie in one block.
    free(records, starts);
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
    const { starts, places, suffixes } = this.#data;
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
        json += this.#fragments[fragment]!.at(numbers[fragment]!);
        fragment++;
      } else {
        const end = used + numbers[FRAGMENT_FIELDS.length + text]!;
        json += before + this.#expand(texts.slice(used, end));
        used = end;
        text++;
      }
    }
    return this.#counted && this.#present > 0
      ? `${json}"${renderNumbers(this.#present, this.#fieldNumbers)}}`
      : `${json}"}`;
  }

  /**
   * Replaces the byte at the start of a text with the word that it stands for.
   */
  #expand(text: string): string {
    const byte = text.charCodeAt(0); // NaN if the text is empty
    return byte < WORDS ? this.#words.at(byte) + text.slice(1) : text;
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
