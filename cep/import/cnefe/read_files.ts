import { setImmediate } from "node:timers/promises";
import type { FileProgress } from "./count_file.ts";
import type { FileReader } from "./file_worker.ts";
import type { CensusFile } from "./find_files.ts";
import { type FileResult, readFile } from "./read_file.ts";

/** Options of {@linkcode readFiles}. */
export interface ReadFilesOptions {
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

/** Results of files. */
export interface FileResults {
  /** In the order of the files. */
  readonly results: readonly FileResult[];
  /** Number of threads that read. */
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
