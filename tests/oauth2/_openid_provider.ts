/** OpenID provider for tests, behind a `fetch` and with a clock of its own. */
import { assertEquals } from "@std/assert";
import { CompactSign, exportJWK, generateKeyPair, type JWK } from "jose";
import { toBase64Url } from "../../oauth2/core/base64.ts";
import { Client, type ClientOptions } from "../../oauth2/mod.ts";
import { loggerTo, NOW } from "./_client.ts";

/** Issuer of the provider. */
export const ISSUER = "https://provider.example";
/** Redirect URI of the client. */
export const REDIRECT_URI = "https://app.example/callback";
/** Id and secret of the client. */
export const CLIENT_ID = "abc";
export const CLIENT_SECRET = "a client secret of more than 32 bytes";

/** Values in the place of tokens. */
export const ACCESS_TOKEN = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
export const CODE =
  "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk";

/** Metadata of the provider. */
export const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
  userinfo_endpoint: `${ISSUER}/me`,
  end_session_endpoint: `${ISSUER}/logout`,
  id_token_signing_alg_values_supported: ["RS256", "PS256", "ES256", "Ed25519"],
  userinfo_signing_alg_values_supported: ["RS256", "ES256"],
  authorization_signing_alg_values_supported: ["RS256", "ES256"],
  authorization_response_iss_parameter_supported: true,
};

/** Algorithm of each key; keys of the same name are generated once. */
const KEY_ALGORITHMS: Readonly<Record<string, string>> = {
  "rs256": "RS256",
  "rs256-2": "RS256",
  "ps256": "PS256",
  "es256": "ES256",
  "es256-2": "ES256",
  "ed25519": "Ed25519",
};

const keys = new Map<string, Promise<CryptoKeyPair>>();

/** Returns the key pair of a name. */
export function keyPair(name: string): Promise<CryptoKeyPair> {
  const alg = KEY_ALGORITHMS[name];
  if (alg === undefined) throw new Error(`There is no key "${name}"`);
  const found = keys.get(name) ??
    generateKeyPair(alg, { extractable: true }) as Promise<CryptoKeyPair>;
  keys.set(name, found);
  return found;
}

/** Returns the public JWK of a key, with these members changed. */
export async function publicJwk(name: string, changes: object = {}) {
  const jwk: JWK = await exportJWK((await keyPair(name)).publicKey);
  return change({ ...jwk, kid: name, use: "sig" }, changes);
}

/** JWT to issue. */
export interface JwtPlan {
  /** @default {"rs256"} */
  readonly key?: string;
  /** Changes of the header; null removes a member. */
  readonly header?: object;
  /** Changes of the claims; null removes a claim. */
  readonly claims?: object;
  /** Changes the signature. */
  readonly tamper?: "signature" | "claims";
}

/** Signs claims. `alg` is that of the key unless the header changes it. */
export async function issueJwt(
  claims: object,
  { key = "rs256", header = {}, claims: changes = {}, tamper }: JwtPlan = {},
): Promise<string> {
  const alg = key === "secret" ? "HS256" : KEY_ALGORITHMS[key]!;
  const protectedHeader = change(
    { alg, ...key !== "secret" && { kid: key } },
    header,
  ) as { alg: string };
  const body = new TextEncoder().encode(
    JSON.stringify(change(claims, changes)),
  );
  const encode = (value: object) =>
    toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
  if (protectedHeader.alg === "none") {
    return `${encode(protectedHeader)}.${toBase64Url(body)}.`;
  }
  const signed = await new CompactSign(body)
    .setProtectedHeader({ ...protectedHeader, alg })
    .sign(
      key === "secret"
        ? new TextEncoder().encode(CLIENT_SECRET)
        : (await keyPair(key)).privateKey,
    );
  const [head, payload, signature = ""] = signed.split(".");
  return [
    protectedHeader.alg === alg ? head : encode(protectedHeader),
    tamper === "claims"
      ? encode({ ...change(claims, changes), sub: "eve" })
      : payload,
    tamper === "signature"
      ? (signature.startsWith("A") ? "B" : "A") + signature.slice(1)
      : signature,
  ].join(".");
}

/** Changes members of an object; null removes a member. */
export function change<T extends object>(object: T, changes: object): T {
  return Object.fromEntries(
    Object.entries({ ...object, ...changes })
      .filter(([, value]) => value !== null),
  ) as T;
}

/** Returns a hash as in `at_hash`. */
export async function halfHash(value: string, hash = "SHA-256") {
  const bytes = new TextEncoder().encode(value);
  const digest = new Uint8Array(await crypto.subtle.digest(hash, bytes));
  return toBase64Url(digest.subarray(0, digest.length / 2));
}

/** Answers of the provider, by path. */
export type Answers = {
  [path: string]: (
    request: Request,
  ) => Response | object | Promise<Response | object>;
};

/** Provider that answers the requests of its client. */
export class Provider {
  /** Time in seconds. */
  now = NOW;
  /** Paths of the requests, in order. */
  readonly paths: string[] = [];
  readonly client: Client;

  /** Creates a provider and its client. */
  constructor(
    readonly answers: Answers = {},
    options: ClientOptions = {},
    metadata: object = {},
  ) {
    this.client = new Client(CLIENT_ID, CLIENT_SECRET, {
      issuer: ISSUER,
      site: ISSUER,
      authorizeUrl: METADATA.authorization_endpoint,
      tokenUrl: METADATA.token_endpoint,
      metadata: change(METADATA, metadata),
      clock: () => this.now * 1000,
      fetch: (url, init) => this.#answer(new Request(url, init)),
      logger: loggerTo([]),
      debug: false,
      ...options,
    });
  }

  /** Number of requests for the keys. */
  get keyRequests(): number {
    return this.paths.filter((path) => path === "/keys").length;
  }

  async #answer(request: Request): Promise<Response> {
    assertEquals(request.redirect, "manual");
    const { pathname } = new URL(request.url);
    this.paths.push(pathname);
    const answer = await this.answers[pathname]?.(request);
    if (answer === undefined) return new Response(null, { status: 404 });
    return answer instanceof Response ? answer : Response.json(answer);
  }
}

/** Claims of an ID token for the client. */
export function idTokenClaims(nonce?: string): Record<string, unknown> {
  return {
    iss: ISSUER,
    sub: "ana",
    aud: CLIENT_ID,
    exp: NOW + 300,
    iat: NOW,
    ...nonce !== undefined && { nonce },
  };
}
