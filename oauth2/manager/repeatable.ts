import { parseChallenges } from "../core/challenges.ts";
import { mergeHeaders } from "../core/headers.ts";

/** Copy of the argument `init` of `fetch`. */
export interface CopiedInit {
  readonly init: RequestInit;
  /** True if the request can be sent again. */
  readonly isRepeatable: boolean;
}

/** `Symbol.toStringTag` of bodies that can be sent again. */
const REPEATABLE =
  /^(Undefined|Null|String|Blob|File|FormData|URLSearchParams|ArrayBuffer|SharedArrayBuffer|DataView|\w+Array)$/;
const SCHEMES = ["bearer", "dpop"];

/** Copies `init`, because the caller may change headers and body meanwhile. */
export function copyInit(
  request: Request | undefined,
  init: RequestInit,
): CopiedInit {
  const { headers, body } = init;
  const copy = { ...init };
  if (headers) copy.headers = mergeHeaders(headers);
  if (typeof body === "object" && body !== null) copy.body = copyBody(body);
  const sent = body ?? request?.body;
  const tag = Object.prototype.toString.call(sent).slice(8, -1);
  return { init: copy, isRepeatable: REPEATABLE.test(tag) };
}

type ObjectBody = Extract<NonNullable<RequestInit["body"]>, object>;

function copyBody(body: ObjectBody): ObjectBody {
  if (body instanceof URLSearchParams) return new URLSearchParams(body);
  if (body instanceof ArrayBuffer) return body.slice(0);
  if (ArrayBuffer.isView(body)) {
    const { buffer, byteOffset, byteLength } = body;
    return new Uint8Array(buffer, byteOffset, byteLength).slice();
  }
  if (!(body instanceof FormData)) return body;
  const copy = new FormData();
  for (const [name, value] of body) copy.append(name, value);
  return copy;
}

/**
 * Returns true if a resource server rejects the token as expired, revoked or
 * invalid (RFC 6750 section 3.1).
 */
export function isTokenRejected(
  { status, headers, url }: Response,
  { origin }: URL,
): boolean {
  // A redirect to another origin is followed without the token.
  return status === 401 && (!url || URL.parse(url)?.origin === origin) &&
    parseChallenges(headers).some(({ scheme, params }) =>
      SCHEMES.includes(scheme) && params.error === "invalid_token"
    );
}
