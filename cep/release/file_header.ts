/**
 * Header of a database file: origin, version and completeness.
 */
import { Buffer } from "node:buffer";
import { open, stat } from "node:fs/promises";
import { one } from "./connection.ts";
import { connectImmutable } from "./local_connection.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "./schema.ts";

/**
 * Kind of a file: a release, one that is damaged, one that an older or a newer
 * version of this program wrote, an empty file, or a file of another program.
 */
export type FileKind =
  | "release"
  | "damaged"
  | "older"
  | "newer"
  | "empty"
  | "foreign";

/** States of the files that a store cannot use. */
export const UNUSABLE: Readonly<Record<Exclude<FileKind, "release">, string>> =
  {
    empty: "it is empty",
    damaged: "it is incomplete",
    older: "it was written by an older version of this program",
    newer: "it was written by a newer version of this program",
    foreign: "it is not a database of this program",
  };

const HEADER_BYTES = 100;
/** Bytes of a file that must be zeros. */
const ZEROS_READ = 1 << 20;
const MAGIC = "SQLite format 3\0";

/**
 * Determines the kind of a file from its header (SQLite file format, section
 * 1.3) and its size.
 */
export async function readFileKind(path: string): Promise<FileKind> {
  const bytes = await readStart(path, HEADER_BYTES);
  const { size } = await stat(path);
  if (size === 0) return "empty";
  if (await isTorn(path, bytes, size)) return "damaged";
  const kind = kindOf(bytes, size);
  if (kind !== "unmarked") return kind;
  return await isFirstEdition(path) ? "older" : "foreign";
}

/**
 * Recognizes a file that a crash of the machine has left: the beginning of a
 * header, or zeros.
 */
async function isTorn(
  path: string,
  header: Buffer,
  size: number,
): Promise<boolean> {
  if (size < HEADER_BYTES) {
    const start = header.toString("latin1", 0, Math.min(size, MAGIC.length));
    return MAGIC.startsWith(start);
  }
  if (header.some((byte) => byte !== 0)) return false;
  const bytes = await readStart(path, Math.min(size, ZEROS_READ));
  return bytes.every((byte) => byte === 0);
}

function kindOf(bytes: Buffer, size: number): FileKind | "unmarked" {
  if (!bytes.toString("latin1").startsWith(MAGIC)) return "foreign";
  const pageSize = bytes.readUInt16BE(16);
  const pages = bytes.readUInt32BE(28);
  const version = bytes.readUInt32BE(60);
  const application = bytes.readUInt32BE(68);
  if (application === 0 && version <= 1) return "unmarked";
  if (application !== APPLICATION_ID) return "foreign";
  if (version > SCHEMA_VERSION) return "newer";
  if (version < SCHEMA_VERSION) return "older";
  // The value 1 stands for a page size of 65,536.
  const expectedSize = pages * (pageSize === 1 ? 65_536 : pageSize);
  return size === expectedSize ? "release" : "damaged";
}

/**
 * Recognizes a database of the first edition, which has no application id, by
 * its tables. Opens nothing for writing, not even a log, because the file may
 * belong to another program.
 */
async function isFirstEdition(path: string): Promise<boolean> {
  return await hasFirstTables(path) || await logsFirstTables(`${path}-wal`);
}

async function hasFirstTables(path: string): Promise<boolean> {
  const connection = await connectImmutable(path);
  try {
    const found = await one<number>(
      connection,
      `SELECT count(*) FROM sqlite_master WHERE type = 'table'
       AND name IN ('localidade', 'bairro', 'cep', 'cep_total', 'release')`,
    );
    return found === 5;
  } catch {
    return false;
  } finally {
    connection.close();
  }
}

/**
 * Searches the start of the write-ahead log for the tables: a small database of
 * the first edition was entirely in its log.
 */
async function logsFirstTables(path: string): Promise<boolean> {
  const bytes = await readStart(path, 1 << 16).catch(() => undefined);
  return bytes?.includes("CREATE TABLE cep_total (") ?? false;
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, 0);
    return bytes;
  } finally {
    await file.close();
  }
}
