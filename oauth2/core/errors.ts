/**
 * Description of errors for code that acts on them.
 *
 * @module
 */
import { type Challenge, parseChallenges } from "./challenges.ts";
import { oneLine } from "./redactor.ts";

/**
 * Kind of an error:
 *
 * - `network`: no complete response;
 * - `timeout`: no complete response within the timeout;
 * - `abort`: a signal was aborted;
 * - `http`: a response with an error status and without an error code;
 * - `oauth`: a response with an error code;
 * - `parse`: a response that cannot be read;
 * - `argument`: a mistake in the call, such as an unknown option: mend the
 *   program;
 * - `validation`: an answer that failed a check and must not be trusted;
 * - `policy`: a request that the settings forbid, such as another origin;
 * - `store`: a store of tokens that failed;
 * - `unknown`: an error of another library.
 */
export type ErrorKind =
  | "network"
  | "timeout"
  | "abort"
  | "http"
  | "oauth"
  | "parse"
  | "argument"
  | "validation"
  | "policy"
  | "store"
  | "unknown";

/** Description of an error. */
export interface ErrorDescription {
  /** Kind of the error. */
  readonly kind: ErrorKind;
  /** True if sending the same request again is safe and may succeed. */
  readonly retryable: boolean;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  /** Error code, e.g. `invalid_grant` of a server or `ECONNREFUSED`. */
  readonly code: string | undefined;
  /** HTTP status. */
  readonly status: number | undefined;
  /** Challenges of the `WWW-Authenticate` header. */
  readonly challenges: readonly Challenge[];
  /** Message without secrets; of an unknown error, only its name. */
  readonly message: string;
  /** Error that caused this one. */
  readonly cause: unknown;
}

const KINDS: ReadonlySet<unknown> = new Set<ErrorKind>(
  "network timeout abort http oauth parse argument validation policy store unknown"
    .split(" ") as ErrorKind[],
);
/** Errors of this library without a `kind`; their messages have no secrets. */
const OWN_NAMES: readonly unknown[] = [
  "OAuth2Error",
  "ConnectionError",
  "TimeoutError",
];
const MAX_MESSAGE = 1000;

/** Members that errors of this library may have. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Describes an error of any call of this library. Any value is accepted.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { describeError } from "@carteiro/oauth2/errors";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   fetch: () =>
 *     Promise.resolve(
 *       new Response(null, { status: 503, headers: { "retry-after": "7" } }),
 *     ),
 * });
 * try {
 *   await client.clientCredentials.getToken();
 * } catch (error) {
 *   const { kind, retryable, retryAfter } = describeError(error);
 *   console.assert(kind === "http" && retryable && retryAfter === 7);
 * }
 * ```
 */
export function describeError(error: unknown): ErrorDescription {
  const members = readMembers(error);
  const { code, retryable, retryAfter, status, response, cause } = members;
  const kind = kindOf(members);
  return {
    kind,
    // workerd marks the error of an aborted signal as retryable.
    retryable: retryable === true && kind !== "abort",
    retryAfter: typeof retryAfter === "number" ? retryAfter : undefined,
    code: codeOf(code) ?? codeOf(readMembers(cause).code),
    status: typeof status === "number" ? status : undefined,
    challenges: challengesOf(response),
    message: safeMessage(kind, members),
    cause,
  };
}

/** Reads the members of an error, whose getters may throw. */
function readMembers(error: unknown): Members {
  const names =
    "name message code cause kind response status retryable retryAfter";
  return Object.fromEntries(
    names.split(" ").map((name) => [name, readMember(error, name)]),
  );
}

function readMember(value: unknown, name: string): unknown {
  try {
    return Object(value) === value
      ? (value as Record<string, unknown>)[name]
      : undefined;
  } catch {
    return undefined;
  }
}

function kindOf({ kind, name, code }: Members): ErrorKind {
  if (KINDS.has(kind)) return kind as ErrorKind;
  switch (name) {
    case "AbortError":
      return "abort";
    // Also the DOMException of `AbortSignal.timeout`.
    case "TimeoutError":
      return "timeout";
    case "ConnectionError":
      return "network";
    // Of an earlier version of this library.
    case "OAuth2Error":
      return code === undefined ? "http" : "oauth";
    case "NotSupportedError":
      return "argument";
  }
  return "unknown";
}

function challengesOf(response: unknown): Challenge[] {
  try {
    const headers = readMember(response, "headers");
    return headers instanceof Headers ? parseChallenges(headers) : [];
  } catch {
    // A revoked proxy.
    return [];
  }
}

/** Returns a code that is short and printable. */
function codeOf(code: unknown): string | undefined {
  return typeof code === "string" && /^[!-~]{1,100}$/.test(code)
    ? code
    : undefined;
}

function safeMessage(
  kind: ErrorKind,
  { name, message, kind: own }: Members,
): string {
  const isOwn = OWN_NAMES.includes(name) || own === kind;
  const text = isOwn && toText(message) || toText(name) || "Error";
  return oneLine(text.slice(0, MAX_MESSAGE));
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
