/**
 * Value of a store: a token, its binding, and the state of its refresh.
 */
import type { Client } from "../core/client.ts";
import { isPlainObject } from "../core/params.ts";
import type { AccessToken } from "../core/token.ts";
import { loginRequired, TokenManagerError } from "./manager_error.ts";

/** Server, client and APIs of a token. */
export interface Binding {
  /** URL of the token endpoint. */
  readonly token_endpoint: string;
  /** Client id, or "". */
  readonly client_id: string;
  /** Origins to which the token may be sent. */
  readonly origins: readonly string[];
}

/** Returns the binding of the tokens of a client. */
export function bindingOf(
  client: Client,
  origins: readonly string[],
): Binding {
  return {
    token_endpoint: client.tokenUrl(),
    client_id: client.id ?? "",
    origins,
  };
}

/**
 * Checks that two bindings have the same server and client.
 *
 * @throws {TokenManagerError} If they have not.
 */
export function checkBinding(found: Binding, own: Binding): void {
  if (
    found.token_endpoint === own.token_endpoint &&
    found.client_id === own.client_id
  ) return;
  // The query of an endpoint may have a key.
  const describe = ({ client_id, token_endpoint }: Binding) =>
    `the client "${client_id}" at "${token_endpoint.split("?")[0]}"`;
  throw new TokenManagerError(
    `Cannot use the token: it belongs to ${describe(found)}, not to ${
      describe(own)
    }`,
    { code: "foreign_token", kind: "policy" },
  );
}

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
  /** Random id of the claim, if a process renews the token. */
  readonly claim?: string | undefined;
  /**
   * Milliseconds since 1970 until which that process alone may use the refresh
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
  /** Error code that ended the session, or {@linkcode REVOKED}. */
  readonly ended?: string | undefined;
}

/** Value of `ended` of a session whose token was revoked, or is to be. */
export const REVOKED = "revoked";
/** Reason of the error for a session that the server has ended. */
export const SESSION_ENDED = "the server has ended the session";

const VERSION = 1;
const MAX_LENGTH = 1024 * 1024;

/** Returns a record without its claim. */
export function unclaimed(
  { claim: _, claimed_until: __, ...record }: TokenRecord,
): TokenRecord {
  return record;
}

/** Returns the refresh token of a record. */
export function refreshTokenOf(
  record: TokenRecord | undefined,
): string | undefined {
  const { refresh_token } = record?.token ?? {};
  return typeof refresh_token === "string" ? refresh_token : undefined;
}

/** Creates the record of a token in a session. */
export function recordOf(
  token: AccessToken,
  { token_endpoint, client_id, origins, session }:
    & Binding
    & Pick<TokenRecord, "session">,
  { client, random }: {
    readonly client: Client;
    readonly random: () => string;
  },
): TokenRecord {
  const { expiresIn, expiresAt, expiresLatency = 0 } = token;
  return {
    token_endpoint,
    client_id,
    origins,
    session,
    revision: random(),
    token: token.toHash(),
    issued_at: expiresIn !== undefined && expiresAt !== undefined
      ? (expiresAt + expiresLatency - expiresIn) * 1000
      : client.now(),
  };
}

/**
 * Checks that a record has a refresh token.
 *
 * @throws {TokenManagerError} If it has not.
 */
export function checkRefreshable(record: TokenRecord | undefined): void {
  if (record?.ended === REVOKED) loginRequired("the session was revoked");
  if (record?.ended !== undefined) loginRequired(SESSION_ENDED);
  if (!record?.token) loginRequired("none is stored");
  if (!record.token.refresh_token) {
    loginRequired(
      "the token has expired or was rejected, and has no refresh token",
    );
  }
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
  const { origins, token } = record;
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
  return ["claim", "ended"].find((name) =>
    record[name] !== undefined && typeof record[name] !== "string"
  );
}

/**
 * Refuses a value of the store.
 *
 * @throws {TokenManagerError} Always.
 */
export function refuse(reason: string): never {
  throw new TokenManagerError(`Cannot read the stored token: ${reason}`, {
    code: "unreadable_token",
    kind: "store",
  });
}
