/**
 * Thread that writes a database. The module is also the program of the thread.
 */
import type { MessagePort, Worker } from "node:worker_threads";
import type { Schedule } from "../util/later.ts";
import { reasonOf } from "../util/reason_of.ts";
import {
  awaitStart,
  runInThread,
  startThread,
  whenEnded,
} from "../util/thread.ts";
import type { Value } from "./connection.ts";
import {
  type DatabaseStatement,
  loadDrivers,
  type LocalDatabase,
  openDirect,
  refuseToBlock,
} from "./local_driver.ts";
import type { Allocate, RowBytes } from "./row_batch.ts";

/**
 * Bytes in shared memory. It has no array: Deno visits each of its items, if it
 * is sent to a thread.
 */
interface SharedBytes {
  readonly memory: SharedArrayBuffer;
  readonly length: number;
}

/** Call of the main thread. */
type Call =
  | { readonly kind: "start" | "close" }
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "exec"; readonly sql: string }
  | {
    readonly kind: "all";
    readonly sql: string;
    readonly values: readonly Value[];
    /** Bytes that follow the values. */
    readonly bytes?: SharedBytes | undefined;
  }
  | { readonly kind: "insert"; readonly into: string; readonly rows: RowBytes };

/** Answer to the first call that has none. */
type Answer =
  | { readonly rows: Value[][] }
  | { readonly reason: string };

/**
 * Starts a thread that can write a database.
 *
 * @param schedule Calls a function after a time.
 * @throws {Error} If no thread can be started here.
 */
export async function startDatabaseThread(
  schedule?: Schedule,
): Promise<DatabaseThread> {
  const thread = new DatabaseThread(
    startThread(import.meta.url, "database_thread"),
  );
  await awaitStart(thread, schedule);
  return thread;
}

/** Waits for an answer. */
interface Waiting {
  readonly resolve: (rows: Value[][]) => void;
  readonly reject: (error: Error) => void;
}

/** Database that a thread of its own writes. */
export class DatabaseThread implements LocalDatabase {
  readonly #worker: Worker;
  /** Calls without an answer, in order. */
  readonly #waiting: Waiting[] = [];
  /** Memory of the bytes of a statement. */
  #memory = new SharedArrayBuffer(0);
  /** Reason why the thread has ended. */
  #end: string | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: Answer) => this.#settle(answer));
    whenEnded(worker, (reason) => this.end(reason));
  }

  /** Fails what the thread was asked for, and all that it will be. */
  end(reason: string): void {
    this.#end ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended());
  }

  #ended(): Error {
    return new Error(`the thread that writes has ended: ${this.#end}`);
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.shift();
    if ("reason" in answer) waiting?.reject(new Error(answer.reason));
    else waiting?.resolve(answer.rows);
  }

  /** Asks the thread for something, after all that it was asked for before. */
  #call(call: Call): Promise<Value[][]> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#ended());
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(call);
    });
  }

  /** Waits until the thread runs. */
  async start(): Promise<void> {
    await this.#call({ kind: "start" });
  }

  /** Opens or creates a file. */
  async open(path: string): Promise<void> {
    await this.#call({ kind: "open", path });
  }

  async exec(sql: string): Promise<void> {
    await this.#call({ kind: "exec", sql });
  }

  prepare(sql: string): DatabaseStatement {
    return {
      get: refuseToBlock,
      all: (values) => {
        const bytes = values.at(-1);
        return bytes instanceof Uint8Array
          ? this.#call({
            kind: "all",
            sql,
            values: values.slice(0, -1),
            bytes: this.#share(bytes),
          })
          : this.#call({ kind: "all", sql, values });
      },
    };
  }

  /** Copies bytes into the memory of those of the last statement. */
  #share(bytes: Uint8Array): SharedBytes {
    const { length } = bytes;
    if (this.#memory.byteLength < length) {
      this.#memory = new SharedArrayBuffer(length);
    }
    new Uint8Array(this.#memory).set(bytes);
    return { memory: this.#memory, length };
  }

  readonly allocate: Allocate = (bytes) => new SharedArrayBuffer(bytes);

  async insert(into: string, rows: RowBytes): Promise<void> {
    await this.#call({ kind: "insert", into, rows });
  }

  async shrink(): Promise<void> {
    await this.exec("PRAGMA shrink_memory");
  }

  async close(): Promise<void> {
    await this.#call({ kind: "close" }).catch(() => {});
    await this.#worker.terminate();
    // Not every runtime tells that the thread has ended.
    this.end("it was stopped");
  }
}

/** Runs the calls of the main thread, one after another. */
function serve(port: MessagePort): void {
  let database: LocalDatabase | undefined;
  const valuesOf = valueReader();
  const run = async (call: Call): Promise<Value[][]> => {
    switch (call.kind) {
      case "start":
        return [];
      case "open":
        database = openDirect(call.path, await loadDrivers());
        return [];
      case "close":
        await database?.close();
        return [];
      case "exec":
        await database!.exec(call.sql);
        return [];
      case "all":
        return await database!.prepare(call.sql).all(valuesOf(call));
      case "insert":
        await database!.insert(call.into, call.rows);
        return [];
    }
  };
  let turns: Promise<void> = Promise.resolve();
  port.on("message", (call: Call) => {
    turns = turns.then(() => run(call)).then(
      (rows): Answer => ({ rows }),
      (error): Answer => ({ reason: reasonOf(error) }),
    ).then((answer) => port.postMessage(answer));
  });
}

/** Returns a function that reads the values of a call. */
function valueReader() {
  let copy = new Uint8Array(0);
  return (
    { values, bytes }: Extract<Call, { readonly kind: "all" }>,
  ): readonly Value[] => {
    if (bytes === undefined) return values;
    // The driver does not read shared memory, and copies what it binds.
    const { memory, length } = bytes;
    if (copy.length < length) copy = new Uint8Array(length);
    copy.set(new Uint8Array(memory, 0, length));
    return [...values, copy.subarray(0, length)];
  };
}

runInThread("database_thread", serve);
