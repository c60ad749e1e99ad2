import type { Row, Value } from "../release/connection.ts";
import type { RemoteStatement } from "./remote_server.ts";

/** Maximum number of statements in a request. */
const STATEMENTS = 250;

/** Maximum number of requests at a time. */
const REQUESTS = 4;

/** Server that runs statements together. */
export interface StatementServer {
  /** Runs a statement, and returns its rows. */
  query(sql: string, values: readonly Value[]): Promise<Value[][]>;
  /** Runs statements in one request, and returns the rows of each. */
  read(statements: readonly RemoteStatement[]): Promise<Value[][][]>;
  /** Returns the error of a statement that would not be sent now. */
  refusal?(): Error | undefined;
}

interface Waiting {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly resolve: (row: Row) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers statements of one row each: those of one task, and those that arrive
 * while a request is in flight.
 */
export class StatementQueue {
  readonly #server: StatementServer;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(server: StatementServer) {
    this.#server = server;
  }

  /** Runs a statement, and returns its first row. */
  get(sql: string, values: readonly Value[]): Promise<Row> {
    const refusal = this.#server.refusal?.();
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sql, values, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    const isFull = this.#waiting.length >= STATEMENTS;
    const maySend = this.#inFlight === 0 || isFull && this.#inFlight < REQUESTS;
    if (!maySend || this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  async #send(): Promise<void> {
    const sent = this.#waiting.splice(0, STATEMENTS);
    this.#inFlight++;
    this.#schedule();
    try {
      const results = await this.#run(sent);
      sent.forEach(({ resolve }, i) => resolve(results[i]?.[0]));
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
    this.#inFlight--;
    this.#schedule();
  }

  async #run(sent: readonly Waiting[]): Promise<Value[][][]> {
    const [first] = sent;
    return first !== undefined && sent.length === 1
      ? [await this.#server.query(first.sql, first.values)]
      : await this.#server.read(sent);
  }
}
