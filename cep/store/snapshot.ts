/**
 * The snapshot of all records, from which any code is answered without a query.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import {
  addToChecksum,
  FRAGMENT_FIELDS,
  LAYOUT_VERSION,
  PART_BYTES,
  PIECES,
  PREFIXES,
  SEPARATOR,
  type SnapshotHeader,
  TEXT_FIELDS,
  WORDS,
} from "./snapshot_layout.ts";

/** A snapshot that cannot be used: of another version, or damaged. */
export class SnapshotError extends Error {
  /** Always `SnapshotError`. */
  override readonly name = "SnapshotError";
}

/**
 * Reads a snapshot. It keeps the parts as they are.
 *
 * @throws {SnapshotError} If it is of another version or damaged.
 */
export async function readSnapshot(
  { version, records, recordParts, checksum }: SnapshotHeader,
  parts: AsyncIterable<Uint8Array>,
): Promise<Snapshot> {
  if (version !== LAYOUT_VERSION) {
    throw new SnapshotError(
      `Cannot read snapshot: its layout is version ${version}, ` +
        `this program knows ${LAYOUT_VERSION}`,
    );
  }
  let sum = 0;
  const buffers: Buffer[] = [];
  for await (const part of parts) {
    sum = addToChecksum(sum, part);
    buffers.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  }
  if (sum !== checksum) {
    throw new SnapshotError("Cannot read snapshot: its checksum is wrong");
  }
  const fragments: string[][] = [];
  const columns = buffers.splice(recordParts, FRAGMENT_FIELDS.length);
  for (const [i, bytes] of columns.entries()) {
    await setImmediate(); // The server answers in between.
    fragments.push(toTexts(bytes, FRAGMENT_SLOTS[i]!.before));
  }
  await setImmediate();
  const words = buffers.splice(recordParts, 1)
    .flatMap((bytes) => toTexts(bytes, ""));
  const [starts, places, suffixes, ...more] = buffers.splice(recordParts);
  if (
    starts?.length !== 4 * (PREFIXES + 1) || places?.length !== 4 * records ||
    suffixes?.length !== 2 * records || more.length > 0
  ) {
    throw new SnapshotError(
      "Cannot read snapshot: its parts are not those of its header",
    );
  }
  return new Snapshot(buffers, fragments, words, {
    starts: new Uint32Array(copyOf(starts)),
    places: new Uint32Array(copyOf(places)),
    suffixes: new Uint16Array(copyOf(suffixes)),
  });
}

/**
 * The texts of a part, each after the same one. They are made from bytes one by
 * one: a part of a large string, or two strings put together, would lie apart
 * from its characters, which takes time whenever it is read.
 */
function toTexts(bytes: Buffer, before: string): string[] {
  return bytes.toString("latin1").split(SEPARATOR).map((text) =>
    Buffer.from(before + text, "latin1").toString("latin1")
  );
}

/** The same bytes, aligned for an array of numbers. */
function copyOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** Index of the records by their code. */
interface Index {
  /** For each five-digit prefix the index of its first code, and the end. */
  readonly starts: Uint32Array;
  /** Place of the record of each code. */
  readonly places: Uint32Array;
  /** The last three digits of each code. */
  readonly suffixes: Uint16Array;
}

/** Numbers of the fragments and lengths of the texts, before each record. */
const NUMBERS = FRAGMENT_FIELDS.length + TEXT_FIELDS.length;

/** A piece of the JSON text, after the text that stands before it. */
interface Slot {
  readonly before: string;
  readonly kind: "code" | "text" | "fragment";
}

const SLOTS: readonly Slot[] = PIECES.map(({ kind, fields }, i) => ({
  before: `${i === 0 ? "{" : '",'}"${fields[0]}":"`,
  kind,
}));

const FRAGMENT_SLOTS = SLOTS.filter(({ kind }) => kind === "fragment");

/** All records in memory. */
export class Snapshot {
  readonly #parts: readonly Buffer[];
  readonly #fragments: readonly (readonly string[])[];
  readonly #words: readonly string[];
  readonly #index: Index;
  /** The numbers of the record at hand, to make no array for each. */
  readonly #numbers = new Uint32Array(NUMBERS);

  /** Made by {@linkcode readSnapshot}. */
  constructor(
    parts: readonly Buffer[],
    fragments: readonly (readonly string[])[],
    words: readonly string[],
    index: Index,
  ) {
    this.#parts = parts;
    this.#fragments = fragments;
    this.#words = words;
    this.#index = index;
  }

  /** The record of eight digits as JSON text. */
  find(cep: string): string | undefined {
    const place = this.#locate(Number(cep));
    if (place === undefined) return undefined;
    const part = this.#parts[Math.floor(place / PART_BYTES)]!;
    return this.#render(cep, part, place % PART_BYTES);
  }

  /**
   * Finds the place of the record of a code. The search guesses the place of a suffix
   * from its value: most guesses are so near that few lines of memory are read.
   */
  #locate(code: number): number | undefined {
    const { starts, places, suffixes } = this.#index;
    const prefix = Math.floor(code / 1000);
    const suffix = code % 1000;
    let low = starts[prefix]!;
    let high = starts[prefix + 1]!;
    let least = 0; // The suffixes from low to high are at least this,
    let limit = 1000; // and below this.
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

  #render(cep: string, part: Buffer, offset: number): string {
    const numbers = this.#numbers;
    const start = this.#readNumbers(part, offset);
    let length = 0;
    for (let i = FRAGMENT_FIELDS.length; i < NUMBERS; i++) {
      length += numbers[i]!;
    }
    // One call for all texts: each costs more than the slices of its result.
    const texts = part.toString("latin1", start, start + length);
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
        json += before + this.#lengthen(texts.slice(used, end));
        used = end;
        text++;
      }
    }
    return `${json}"}`;
  }

  /** Puts the word back that a text's first byte stands for. */
  #lengthen(text: string): string {
    const byte = text.charCodeAt(0); // NaN of an empty text
    return byte < WORDS ? this.#words[byte]! + text.slice(1) : text;
  }

  /** Reads the numbers of a record, and tells where its texts begin. */
  #readNumbers(bytes: Buffer, offset: number): number {
    for (let i = 0; i < NUMBERS; i++) {
      let byte = bytes[offset++]!;
      let number = byte & 0x7F;
      for (let shift = 7; byte > 0x7F; shift += 7) {
        byte = bytes[offset++]!;
        number |= (byte & 0x7F) << shift;
      }
      this.#numbers[i] = number;
    }
    return offset;
  }
}
