import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, truncate } from "node:fs/promises";
import { abortable, ProgressWatch } from "./bounded_reading.ts";
import { UnusableRelease } from "./follower.ts";
import type { ReleaseManifest } from "./manifest.ts";
import { type ReleaseSource, SourceError } from "./source.ts";

/** Options of {@linkcode download}. */
export interface DownloadOptions {
  /** Folder of releases. */
  readonly source: Pick<ReleaseSource, "open">;
  /** File to download. */
  readonly manifest: Pick<ReleaseManifest, "file" | "bytes" | "sha256">;
  /** Path of the unfinished file, which stays after a failure. */
  readonly path: string;
  /** Ends the download. */
  readonly signal: AbortSignal;
  /** Milliseconds within which 1 MiB must arrive. */
  readonly stallMs: number;
  /** Validators of unfinished files, by their SHA-256. */
  readonly etags: Map<string, string | undefined>;
}

/**
 * Downloads a file, and compares its size and SHA-256 with the manifest.
 *
 * @throws {SourceError} If it cannot be read to its end.
 * @throws {UnusableRelease} If it is not the file of the manifest.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const part = await PartFile.open(options.path);
  try {
    await fill(part, options);
  } finally {
    await part.close();
  }
}

async function fill(part: PartFile, options: DownloadOptions): Promise<void> {
  if (part.size > options.manifest.bytes) await part.clear();
  const isContinued = part.size > 0;
  if (await complete(part, options)) return;
  // Its beginning may be of another file.
  await part.clear();
  if (isContinued && await complete(part, options)) return;
  await part.clear();
  throw new UnusableRelease(
    `the SHA-256 of ${options.manifest.file} is not that of the manifest`,
  );
}

/** Reads the rest of a file. Returns true if it is that of the manifest. */
async function complete(
  part: PartFile,
  options: DownloadOptions,
): Promise<boolean> {
  if (part.size < options.manifest.bytes) {
    const watch = new ProgressWatch(options.stallMs, options.signal);
    try {
      await readRest(part, options, watch);
    } finally {
      watch.stop();
    }
  }
  return part.sha256 === options.manifest.sha256;
}

async function readRest(
  part: PartFile,
  { source, manifest, etags }: DownloadOptions,
  watch: ProgressWatch,
): Promise<void> {
  const { start, size, etag, chunks, cancel } = await abortable(
    source.open(manifest.file, {
      start: part.size,
      etag: etags.get(manifest.sha256),
      signal: watch.signal,
    }),
    watch.signal,
  );
  if (size !== undefined && size !== manifest.bytes) {
    await cancel();
    throw new SourceError(
      `it has ${size} bytes, but the manifest says ${manifest.bytes}`,
    );
  }
  if (start !== part.size) await part.clear();
  etags.clear();
  etags.set(manifest.sha256, etag);
  for await (const chunk of chunks) {
    if (part.size + chunk.length > manifest.bytes) {
      await part.clear();
      throw new UnusableRelease(
        `${manifest.file} has more than the ${manifest.bytes} bytes of the ` +
          "manifest",
      );
    }
    await part.append(chunk);
    watch.add(chunk.length);
  }
  if (part.size < manifest.bytes) {
    throw new UnusableRelease(
      `${manifest.file} has less than the ${manifest.bytes} bytes of the ` +
        "manifest",
    );
  }
}

/** Bytes that are read at once. */
const CHUNK_BYTES = 1_048_576;

/** Unfinished download: a file that grows, with the SHA-256 of its content. */
class PartFile {
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
