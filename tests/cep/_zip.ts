/** Zip files, whole and damaged. */
import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** Fields in the headers of a member. */
export interface Fields {
  /** Flags: 1 encrypted, 0x800 name in UTF-8. */
  readonly flags: number;
  /** Compression method: 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Position of the member in the zip file. */
  readonly position: number;
}

/** Member of a zip file. */
export interface Member {
  readonly name: string;
  readonly content: Uint8Array;
  /**
   * Stores the content instead of deflating it.
   *
   * @default {false}
   */
  readonly stored?: boolean;
  /** Fields of its headers that do not have their true values. */
  readonly fields?: Partial<Fields>;
}

/** Options of {@linkcode zip}. */
export interface ZipOptions {
  /**
   * Writes sizes and positions of 64 bits.
   *
   * @default {false}
   */
  readonly zip64?: boolean;
  /** Number of members at the end of the zip file. */
  readonly count?: number;
  /**
   * Bytes before the first member, which are not returned.
   *
   * @default {0}
   */
  readonly before?: number;
}

const NONE = 0xFFFFFFFF;

/** Returns a zip file. */
export function zip(
  members: readonly Member[],
  { zip64 = false, count, before = 0 }: ZipOptions = {},
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let position = before;
  const add = (...added: Uint8Array[]) => {
    parts.push(...added);
    position += lengthOf(added);
  };
  for (const member of members) {
    const name = Buffer.from(member.name);
    const { content, stored = false } = member;
    const packed = stored ? content : deflateRawSync(content);
    const fields: Fields = {
      flags: 0x800,
      method: stored ? 0 : 8,
      crc: crc32(content),
      packed: packed.length,
      size: content.length,
      position,
      ...member.fields,
    };
    add(header(0x04034B50, fields, name, zip64), name);
    if (zip64) add(extra([fields.size, fields.packed]));
    add(packed);
    directory.push(header(0x02014B50, fields, name, zip64), name);
    if (zip64) {
      directory.push(extra([fields.size, fields.packed, fields.position]));
    }
  }
  const total = count ?? members.length;
  const start = position;
  const size = lengthOf(directory);
  add(...directory);
  if (zip64) {
    add(
      bytes(
        56,
        [0x06064B50, 4],
        [44, 8],
        [45, 2],
        [45, 2],
        [0, 4],
        [0, 4],
        [
          total,
          8,
        ],
        [total, 8],
        [size, 8],
        [start, 8],
      ),
      bytes(20, [0x07064B50, 4], [0, 4], [start + size, 8], [1, 4]),
    );
  }
  add(
    bytes(
      22,
      [0x06054B50, 4],
      [0, 2],
      [0, 2],
      [Math.min(total, 0xFFFF), 2],
      [Math.min(total, 0xFFFF), 2],
      [zip64 ? NONE : size, 4],
      [zip64 ? NONE : start, 4],
      [0, 2],
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

/** Header of a member, before it or in the directory at the end. */
function header(
  signature: 0x04034B50 | 0x02014B50,
  { flags, method, crc, packed, size, position }: Fields,
  { length }: Uint8Array,
  zip64: boolean,
): Uint8Array {
  const extraLength = zip64 ? (signature === 0x04034B50 ? 20 : 28) : 0;
  const common: [number, number][] = [
    [45, 2],
    [flags, 2],
    [method, 2],
    [0, 4],
    [crc, 4],
    [zip64 ? NONE : packed, 4],
    [zip64 ? NONE : size, 4],
    [length, 2],
    [extraLength, 2],
  ];
  return signature === 0x04034B50
    ? bytes(30, [signature, 4], ...common)
    : bytes(
      46,
      [signature, 4],
      [45, 2],
      ...common,
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [zip64 ? NONE : position, 4],
    );
}

/** Extra field of ZIP64. */
function extra(numbers: readonly number[]): Uint8Array {
  const values = numbers.map((number): [number, number] => [number, 8]);
  const size = numbers.length * 8;
  return bytes(size + 4, [1, 2], [size, 2], ...values);
}

/** Writes numbers, each with its number of bytes, in little endian. */
function bytes(
  length: number,
  ...values: readonly (readonly [number, number])[]
): Uint8Array {
  const buffer = Buffer.alloc(length);
  let at = 0;
  for (const [value, size] of values) {
    if (size === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, size);
    at += size;
  }
  if (at !== length) throw new RangeError(`Cannot fill ${length} bytes: ${at}`);
  return buffer;
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
