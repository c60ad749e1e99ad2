/**
 * Reading of files in threads. The module is also the program of the threads.
 */
import { setImmediate } from "node:timers/promises";
import type { MessagePort, Worker } from "node:worker_threads";
import type { Schedule } from "../../util/later.ts";
import { reasonOf } from "../../util/reason_of.ts";
import {
  awaitStart,
  runInThread,
  startThread,
  whenEnded,
} from "../../util/thread.ts";
import { CensusError, failureBehind, type SystemFailure } from "../errors.ts";
import { type FileProgress, type FileResult, readFile } from "./read_file.ts";
import { buffersOf } from "./summarize.ts";
import type { CensusFile } from "./find_files.ts";

/** Message of the thread. */
type FromThread =
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly progress: FileProgress }
  | { readonly kind: "result"; readonly result: FileResult }
  | {
    readonly kind: "error";
    readonly path: string;
    readonly problems: readonly string[];
    readonly cause: SystemFailure | undefined;
  };

/** Reader of one file at a time. */
export interface FileReader {
  /**
   * Reads a file.
   *
   * @throws {CensusError} If it cannot be used.
   */
  read(
    file: CensusFile,
    onProgress: (progress: FileProgress) => void,
  ): Promise<FileResult>;
  /** Ends the reader. A file that is being read fails. */
  close(): Promise<void>;
}

/**
 * Starts a thread that reads files.
 *
 * @param schedule Calls a function after a time.
 * @throws {Error} If no thread can be started here.
 */
export async function startFileWorker(
  schedule?: Schedule,
): Promise<FileReader> {
  const reader = new WorkerReader(startThread(import.meta.url, "read_files"));
  await awaitStart(reader, schedule);
  return reader;
}

class WorkerReader implements FileReader {
  readonly #worker: Worker;
  /** Reason why the thread has ended. */
  #end: string | undefined;
  #onMessage: (message: FromThread) => void = () => {};
  #onEnd: (reason: string) => void = () => {};

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: FromThread) => this.#onMessage(message));
    whenEnded(worker, (reason) => this.end(reason));
  }

  /** Fails what the thread was asked for, and all that it will be. */
  end(reason: string): void {
    this.#end ??= reason;
    this.#onEnd(this.#end);
  }

  /** Waits for the first message. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onMessage = () => resolve();
      this.#onEnd = (reason) => reject(new Error(reason));
      if (this.#end !== undefined) this.#onEnd(this.#end);
    });
  }

  read(
    file: CensusFile,
    onProgress: (progress: FileProgress) => void,
  ): Promise<FileResult> {
    return new Promise((resolve, reject) => {
      this.#onEnd = (reason) =>
        reject(
          new CensusError(file.path, [`its thread has ended: ${reason}`], {
            cause: { syscall: "thread" },
          }),
        );
      if (this.#end !== undefined) return this.#onEnd(this.#end);
      this.#onMessage = (message) => {
        if (message.kind === "result") resolve(message.result);
        if (message.kind === "error") {
          const { path, problems, cause } = message;
          reject(new CensusError(path, problems, { cause }));
        }
        if (message.kind !== "progress") return;
        try {
          onProgress(message.progress);
        } catch (error) {
          reject(error);
        }
      };
      this.#worker.postMessage(file);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
    // Not every runtime tells that the thread has ended.
    this.end("it was stopped");
  }
}

/** Reads the files that the main thread asks for. */
function serve(port: MessagePort): void {
  const send = (message: FromThread, buffers: ArrayBuffer[] = []) =>
    port.postMessage(message, buffers);
  port.on("message", async (file: CensusFile) => {
    try {
      const result = await readFile(file, {
        now: () => performance.now(),
        pause: () => setImmediate(),
        onProgress: (progress) => send({ kind: "progress", progress }),
      });
      send({ kind: "result", result }, buffersOf(result.counts));
    } catch (error) {
      const { path, problems } = error instanceof CensusError
        ? error
        : new CensusError(file.path, [reasonOf(error)]);
      const cause = failureBehind(error);
      send({ kind: "error", path, problems, cause });
    }
  });
  send({ kind: "ready" });
}

runInThread("read_files", serve);

interface ReadFilesOptions {
  /** Maximum number of threads. With 1, files are read in this one. */
  readonly threads: number;
  /** Bytes below which files are read in this thread: to start one costs more. */
  readonly leastBytes: number;
  /** Starts a thread. */
  readonly startReader: () => Promise<FileReader>;
  /** Called with a reason for each thread that cannot be started. */
  readonly onMissingThread: (reason: unknown) => void;
  /** Called from time to time. */
  readonly onProgress: (file: CensusFile, progress: FileProgress) => void;
  /** Called with the result of each file after it is read. */
  readonly onFile: (result: FileResult) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

interface FileResults {
  /** In the order of the files. */
  readonly results: readonly FileResult[];
  readonly threads: number;
}

/**
 * Reads files, the largest ones first, so that no thread is left with one of
 * them at the end.
 *
 * @throws {CensusError} If a file cannot be used, or its thread ends.
 */
export async function readFiles(
  files: readonly CensusFile[],
  options: ReadFilesOptions,
): Promise<FileResults> {
  const { signal, onFile, onProgress } = options;
  signal?.throwIfAborted();
  const readers = await startReaders(files, options);
  const stop = () => {
    for (const reader of readers) reader.close();
  };
  signal?.addEventListener("abort", stop);
  const results: FileResult[] = [];
  const queue = [...files.keys()]
    .sort((a, b) => files[b]!.size - files[a]!.size || a - b);
  try {
    await Promise.all(readers.map(async (reader) => {
      for (let i = queue.shift(); i !== undefined; i = queue.shift()) {
        signal?.throwIfAborted();
        const file = files[i]!;
        const result = await reader.read(
          file,
          (progress) => onProgress(file, progress),
        );
        results[i] = result;
        onFile(result);
      }
    }));
    return { results, threads: readers.length };
  } catch (error) {
    // The reason of a thread that was stopped.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    await Promise.all(readers.map((reader) => reader.close()));
  }
}

/** Starts threads, at most one per file, or reads in this thread. */
async function startReaders(
  files: readonly CensusFile[],
  options: ReadFilesOptions,
): Promise<FileReader[]> {
  const { threads, leastBytes, startReader, onMissingThread } = options;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const readers: FileReader[] = [];
  if (threads > 1 && bytes >= leastBytes) {
    const started = await Promise.allSettled(
      Array.from(
        { length: Math.min(files.length, threads) },
        () => startReader(),
      ),
    );
    for (const start of started) {
      if (start.status === "fulfilled") readers.push(start.value);
      else onMissingThread(start.reason);
    }
  }
  if (readers.length > 0) return readers;
  return [readerInThisThread(options.now, options.signal)];
}

function readerInThisThread(
  now: () => number,
  signal: AbortSignal | undefined,
): FileReader {
  return {
    read: (file, onProgress) =>
      readFile(file, {
        now,
        pause: () => setImmediate(),
        onProgress,
        signal,
      }),
    close: () => Promise.resolve(),
  };
}
