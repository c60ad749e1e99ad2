import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { freePart } from "../util/free.ts";
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
  PREFIXES,
  SEPARATOR,
  type SnapshotHeader,
} from "./snapshot_layout.ts";

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
