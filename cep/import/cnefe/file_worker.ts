/** Thread that reads files. The module is also the program of the thread. */
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
import { failureBehind, type SystemFailure } from "../refusal.ts";
import { CensusError } from "./census_error.ts";
import type { FileProgress } from "./count_file.ts";
import { buffersOf } from "./file_counts.ts";
import type { CensusFile } from "./find_files.ts";
import { type FileResult, readFile } from "./read_file.ts";

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
  const reader = new WorkerReader(startThread(import.meta.url, "file_worker"));
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

runInThread("file_worker", serve);
