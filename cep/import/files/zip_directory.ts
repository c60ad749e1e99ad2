/**
 * Checks of the directory at the end of a zip file against the rest of it: with
 * damage, a member would be missing without notice.
 */
// @ts-types="@types/yauzl"
import type { Entry, ZipFile } from "yauzl";
import { type Bytes, readAt } from "./bytes.ts";

/** Signature of the header before a member. */
const LOCAL_HEADER = 0x04034B50;

/** Length of the header before a member, up to its name. */
const LOCAL_HEADER_BYTES = 30;

/** Position of the length of the name in the header before a member. */
const NAME_LENGTH = 26;

/** Signature of a member in the directory. */
const DIRECTORY_HEADER = 0x02014B50;

/**
 * Refuses a member that has another name in its own header. A member without a
 * header is refused when it is read.
 *
 * @throws {Error} If the names differ.
 */
export async function requireLocalName(
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
export async function requireEndOfDirectory(
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
