import { crc32 } from "node:zlib";
import { freePart } from "../util/free.ts";
import {
  type Allocate,
  allocateTogether,
  plainMemory,
} from "../util/memory.ts";
import {
  type ArrayName,
  INDEX_PART_BYTES,
  INDEX_VERSION,
  type IndexArrays,
  type IndexHeader,
  ITEM_BYTES,
} from "./index_layout.ts";

type NumberArray = Uint8Array | Uint16Array | Uint32Array;

/** Arrays by the bytes of an item. */
const ARRAYS: Readonly<
  Record<
    1 | 2 | 4,
    new (buffer: ArrayBufferLike, start: number, length: number) => NumberArray
  >
> = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/**
 * Reads the arrays of an index, and frees its parts.
 *
 * @throws {Error} If it is of another version or damaged.
 */
export async function readSearchIndex(
  { version, lengths, checksum }: IndexHeader,
  parts: AsyncIterable<Uint8Array>,
  allocate: Allocate = plainMemory,
): Promise<IndexArrays> {
  if (version !== INDEX_VERSION) {
    throw new Error(
      `Cannot read search index: its layout version is ${version}, ` +
        `not ${INDEX_VERSION}`,
    );
  }
  const next = parts[Symbol.asyncIterator]();
  const names = Object.keys(ITEM_BYTES) as ArrayName[];
  const memory = allocateTogether(
    names.map((name) => lengths[name] * ITEM_BYTES[name]),
    allocate,
  );
  const arrays: Partial<Record<ArrayName, NumberArray>> = {};
  let sum = 0;
  for (const [i, name] of names.entries()) {
    const bytes = memory[i]!;
    for (let start = 0; start < bytes.length; start += INDEX_PART_BYTES) {
      const part: Uint8Array = (await next.next()).value ?? new Uint8Array();
      if (part.length !== Math.min(INDEX_PART_BYTES, bytes.length - start)) {
        throw damaged();
      }
      sum = crc32(part, sum);
      bytes.set(part, start);
      freePart(part);
    }
    const Items = ARRAYS[ITEM_BYTES[name]];
    arrays[name] = new Items(bytes.buffer, bytes.byteOffset, lengths[name]);
  }
  if (sum !== checksum || !(await next.next()).done) throw damaged();
  return arrays as unknown as IndexArrays;
}

function damaged(): Error {
  return new Error("Cannot read search index: its checksum does not match");
}
