import type { Value } from "../release/connection.ts";
import { reasonOf } from "../util/reason_of.ts";
import { DatabaseError, UnreachableError } from "./store.ts";

/** Statement and its values. */
export interface RemoteStatement {
  readonly sql: string;
  readonly values?: readonly Value[];
}

/** Result of a statement. */
export interface RemoteResult {
  /** Rows, each like an array. */
  readonly rows: readonly ArrayLike<unknown>[];
  /** Number of rows that were written. */
  readonly rowsAffected: number;
}

/** Value of a statement, as the client expects it. */
export type RemoteValue = string | number | bigint | null | Uint8Array;

/** Statement, as the client expects it. */
export interface ClientStatement {
  /** Text of the statement. */
  sql: string;
  /** Its values. */
  args: RemoteValue[];
}

/** Client of a libSQL server. Those of `@libsql/client` fit. */
export interface RemoteClient {
  /** Runs a statement. */
  execute(statement: ClientStatement): Promise<RemoteResult>;
  /** Runs statements in one transaction and one request. */
  batch(
    statements: ClientStatement[],
    mode: "read" | "write",
  ): Promise<RemoteResult[]>;
  /** Ends its requests. */
  close(): void;
}

/** Options of {@linkcode RemoteServer}. */
interface RemoteServerOptions {
  /** Client of the server. */
  readonly client: RemoteClient;
  /** Address for messages. */
  readonly name: string;
  /** Secret that no message shows. */
  readonly token?: string | undefined;
  /** Milliseconds after which a request is given up. */
  readonly timeoutMs: number;
  /** Number of repetitions of a request that did not reach the server. */
  readonly retries: number;
  /** Milliseconds after which a request is not repeated. */
  readonly retryMs: number;
  /** Called when a request is repeated for the fourth time. */
  readonly onWait?: (error: UnreachableError) => void;
  /** Fails requests at once while the server is away. */
  readonly failsFast?: boolean;
}

/** Pause before the first repetition; it doubles from one to the next. */
const FIRST_PAUSE_MS = 50;

const MAX_PAUSE_MS = 5000;

/** Attempt after which a wait is worth a log entry. */
const LONG_WAIT = 3;

/** Server that statements are sent to. */
export class RemoteServer {
  readonly #options: RemoteServerOptions;
  /** Rejects the requests in flight. */
  readonly #inFlight = new Set<(reason: Error) => void>();
  #isClosed = false;
  /** Failure since the last success. */
  #away: UnreachableError | undefined;
  /**
   * Read that shows if the server is still away: after a failed read, a probe
   * that succeeds admits one.
   */
  #trial: "needless" | "refused" | "admitted" | "in flight" = "needless";

  constructor(options: RemoteServerOptions) {
    this.#options = options;
  }

  /** Runs a statement that only reads, and returns its rows. */
  async query(
    sql: string,
    values: readonly Value[] = [],
  ): Promise<Value[][]> {
    const { client } = this.#options;
    const statement = toClient({ sql, values });
    const { rows } = await this.repeat(() =>
      this.#attempt(() => client.execute(statement))
    );
    return rows.map(toRow);
  }

  /** Runs a statement once, even while the server is away. */
  async probe(sql: string): Promise<Value[][]> {
    const { client } = this.#options;
    const statement = toClient({ sql });
    const { rows } = await this.#attempt(
      () => client.execute(statement),
      true,
    );
    return rows.map(toRow);
  }

  /** Runs statements that only read in one request, and returns their rows. */
  async read(statements: readonly RemoteStatement[]): Promise<Value[][][]> {
    const { client } = this.#options;
    const all = statements.map(toClient);
    const results = await this.repeat(() =>
      this.#attempt(() => client.batch(all, "read"))
    );
    return results.map(({ rows }) => rows.map(toRow));
  }

  /**
   * Runs statements in one transaction and one request, once: a failure may
   * hide a success.
   */
  async write(statements: readonly RemoteStatement[]): Promise<RemoteResult[]> {
    const { client } = this.#options;
    const all = statements.map(toClient);
    return await this.#attempt(() => client.batch(all, "write"));
  }

  /** Returns the error of a read that would not be sent now. */
  refusal(): UnreachableError | undefined {
    const isSent = !this.#options.failsFast || this.#trial === "admitted";
    return isSent ? undefined : this.#away;
  }

  /**
   * Runs an action, again after some time if it does not reach the server.
   *
   * @param action Called with the number of the attempt, from 0.
   */
  async repeat<T>(action: (attempt: number) => Promise<T>): Promise<T> {
    const { retries, retryMs, onWait } = this.#options;
    const refusal = this.refusal();
    if (refusal !== undefined) throw refusal;
    if (this.#trial === "admitted") this.#trial = "in flight";
    const end = performance.now() + retryMs;
    for (let attempt = 0;; attempt++) {
      try {
        return await action(attempt);
      } catch (error) {
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS);
        if (!(error instanceof UnreachableError)) throw error;
        const mayRepeat = !this.#isClosed && attempt < retries &&
          performance.now() + pause < end;
        if (!mayRepeat) throw error;
        if (attempt === LONG_WAIT) onWait?.(error);
        await sleep(pause);
      }
    }
  }

  async #attempt<T>(action: () => Promise<T>, isProbe = false): Promise<T> {
    const { name, token, timeoutMs } = this.#options;
    try {
      const result = await this.#withDeadline(action(), timeoutMs);
      this.#setAnswered(isProbe);
      return result;
    } catch (cause) {
      const error = toRemoteError(cause, name, token);
      if (error instanceof UnreachableError) {
        this.#away = error;
        this.#trial = isProbe ? "needless" : "refused";
      } else this.#setAnswered(isProbe);
      throw error;
    }
  }

  #setAnswered(isProbe: boolean): void {
    if (isProbe && this.#trial !== "needless") {
      if (this.#trial === "refused") this.#trial = "admitted";
      return;
    }
    this.#away = undefined;
    this.#trial = "needless";
  }

  /** Rejects when the time has passed, even if the client never settles. */
  #withDeadline<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
    const { promise: ended, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(
      () => reject(new Error(`no answer in ${milliseconds / 1000} s`)),
      milliseconds,
    );
    this.#inFlight.add(reject);
    promise.then(resolve, reject);
    return ended.finally(() => {
      clearTimeout(timer);
      this.#inFlight.delete(reject);
    });
  }

  /** Ends its requests. */
  close(): void {
    this.#isClosed = true;
    for (const reject of this.#inFlight) reject(new Error("it is closed"));
    this.#options.client.close();
  }
}

/** Waits for some time. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function toClient({ sql, values = [] }: RemoteStatement): ClientStatement {
  // The client sends numbers as floating-point numbers.
  const args = values.map((it) =>
    typeof it === "number" && Number.isInteger(it) ? BigInt(it) : it
  );
  return { sql, args };
}

function toRow(row: ArrayLike<unknown>): Value[] {
  const values: Value[] = [];
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    values.push(
      value instanceof ArrayBuffer ? new Uint8Array(value) : value as Value,
    );
  }
  return values;
}

/** Longest text of a server in a message. */
const MAX_TEXT = 300;

/** Error of a statement that reached the server. */
export class StatementError extends Error {
  override readonly name = "StatementError";
  /** True if a table does not exist. */
  readonly isTableMissing: boolean;

  constructor(reason: string) {
    super(reason);
    this.isTableMissing = /no such table/i.test(reason);
  }
}

/** Codes of errors that a repetition may not meet again. */
const TRANSIENT = new RegExp(
  "^(?:SQLITE_(?:BUSY|LOCKED)|TRANSACTION_(?:TIMEOUT|BUSY)|STREAM_EXPIRED|" +
    "SERVER_ERROR|HRANA_(?:CLOSED|WEBSOCKET)_ERROR)",
);

/**
 * Converts a failure of the client. The failure itself is not kept as the
 * cause: it may hold the request with the token.
 *
 * @param server Address of the server for messages.
 * @param token Secret that is removed from messages.
 */
function toRemoteError(
  failure: unknown,
  server: string,
  token: string | undefined,
): DatabaseError | StatementError {
  const reason = describe(failure, token);
  const status = statusOf(failure);
  if (status === 401 || status === 403) {
    return new DatabaseError(
      `Cannot use the database server ${server}: it refuses the token ` +
        `of DB_AUTH_TOKEN (HTTP status ${status})`,
    );
  }
  if (status === 413) {
    return new DatabaseError(
      `Cannot use the database server ${server}: it, or a proxy in front of ` +
        "it, refuses a large request (HTTP status 413); allow requests of " +
        "2 MiB, in nginx with client_max_body_size 2m",
    );
  }
  if (status !== undefined && (status >= 500 || status === 429)) {
    return new UnreachableError(
      `Cannot use the database server ${server}: ${reason}`,
    );
  }
  if (status !== undefined || isForeignAnswer(failure)) {
    return new DatabaseError(
      `Cannot use the database server ${server}: it is not a libSQL server, ` +
        `or the URL is wrong (${reason})`,
    );
  }
  const code = codeOf(failure);
  if (code === undefined || TRANSIENT.test(code)) {
    return new UnreachableError(
      `Cannot reach the database server ${server}: ${reason}`,
    );
  }
  return new StatementError(reason);
}

/** Returns the status of an HTTP error. */
function statusOf(failure: unknown): number | undefined {
  for (let it = failure; it instanceof Error; it = it.cause) {
    const { status } = it as { status?: unknown };
    if (typeof status === "number") return status;
  }
  return undefined;
}

/** Returns the code of an error of the libSQL client. */
function codeOf(failure: unknown): string | undefined {
  const { code, name } = failure as { code?: unknown; name?: unknown };
  return typeof code === "string" && typeof name === "string" &&
      name.startsWith("Libsql")
    ? code
    : undefined;
}

/** True for an answer that is not of the protocol. */
function isForeignAnswer(failure: unknown): boolean {
  return failure instanceof SyntaxError ||
    codeOf(failure) === "HRANA_PROTO_ERROR" ||
    codeOf(failure) === "PROTOCOL_VERSION_ERROR";
}

/** Returns the message of a failure in one line, without the token. */
function describe(failure: unknown, token: string | undefined): string {
  let text = reasonOf(failure);
  if (token) text = text.replaceAll(token, "***");
  // deno-lint-ignore no-control-regex
  text = text.replace(/[\s\x00-\x1F\x7F]+/g, " ").trim();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
