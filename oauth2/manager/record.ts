/**
 * Value of a store: a token, its binding, and the state of its refresh.
 *
 * @module
 */
import { isPlainObject } from "../params.ts";
import type { Binding } from "./binding.ts";
import { TokenManagerError } from "./manager_error.ts";

/** Value of a store. */
export interface TokenRecord extends Binding {
  /** Random id of the login. */
  readonly session: string;
  /** Random id of this value. */
  readonly revision: string;
  /** Fields of the token, as `toHash` returns them. */
  readonly token?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds since 1970 at which the token was issued, if known. */
  readonly issued_at?: number | undefined;
  /**
   * Milliseconds since 1970 until which one process alone may use the refresh
   * token.
   */
  readonly claimed_until?: number | undefined;
  /** Milliseconds since 1970 before which no process sends a request. */
  readonly retry_at?: number | undefined;
  /**
   * Milliseconds since 1970 until which a token is used that had expired when it
   * came.
   */
  readonly used_until?: number | undefined;
  /** Error code that ended the session, or "revoked". */
  readonly ended?: string | undefined;
}

const VERSION = 1;
/** Maximum length of a value. */
const MAX_LENGTH = 1024 * 1024;

/** Returns true if two records have the same token. */
export function haveSameToken(a: TokenRecord, b: TokenRecord): boolean {
  return JSON.stringify(a.token) === JSON.stringify(b.token);
}

/** Returns a record as JSON. */
export function formatRecord(record: TokenRecord): string {
  return JSON.stringify({ version: VERSION, ...record });
}

/**
 * Parses a record.
 *
 * @throws {TokenManagerError} If the text is not a record of this version.
 */
export function parseRecord(text: string): TokenRecord {
  const { version, ...record } = parseObject(text);
  if (version !== VERSION) {
    refuse(
      typeof version === "number"
        ? `it has version ${version}, not ${VERSION}`
        : "it was not written by a token manager",
    );
  }
  const problem = findProblem(record);
  if (problem !== undefined) refuse(`${problem} is invalid`);
  return record as unknown as TokenRecord;
}

function parseObject(text: string): Record<string, unknown> {
  if (text.length > MAX_LENGTH) {
    refuse(`it is longer than ${MAX_LENGTH} characters`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isPlainObject(value)) return value;
  } catch {
    // The platform's message may quote the value.
  }
  refuse("it is not a JSON object");
}

/** Returns the name of an invalid member. */
function findProblem(record: Record<string, unknown>): string | undefined {
  const { origins, token, ended } = record;
  for (const name of ["token_endpoint", "client_id", "session", "revision"]) {
    if (typeof record[name] !== "string") return name;
  }
  for (const name of ["issued_at", "claimed_until", "retry_at", "used_until"]) {
    if (record[name] !== undefined && !Number.isFinite(record[name])) {
      return name;
    }
  }
  const isList = Array.isArray(origins) &&
    origins.every((origin) => typeof origin === "string");
  if (!isList) return "origins";
  if (token !== undefined && !isPlainObject(token)) return "token";
  if (ended !== undefined && typeof ended !== "string") return "ended";
  return undefined;
}

function refuse(reason: string): never {
  throw new TokenManagerError(`Cannot read the stored token: ${reason}`, {
    code: "unreadable_token",
    kind: "store",
  });
}
