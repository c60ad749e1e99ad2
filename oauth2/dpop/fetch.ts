import { fromBase64, toBase64Url } from "../core/base64.ts";
import { isStream } from "../core/body.ts";
import { parseChallenges } from "../core/challenges.ts";
import { type HeaderFields, mergeHeaders } from "../core/headers.ts";
import {
  assertionClaims,
  copyKey,
  type JwtClaims,
  type JwtKey,
  signJwt,
} from "../server/jwt.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { cancel, readBody } from "../core/read_body.ts";
import type { Fetch } from "../core/transport.ts";
import type { DpopKey } from "./key.ts";
import {
  DpopServers,
  readNonce,
  readSkew,
  type ServerState,
} from "./servers.ts";

/** Options of {@linkcode dpopFetch}. */
export interface DpopFetchOptions {
  /**
   * Function that sends the requests.
   *
   * @default {globalThis.fetch}
   */
  fetch?: Fetch | undefined;
  /**
   * Clock, in milliseconds since 1970.
   *
   * @default {Date.now}
   */
  clock?: (() => number) | undefined;
  /**
   * Corrects the clock by the `Date` header of each server, after its first
   * response.
   *
   * @default {false}
   */
  serverClock?: boolean | undefined;
  /**
   * Key that signs client assertions again when a token request is repeated
   * with a nonce: a server may accept an assertion only once. Without it, a
   * request with an assertion is not repeated.
   */
  assertionKey?: JwtKey | undefined;
  /**
   * Endpoints of the authorization server that get a proof, in addition to
   * token requests, e.g. the one of pushed authorization requests.
   *
   * @default {[]}
   */
  endpoints?: readonly (string | URL)[] | undefined;
  /**
   * Fills an array with random bytes.
   *
   * @default {crypto.getRandomValues}
   */
  random?: ((bytes: Uint8Array<ArrayBuffer>) => unknown) | undefined;
}

/** Names of {@linkcode DpopFetchOptions}. */
export const FETCH_OPTIONS: {
  readonly [name in keyof DpopFetchOptions]-?: true;
} = {
  fetch: true,
  clock: true,
  serverClock: true,
  assertionKey: true,
  endpoints: true,
  random: true,
};
const OPTIONS = knownNames<DpopFetchOptions>(FETCH_OPTIONS);

/** Kind of a server that gets a proof. */
type ServerKind = "authorization" | "resource";

/** Request that gets a proof. */
interface ProvenRequest {
  readonly url: URL;
  readonly init: RequestInit;
  readonly headers: HeaderFields;
  readonly kind: ServerKind;
  readonly token: string | undefined;
}

/** Value of the `Authorization` header with a bound token. */
const DPOP_TOKEN = /^DPoP +(\S+)$/i;
/** Maximum length of an error response that is read. */
const MAX_ERROR_BYTES = 16 * 1024;
const USE_NONCE = "use_dpop_nonce";

/**
 * Wraps `fetch`: adds a DPoP proof to each token request and to each request
 * with the header `Authorization: DPoP`. Other requests are passed on as they
 * are.
 *
 * Nonces are remembered by origin, for authorization servers and resource
 * servers apart. A request that a server refuses with `use_dpop_nonce` is sent
 * once more with its nonce, unless its body can be sent only once. Redirects of
 * requests with a proof are not followed: a proof is valid for one URL.
 *
 * @throws {TypeError} If an option is misspelled.
 */
export function dpopFetch(
  key: DpopKey,
  options: DpopFetchOptions = {},
): Fetch {
  checkNames(options, OPTIONS);
  const {
    fetch = (url, init) => globalThis.fetch(url, init),
    clock = Date.now,
    serverClock = false,
    random = (bytes) => crypto.getRandomValues(bytes),
  } = options;
  const assertionKey = options.assertionKey && copyKey(options.assertionKey);
  const endpoints = new Set(
    options.endpoints?.map((endpoint) => new URL(endpoint).href),
  );
  const servers = new DpopServers();

  async function send(
    { url, init, headers, token }: ProvenRequest,
    { nonce, skew = 0 }: ServerState,
  ): Promise<Response> {
    const bytes = new Uint8Array(16);
    random(bytes);
    const method = (init.method ?? "GET").toUpperCase();
    const dpop = await key.prove({
      method,
      url,
      iat: Math.floor((clock() + skew) / 1000),
      jti: toBase64Url(bytes),
      token,
      nonce,
    });
    return await fetch(url.href, {
      ...init,
      // `fetch` would send "patch" in lower case, other than the proof.
      method,
      headers: { ...headers, dpop },
      redirect: init.redirect === "error" ? "error" : "manual",
    });
  }

  return async (input, init = {}) => {
    const url = new URL(input);
    const headers = mergeHeaders(init.headers);
    const found = kindOf(url, init, headers, endpoints);
    if (!found) return await fetch(input, init);
    const request = { url, init, headers, ...found };
    const server = servers.get(found.kind, url.origin);
    const { nonce: sent } = server;
    const learn = (response: Response) => {
      const { headers } = response;
      const nonce = readNonce(headers);
      if (nonce !== undefined) server.nonce = nonce;
      const skew = serverClock ? readSkew(headers, clock()) : undefined;
      if (skew !== undefined) server.skew = skew;
      return nonce;
    };
    const response = await send(request, server);
    const nonce = learn(response);
    if (
      nonce === undefined || nonce === sent || isStream(init.body ?? undefined)
    ) {
      return response;
    }
    if (!await asksForNonce(response, found.kind)) return response;
    const body = await withNewAssertion(init.body, assertionKey, clock());
    if (body === false) return response;
    cancel(response.body);
    const repeated = body === undefined ? init : { ...init, body };
    const second = await send({ ...request, init: repeated }, server);
    learn(second);
    return second;
  };
}

/** Returns the kind of the server, and the token, if a request gets a proof. */
function kindOf(
  url: URL,
  { method = "GET", body }: RequestInit,
  { authorization = "", ...headers }: HeaderFields,
  endpoints: ReadonlySet<string>,
): { kind: ServerKind; token: string | undefined } | undefined {
  const token = DPOP_TOKEN.exec(authorization)?.[1];
  if (token !== undefined) return { kind: "resource", token };
  // Another token: the proof would not match it.
  if (/^(Bearer|DPoP)\b/i.test(authorization)) return undefined;
  const type = headers["content-type"] ?? "";
  const isTokenRequest = method.toUpperCase() === "POST"
    ? url.searchParams.has("grant_type") || hasGrantType(body, type)
    : method.toUpperCase() === "GET" && url.searchParams.has("grant_type");
  return isTokenRequest || endpoints.has(url.href)
    ? { kind: "authorization", token: undefined }
    : undefined;
}

function hasGrantType(body: RequestInit["body"], type: string): boolean {
  if (body instanceof URLSearchParams) return body.has("grant_type");
  if (typeof body !== "string") return false;
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    return new URLSearchParams(body).has("grant_type");
  }
  if (!/json/i.test(type)) return false;
  try {
    return Object.hasOwn(Object(JSON.parse(body)), "grant_type");
  } catch {
    return false;
  }
}

/** Returns true if a server asks for the nonce that it sent. */
async function asksForNonce(
  response: Response,
  kind: ServerKind,
): Promise<boolean> {
  const { status, headers } = response;
  if (status !== 400 && status !== 401) return false;
  const isChallenged = status === 401 &&
    parseChallenges(headers).some(({ scheme, params }) =>
      scheme === "dpop" && params.error === USE_NONCE
    );
  if (isChallenged || kind === "resource") return isChallenged;
  return await readErrorCode(response) === USE_NONCE;
}

/** Reads the error code of a response, whose body stays readable. */
async function readErrorCode(response: Response): Promise<unknown> {
  const bytes = await readBody(response.clone(), MAX_ERROR_BYTES);
  try {
    return Object(JSON.parse(new TextDecoder().decode(bytes))).error;
  } catch {
    return undefined;
  }
}

/**
 * Returns the body with a new client assertion, undefined if it has none, or
 * false if there is no key to sign one.
 */
async function withNewAssertion(
  body: RequestInit["body"],
  key: JwtKey | undefined,
  now: number,
): Promise<string | undefined | false> {
  if (typeof body !== "string") return undefined;
  const params = new URLSearchParams(body);
  const assertion = params.get("client_assertion");
  if (assertion === null) return undefined;
  const claims = readClaims(assertion);
  const { iss, aud } = claims ?? {};
  if (!key || typeof iss !== "string") return false;
  params.set(
    "client_assertion",
    await signJwt(
      { ...claims, ...assertionClaims(iss, aud as string, now) },
      key,
    ),
  );
  return String(params);
}

function readClaims(jwt: string): JwtClaims | undefined {
  try {
    const bytes = fromBase64(jwt.split(".")[1] ?? "");
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
