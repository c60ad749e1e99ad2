/**
 * Rich authorization requests (RFC 9396).
 *
 * @module
 */
import { isPlainObject } from "../core/params.ts";
import { ValidationError } from "../core/validation_error.ts";
import { invalid } from "../core/type_error.ts";

/** Authorization detail (RFC 9396 section 2). */
export interface AuthorizationDetail {
  /** Type, which defines the other fields. */
  readonly type: string;
  /** Resources or resource servers, usually URIs. */
  readonly locations?: readonly string[];
  /** Actions on the resources. */
  readonly actions?: readonly string[];
  /** Kinds of data. */
  readonly datatypes?: readonly string[];
  /** Identifier of one resource. */
  readonly identifier?: string;
  /** Levels of privilege. */
  readonly privileges?: readonly string[];
  /** Other fields of the type. */
  readonly [field: string]: unknown;
}

/** Comparison of what was requested and granted. */
export interface DetailsComparison<
  Detail extends AuthorizationDetail = AuthorizationDetail,
> {
  /** Requested details that a granted one covers. */
  readonly covered: readonly Detail[];
  /** Requested details that none of the granted covers. */
  readonly missing: readonly Detail[];
  /** Granted details that no requested one includes: access nobody asked for. */
  readonly unrequested: readonly AuthorizationDetail[];
}

/** Token whose authorization details are read; an `AccessToken` is one. */
export interface DetailedToken {
  /** Fields of the token. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Response that contained the token. */
  readonly response?: { readonly body: string } | undefined;
}

const LISTS = ["locations", "actions", "datatypes", "privileges"];
const MAX_DETAILS = 1000;
const MAX_DEPTH = 50;

/**
 * Encodes authorization details as the value of the parameter
 * `authorization_details`. The type parameter may be the type of the API.
 *
 * @throws {TypeError} If the details are empty or not as RFC 9396 section 2
 * defines them, or a type is not among those that the server supports.
 *
 * @example
 * ```ts
 * import { encodeDetails } from "@carteiro/oauth2/authorization-details";
 *
 * const authorization_details = encodeDetails([{
 *   type: "payment_initiation",
 *   actions: ["initiate"],
 *   instructedAmount: { currency: "BRL", amount: "123.50" },
 * }]);
 * console.assert(JSON.parse(authorization_details)[0].actions[0] === "initiate");
 * ```
 */
export function encodeDetails<Detail extends AuthorizationDetail>(
  details: readonly Detail[],
  supportedTypes?: readonly string[],
): string {
  let text: string;
  try {
    text = JSON.stringify(details);
    readDetails(JSON.parse(text));
  } catch (error) {
    const state = error instanceof ValidationError
      ? error.message.replace(/^[^:]*: /, "")
      : "they are not JSON-serializable";
    throw invalid(`Cannot encode the authorization details: ${state}`);
  }
  const wrong = supportedTypes &&
    details.find(({ type }) => !supportedTypes.includes(type));
  if (details.length === 0 || wrong) {
    throw invalid(
      wrong
        ? `Cannot encode the authorization details: the server does not support the type "${wrong.type}"`
        : "Cannot encode the authorization details: there are none",
    );
  }
  return text;
}

/**
 * Returns the authorization details that were granted with a token (RFC 9396
 * section 7), with the names of the server. Returns an empty list if the server
 * sent none.
 *
 * @throws {ValidationError} If they are not as RFC 9396 section 2 defines them.
 */
export function grantedDetails(token: DetailedToken): AuthorizationDetail[] {
  // The names in `params` are in snake case; `body` has those of the server.
  // A refreshed token may have inherited its details.
  const details = readBody(token.response?.body)?.authorization_details ??
    token.params.authorization_details;
  return details === undefined || details === null ? [] : readDetails(details);
}

/**
 * Compares requested details with granted ones. A granted detail covers a
 * requested one if it has the same type, at least the requested members of
 * `locations`, `actions`, `datatypes` and `privileges`, and the same value of
 * every other requested field. A server may add fields (section 7.1), but a
 * granted detail with other values of those fields than each requested one, or
 * with more members of those lists, is `unrequested`.
 *
 * @example
 * ```ts
 * import { compareDetails } from "@carteiro/oauth2/authorization-details";
 *
 * const requested = [{ type: "account", actions: ["read"] }];
 * const granted = [{ type: "account", actions: ["read", "pay"] }];
 * const { missing, unrequested } = compareDetails(requested, granted);
 * console.assert(missing.length === 0);
 * console.assert(unrequested[0]?.actions?.includes("pay"));
 * ```
 */
export function compareDetails<Detail extends AuthorizationDetail>(
  requested: readonly Detail[],
  granted: readonly AuthorizationDetail[],
): DetailsComparison<Detail> {
  const isCovered = (detail: Detail) =>
    granted.some((other) => covers(other, detail));
  const isRequested = (detail: AuthorizationDetail) =>
    requested.some((other) => includes(other, detail));
  return {
    covered: requested.filter(isCovered),
    missing: requested.filter((detail) => !isCovered(detail)),
    unrequested: granted.filter((detail) => !isRequested(detail)),
  };
}

/** Returns true if a granted detail gives all access of a requested one. */
function covers(
  granted: AuthorizationDetail,
  requested: AuthorizationDetail,
): boolean {
  return matches(requested, granted, (asked, got) => isSubset(asked, got));
}

/**
 * Returns true if a granted detail gives no more access than a requested one.
 * Locations that were not requested narrow the access; other lists widen it.
 */
function includes(
  requested: AuthorizationDetail,
  granted: AuthorizationDetail,
): boolean {
  const added = LISTS.find((name) =>
    name !== "locations" && granted[name] !== undefined &&
    requested[name] === undefined
  );
  return added === undefined &&
    matches(requested, granted, (asked, got) => isSubset(got, asked));
}

/** Compares the requested fields; a server may add others. */
function matches(
  requested: AuthorizationDetail,
  granted: AuthorizationDetail,
  compareLists: (
    requested: readonly unknown[],
    granted: readonly unknown[],
  ) => boolean,
): boolean {
  return Object.entries(requested).every(([name, value]) => {
    const other = Object.hasOwn(granted, name) ? granted[name] : undefined;
    if (value === undefined) return true;
    return LISTS.includes(name) && Array.isArray(value)
      ? Array.isArray(other) && compareLists(value, other)
      : isEqual(value, other);
  });
}

function isSubset(
  part: readonly unknown[],
  whole: readonly unknown[],
): boolean {
  return part.every((item) => whole.includes(item));
}

function isEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length &&
      a.every((item, i) => isEqual(item, b[i], depth + 1));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) =>
      Object.hasOwn(b, name) && isEqual(a[name], b[name], depth + 1)
    );
}

function readDetails(source: unknown): AuthorizationDetail[] {
  const details = typeof source === "string" ? parse(source) : source;
  if (!Array.isArray(details) || details.length > MAX_DETAILS) {
    fail(`they are not a list of at most ${MAX_DETAILS} objects`);
  }
  for (const detail of details) {
    if (!isPlainObject(detail)) fail("a member is not an object");
    if (typeof detail.type !== "string" || detail.type === "") {
      fail("a member has no type");
    }
    const wrong = LISTS.find((name) =>
      detail[name] !== undefined && !isTextList(detail[name])
    );
    if (wrong !== undefined) fail(`${wrong} is not a list of texts`);
    const { identifier = "" } = detail;
    if (typeof identifier !== "string") fail("identifier is not text");
  }
  return details;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) &&
    value.every((item) => typeof item === "string");
}

function readBody(
  body: string | undefined,
): Record<string, unknown> | undefined {
  try {
    const fields: unknown = JSON.parse(body ?? "");
    return isPlainObject(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("they are not JSON");
  }
}

function fail(state: string): never {
  throw new ValidationError(
    "invalid_authorization_details",
    `Cannot read the authorization details: ${state}`,
  );
}
