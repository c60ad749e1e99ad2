/**
 * The first bytes of a database file: whose it is, and whether it is whole.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { open, stat } from "node:fs/promises";
import { connectImmutable, one } from "./driver.ts";
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

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

/**
 * Reads what a file is from its header (SQLite file format, section 1.3) and
 * its size.
 */
export async function readFileKind(path: string): Promise<FileKind> {
  const bytes = await readStart(path, HEADER_BYTES);
  const { size } = await stat(path);
  if (size === 0) return "empty";
  const kind = kindOf(bytes, size);
  if (kind !== "unmarked") return kind;
  return await isFirstEdition(path) ? "older" : "foreign";
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
  // A page size of 65,536 is written as 1.
  const whole = pages * (pageSize === 1 ? 65_536 : pageSize);
  return whole === size ? "release" : "damaged";
}

/**
 * The first edition did not mark its files; its tables tell. Nothing is opened
 * for writing, not even a log: the file may be somebody else's.
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
 * A small database of the first edition was all in its write-ahead log, which
 * then begins with the making of the tables.
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
