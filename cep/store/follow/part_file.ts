/**
 * Unfinished download: a file that grows, with the SHA-256 of its content.
 */
import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, truncate } from "node:fs/promises";

/** Bytes that are read at once. */
const CHUNK_BYTES = 1_048_576;

/** File that grows. */
export class PartFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #hash: Hash = createHash("sha256");
  #size = 0;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Opens a file, which may be there from an interrupted download. */
  static async open(path: string): Promise<PartFile> {
    const flags = constants.O_RDWR | constants.O_CREAT;
    const part = new PartFile(path, await open(path, flags, 0o644));
    try {
      await part.#readExisting();
      return part;
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  async #readExisting(): Promise<void> {
    const chunk = new Uint8Array(CHUNK_BYTES);
    while (true) {
      const { bytesRead } = await this.#handle.read(
        chunk,
        0,
        CHUNK_BYTES,
        this.#size,
      );
      if (bytesRead === 0) return;
      this.#hash.update(chunk.subarray(0, bytesRead));
      this.#size += bytesRead;
    }
  }

  /** Number of bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** SHA-256 of the content, as hexadecimal digits. */
  get sha256(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Appends a chunk. */
  async append(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    let written = 0;
    while (written < chunk.length) {
      const { bytesWritten } = await this.#handle.write(
        chunk,
        written,
        chunk.length - written,
        this.#size,
      );
      written += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  /** Removes the content, and frees its space on the disk. */
  async clear(): Promise<void> {
    await truncate(this.#path, 0);
    this.#hash = createHash("sha256");
    this.#size = 0;
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#handle.close();
  }
}
