/**
 * A zip file, read where it is: nothing is written to disk.
 *
 * @module
 */
// @ts-types="@types/yauzl"
import {
  type Entry,
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  type ZipFile,
} from "yauzl";
import type { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { reasonOf } from "../reason_of.ts";
import { type Bytes, bytesInMemory, sliceOf } from "./bytes.ts";
import type { Container, SourceFile } from "./container.ts";
import { DirectoryError } from "./directory_error.ts";
import { inflate } from "./inflate.ts";

/** Maximum number of members. The zip files of Correios have about 100. */
export const MAX_MEMBERS = 1_000;

/** Maximum size of all members of a zip file, decompressed. */
export const MAX_TOTAL_BYTES = 4 * 2 ** 30;

/**
 * Maximum ratio of the decompressed to the compressed size. The text files have
 * a ratio of about 5, the fixed-width ones of about 20.
 */
export const MAX_RATIO = 100;

/** Decompressed size up to which the ratio is not checked. */
export const UNCHECKED_BYTES = 16 * 2 ** 20;

/** Maximum size of a compressed zip file in a zip file, held in memory. */
export const MAX_INNER_BYTES = 512 * 2 ** 20;

const STORED = 0;
const DEFLATED = 8;

/** A zip file, with its members by their paths. */
interface Zip {
  readonly path: string;
  readonly bytes: Bytes;
  readonly file: ZipFile;
  readonly members: ReadonlyMap<string, Entry>;
  /** True for a zip file in a zip file. */
  readonly inner: boolean;
}

/**
 * Opens a zip file. A folder that contains all members is left out of paths,
 * unless it is `Delimitado`.
 *
 * @param path Path for messages.
 * @throws {DirectoryError} If it is damaged or a zip bomb, if it has too many
 * members, or if paths of members are absolute, climbing or duplicate.
 */
export async function openZip(
  bytes: Bytes,
  path: string,
  inner = false,
): Promise<Container> {
  try {
    const file = await fromRandomAccessReaderPromise(
      new Reader(bytes),
      bytes.size,
      { autoClose: false },
    );
    const members = await listMembers(file);
    refuseBomb(bytes.size, members);
    return toContainer({ path, bytes, file, members, inner }, rootOf(members));
  } catch (cause) {
    const reason = `it cannot be read as a zip file: ${reasonOf(cause)}`;
    throw new DirectoryError(path, [reason], { cause });
  }
}

/** Reads the list of members at the end of the zip file. */
class Reader extends RandomAccessReader {
  readonly #bytes: Bytes;

  constructor(bytes: Bytes) {
    super();
    this.#bytes = bytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, length?: number) => void,
  ): void {
    this.#read(buffer, offset, length, position)
      .then((length) => callback(null, length), callback);
  }

  async #read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<number> {
    const end = Math.min(position + length, this.#bytes.size);
    if (position >= end) return 0;
    let target = offset;
    for await (const chunk of this.#bytes.read(position, end)) {
      buffer.set(chunk, target);
      target += chunk.length;
    }
    return target - offset;
  }
}

async function listMembers(file: ZipFile): Promise<Map<string, Entry>> {
  if (file.entryCount > MAX_MEMBERS) {
    throw new Error(
      `it has ${file.entryCount} members, more than ${MAX_MEMBERS}`,
    );
  }
  const members = new Map<string, Entry>();
  for await (const entry of file.eachEntry()) {
    const { fileName: name } = entry;
    // Folders, and the attributes of files that macOS adds.
    if (name.endsWith("/") || name.startsWith("__MACOSX/")) continue;
    if (members.has(name)) {
      throw new Error(`it has two members ${JSON.stringify(name)}`);
    }
    members.set(name, entry);
  }
  return members;
}

/** Refuses a zip file that is small only because it is compressed. */
function refuseBomb(size: number, members: ReadonlyMap<string, Entry>): void {
  let total = 0;
  for (const [name, { compressedSize, uncompressedSize }] of members) {
    total += uncompressedSize;
    requireRatio(`its member ${JSON.stringify(name)}`, {
      from: compressedSize,
      to: uncompressedSize,
    });
  }
  // Members may share their compressed bytes.
  requireRatio("it", { from: size, to: total });
  if (total > MAX_TOTAL_BYTES) {
    throw new Error(
      `it would grow to ${total} bytes, more than ${MAX_TOTAL_BYTES}`,
    );
  }
}

function requireRatio(
  subject: string,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (to <= UNCHECKED_BYTES || to <= from * MAX_RATIO) return;
  throw new Error(
    `${subject} would grow from ${from} to ${to} bytes, more than ` +
      `${MAX_RATIO} times`,
  );
}

/** Returns the folder that contains all members, with a slash, or `""`. */
function rootOf(members: ReadonlyMap<string, Entry>): string {
  const [first = "", ...others] = members.keys();
  const folder = first.slice(0, first.indexOf("/") + 1);
  return folder.toLowerCase() !== "delimitado/" &&
      others.every((name) => name.startsWith(folder))
    ? folder
    : "";
}

/** @param folder Path of the folder in the zip file, with a slash, or `""`. */
function toContainer(zip: Zip, folder: string): Container {
  const names = [...zip.members.keys()]
    .filter((name) => name.startsWith(folder))
    .map((name) => name.slice(folder.length).split("/", 1)[0]!);
  const path = `${zip.path}/${folder}`.slice(0, -1);
  return {
    path,
    names: [...new Set(names)],
    file: (name) => toFile(zip, name, zip.members.get(folder + name)),
    openFolder: (name) =>
      Promise.resolve(toContainer(zip, `${folder}${name}/`)),
    openZip: (name) => openInner(zip, folder + name),
  };
}

function toFile(
  zip: Zip,
  name: string,
  entry: Entry | undefined,
): SourceFile {
  return {
    name,
    // deno-lint-ignore require-await
    async measure() {
      return requireReadable(entry).uncompressedSize;
    },
    read: () => readMember(zip, requireReadable(entry)),
  };
}

function requireReadable(entry: Entry | undefined): Entry {
  if (entry === undefined) throw new Error("it is not a file");
  if (entry.isEncrypted()) throw new Error("it is encrypted");
  const { compressionMethod: method } = entry;
  if (method !== STORED && method !== DEFLATED) {
    throw new Error(
      `its compression method ${method} is not supported, only deflate is`,
    );
  }
  return entry;
}

/** Reads a member, and checks its size and CRC-32. */
async function* readMember(
  zip: Zip,
  entry: Entry,
): AsyncGenerator<Uint8Array> {
  const packed = await locate(zip, entry);
  const stored = packed.read(0, packed.size);
  const { compressionMethod: method, uncompressedSize: size } = entry;
  const content = method === STORED ? stored : inflate(stored, size);
  let length = 0;
  let checksum = 0;
  for await (const chunk of content) {
    length += chunk.length;
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (length !== size) {
    throw new Error(
      `it contains ${length} bytes instead of the ${size} in its header`,
    );
  }
  if (checksum !== entry.crc32) {
    throw new Error(
      `it is damaged: its CRC-32 is ${hex(checksum)} instead of ` +
        hex(entry.crc32),
    );
  }
}

/** Finds the bytes of a member in the zip file. */
async function locate({ bytes, file }: Zip, entry: Entry): Promise<Bytes> {
  const { fileDataStart: start } = await file.readLocalFileHeaderPromise(
    entry,
    { minimal: true },
  );
  return sliceOf(bytes, start, start + entry.compressedSize);
}

function hex(number: number): string {
  return number.toString(16).padStart(8, "0");
}

/**
 * Opens a zip file in a zip file: where it is if it is stored, in memory if it
 * is compressed.
 */
async function openInner(zip: Zip, name: string): Promise<Container> {
  const path = `${zip.path}/${name}`;
  return await openZip(await readInner(zip, name, path), path, true);
}

async function readInner(
  zip: Zip,
  name: string,
  path: string,
): Promise<Bytes> {
  try {
    if (zip.inner) {
      throw new Error(
        "it is a zip file in a zip file in a zip file; extract the outer one",
      );
    }
    const entry = requireReadable(zip.members.get(name));
    if (entry.compressionMethod === STORED) return await locate(zip, entry);
    const { uncompressedSize: size } = entry;
    if (size > MAX_INNER_BYTES) {
      throw new Error(
        `it is compressed, and its ${size} bytes do not fit into memory ` +
          `(${MAX_INNER_BYTES}); extract it`,
      );
    }
    const content = new Uint8Array(size);
    let length = 0;
    for await (const chunk of readMember(zip, entry)) {
      content.set(chunk, length);
      length += chunk.length;
    }
    return bytesInMemory(content);
  } catch (cause) {
    throw new DirectoryError(path, [reasonOf(cause)], { cause });
  }
}
