/**
 * A zip file, read where it is: nothing is written to disk.
 */
// @ts-types="@types/yauzl"
import {
  type Entry,
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  type ZipFile,
} from "yauzl";
import { Buffer } from "node:buffer";
import { crc32, createInflateRaw } from "node:zlib";
import { reasonOf } from "../../util/reason_of.ts";
import {
  type Bytes,
  bytesInMemory,
  CHUNK_BYTES,
  readAt,
  sliceOf,
} from "./bytes.ts";
import { DirectoryError } from "../errors.ts";

/** Limits of a zip file, which keep a bomb from filling memory or time. */
export interface ZipLimits {
  /**
   * Maximum number of members. The zip files of Correios have about 100.
   *
   * @default {1000}
   */
  readonly members?: number;
  /**
   * Maximum size of all members, decompressed.
   *
   * @default {4 GiB}
   */
  readonly totalBytes?: number;
}

/** Default of {@linkcode ZipLimits}. */
const MAX_MEMBERS = 1_000;

/** Default of {@linkcode ZipLimits}. */
const MAX_TOTAL_BYTES = 4 * 2 ** 30;

/**
 * Maximum ratio of the decompressed to the compressed size. The text files have
 * a ratio of about 5, the fixed-width ones of about 20.
 */
const MAX_RATIO = 100;

/** Decompressed size up to which the ratio is not checked. */
const UNCHECKED_BYTES = 16 * 2 ** 20;

/** Maximum size of a compressed zip file in a zip file, held in memory. */
const MAX_INNER_BYTES = 512 * 2 ** 20;

const STORED = 0;
const DEFLATED = 8;

/** A zip file, with its members by their paths. */
interface Zip {
  readonly path: string;
  readonly bytes: Bytes;
  readonly file: ZipFile;
  readonly members: ReadonlyMap<string, Entry>;
  readonly inner: boolean;
  readonly limits: ZipLimits;
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
  limits: ZipLimits = {},
  inner = false,
): Promise<Container> {
  try {
    const reader = new Reader(bytes);
    const file = await fromRandomAccessReaderPromise(
      reader,
      bytes.size,
      { autoClose: false },
    );
    const members = await listMembers(file, bytes, limits);
    reader.isListing = false;
    refuseBomb(bytes.size, members, limits);
    const zip = { path, bytes, file, members, inner, limits };
    return toContainer(zip, rootOf(members));
  } catch (cause) {
    const reason = `it cannot be read as a zip file: ${reasonOf(cause)}`;
    throw new DirectoryError(path, [reason], { cause });
  }
}

/** Reads the list of members at the end of the zip file. */
class Reader extends RandomAccessReader {
  readonly #bytes: Bytes;
  /** Bytes that were read last: the list has many small parts. */
  #block: { start: number; content: Buffer } = {
    start: 0,
    content: Buffer.alloc(0),
  };
  /** False after the list is read: the file may have changed since. */
  isListing = true;

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
    if (!this.isListing) {
      const found = await readAt(this.#bytes, position, length);
      buffer.set(found, offset);
      return found.length;
    }
    let { start, content } = this.#block;
    if (position < start || position + length > start + content.length) {
      start = position;
      const size = Math.max(length, CHUNK_BYTES);
      content = await readAt(this.#bytes, start, size);
      this.#block = { start, content };
    }
    const from = position - start;
    const found = content.subarray(from, from + length);
    buffer.set(found, offset);
    return found.length;
  }
}

async function listMembers(
  file: ZipFile,
  bytes: Bytes,
  { members: most = MAX_MEMBERS }: ZipLimits,
): Promise<Map<string, Entry>> {
  if (file.entryCount > most) {
    throw new Error(`it has ${file.entryCount} members, more than ${most}`);
  }
  const members = new Map<string, Entry>();
  for await (const entry of file.eachEntry()) {
    const { fileName: name } = entry;
    await requireLocalName(bytes, entry);
    // Folders, and the attributes of files that macOS adds.
    if (name.endsWith("/") || name.startsWith("__MACOSX/")) continue;
    if (members.has(name)) {
      throw new Error(`it has two members ${JSON.stringify(name)}`);
    }
    members.set(name, entry);
  }
  await requireEndOfDirectory(bytes, file);
  return members;
}

/** Refuses a zip file that is small only because it is compressed. */
function refuseBomb(
  size: number,
  members: ReadonlyMap<string, Entry>,
  { totalBytes = MAX_TOTAL_BYTES }: ZipLimits,
): void {
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
  if (total > totalBytes) {
    throw new Error(
      `it would grow to ${total} bytes, more than ${totalBytes}`,
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
  return await openZip(
    await readInner(zip, name, path),
    path,
    zip.limits,
    true,
  );
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

/** Signature of the header before a member. */
const LOCAL_HEADER = 0x04034B50;

/** Length of the header before a member, up to its name. */
const LOCAL_HEADER_BYTES = 30;

/** Position of the length of the name in the header before a member. */
const NAME_LENGTH = 26;

/** Signature of a member in the directory. */
const DIRECTORY_HEADER = 0x02014B50;

/**
 * Refuses a member that has another name in its own header: in a damaged
 * directory, a member would be missing without notice. A member without a header
 * is refused when it is read.
 *
 * @throws {Error} If the names differ.
 */
async function requireLocalName(
  bytes: Bytes,
  entry: Entry,
): Promise<void> {
  const { relativeOffsetOfLocalHeader: start, fileNameRaw: name } = entry;
  const length = LOCAL_HEADER_BYTES + name.length;
  const header = await readAt(bytes, start, length);
  if (header.length < length || header.readUInt32LE(0) !== LOCAL_HEADER) return;
  const isSame = header.readUInt16LE(NAME_LENGTH) === name.length &&
    header.subarray(LOCAL_HEADER_BYTES).equals(name);
  if (isSame) return;
  throw new Error(
    `its directory is damaged: the member ${JSON.stringify(entry.fileName)} ` +
      "has another name in its own header",
  );
}

/**
 * Refuses a directory with more members than its end says.
 *
 * @throws {Error} If another member follows the last one that was read.
 */
async function requireEndOfDirectory(
  bytes: Bytes,
  file: ZipFile,
): Promise<void> {
  // Its type is a boolean by mistake.
  const next = await readAt(bytes, Number(file.readEntryCursor), 4);
  if (next.length < 4 || next.readUInt32LE(0) !== DIRECTORY_HEADER) return;
  throw new Error(
    "its directory is damaged: it has more members than the " +
      `${file.entryCount} at its end`,
  );
}

/**
 * Bytes that are passed on at once: they inflate to 16 MB at most, which are in
 * memory together.
 */
const INPUT_BYTES = 1 << 14;

/**
 * Decompresses deflated bytes (RFC 1951).
 *
 * @param size Number of bytes that are expected.
 * @throws {Error} If the bytes are damaged, or if there are more bytes than
 * expected.
 */
async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES });
  const output: Uint8Array[] = [];
  let length = 0;
  inflater.on("data", (chunk: Uint8Array) => {
    length += chunk.length;
    if (length > size) {
      inflater.destroy(
        new Error(`it contains more than the ${size} bytes in its header`),
      );
    } else {
      output.push(chunk);
    }
  });
  // Deflated bytes mark their own end, which may precede that of the input.
  const end = new Promise<void>((resolve, reject) => {
    inflater.on("end", resolve);
    inflater.on("error", reject);
  });
  // Only races look at it.
  end.catch(() => {});
  const write = (input: Uint8Array) =>
    new Promise<void>((resolve) => inflater.write(input, () => resolve()));
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += INPUT_BYTES) {
        const input = chunk.subarray(start, start + INPUT_BYTES);
        await Promise.race([write(input), end]);
        yield* output.splice(0);
      }
    }
    inflater.end();
    await end;
    yield* output.splice(0);
  } finally {
    inflater.destroy();
  }
}

/** File in a {@linkcode Container}. */
export interface SourceFile {
  /** Name as written, without its folder. */
  readonly name: string;
  /**
   * Returns the size in bytes, of a compressed file the uncompressed one.
   *
   * @throws {Error} If the file cannot be read, e.g. because it is encrypted.
   */
  measure(): Promise<number>;
  /**
   * Reads the content. A chunk is valid until the next one is read.
   *
   * @throws {Error} While reading, if the file is damaged.
   */
  read(): AsyncIterable<Uint8Array>;
}

/** Folder on disk or in a zip file. */
export interface Container {
  /** Path for messages. Within a zip file, it begins with that of the zip. */
  readonly path: string;
  /** Names of the files and folders in it. */
  readonly names: readonly string[];
  file(name: string): SourceFile;
  openFolder(name: string): Promise<Container>;
  openZip(name: string): Promise<Container>;
}
