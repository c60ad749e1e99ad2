import type { Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { reasonOf } from "../../util/reason_of.ts";
import { abortable, readAtMost } from "./bounded_reading.ts";
import { MAX_MANIFEST_BYTES } from "./manifest.ts";
import type { ManifestAddress } from "./release_url.ts";
import {
  type FilePart,
  type ManifestText,
  type OpenOptions,
  type ReleaseSource,
  SourceError,
} from "./source.ts";

/** Bytes that are read at once. */
const CHUNK_BYTES = 262_144;

/** Functions of the file system, which tests replace. */
export interface Files {
  readonly stat: (path: string) => Promise<Pick<Stats, "isFile">>;
  readonly open: (path: string) => Promise<OpenFile>;
}

/** Open file. */
export interface OpenFile {
  readonly stat: () => Promise<Pick<Stats, "size">>;
  readonly read: (
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number }>;
  readonly close: () => Promise<void>;
}

/**
 * Releases in a folder. On Node, an operation on a mount that hangs occupies one
 * of a few threads of the process until it ends: while one is pending, no other
 * is started.
 */
export class FolderSource implements ReleaseSource {
  readonly shown: string;
  readonly #manifest: string;
  readonly #files: Files;
  /** Resolves after an operation that has not been awaited to its end. */
  #pending: Promise<void> | undefined;

  constructor({ url, shown }: ManifestAddress, files: Files = { stat, open }) {
    this.shown = shown;
    this.#manifest = fileURLToPath(url);
    this.#files = files;
  }

  async readManifest(
    _etag: string | undefined,
    signal: AbortSignal,
  ): Promise<ManifestText> {
    const { chunks } = await this.#readFrom(this.#manifest, 0, signal);
    return {
      text: await readAtMost(MAX_MANIFEST_BYTES, chunks),
      etag: undefined,
    };
  }

  open(name: string, { start, signal }: OpenOptions): Promise<FilePart> {
    const path = join(dirname(this.#manifest), name);
    return this.#readFrom(path, start, signal);
  }

  async #readFrom(
    path: string,
    start: number,
    signal: AbortSignal,
  ): Promise<FilePart> {
    // To open a pipe would wait for its writer.
    const found = await this.#call(() => this.#files.stat(path), signal);
    if (!found.isFile()) throw new SourceError("it is not a file");
    const file = await this.#open(path, signal);
    try {
      const { size } = await this.#call(() => file.stat(), signal);
      const first = start <= size ? start : 0;
      return {
        start: first,
        size,
        etag: undefined,
        chunks: this.#chunks(file, first, signal),
        cancel: () => this.#close(file, signal),
      };
    } catch (error) {
      await this.#close(file, signal);
      throw error;
    }
  }

  async #open(path: string, signal: AbortSignal): Promise<OpenFile> {
    let opening: Promise<OpenFile> | undefined;
    try {
      return await this.#call(() => opening = this.#files.open(path), signal);
    } catch (error) {
      // It may still end after the signal.
      if (opening !== undefined) {
        this.#leave(opening.then((file) => file.close()));
      }
      throw error;
    }
  }

  async *#chunks(
    file: OpenFile,
    start: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    let position = start;
    try {
      while (true) {
        const chunk = new Uint8Array(CHUNK_BYTES);
        const { bytesRead } = await this.#call(
          () => file.read(chunk, 0, CHUNK_BYTES, position),
          signal,
        );
        if (bytesRead === 0) return;
        position += bytesRead;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await this.#close(file, signal);
    }
  }

  /** Closes a file, after an operation that is still pending. */
  async #close(file: OpenFile, signal: AbortSignal): Promise<void> {
    const closed = (this.#pending ?? Promise.resolve())
      .then(() => file.close());
    this.#leave(closed);
    await abortable(closed, signal).catch(() => {});
  }

  /** Awaits an operation until the signal. */
  async #call<T>(
    operation: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.#pending !== undefined) {
      throw new SourceError(
        "the file system has not completed an earlier operation",
      );
    }
    const result = operation();
    try {
      return await abortable(result, signal);
    } catch (cause) {
      if (signal.aborted) {
        this.#leave(result);
        throw signal.reason;
      }
      throw new SourceError(reasonOf(cause), { cause });
    }
  }

  /** Starts no other operation until this one has ended. */
  #leave(operation: Promise<unknown>): void {
    const ended = operation.then(() => {}, () => {}).then(() => {
      if (this.#pending === ended) this.#pending = undefined;
    });
    this.#pending = ended;
  }
}
