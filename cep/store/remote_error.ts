import { reasonOf } from "../util/reason_of.ts";
import { DatabaseError, UnreachableError } from "./store.ts";

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
export function toRemoteError(
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
