/** Authorization server in memory, and requests to a resource server. */
import { exportJWK, SignJWT } from "jose";
import { Client, type Fetch } from "../../../oauth2/mod.ts";
import { DpopKey } from "../../../oauth2/dpop/mod.ts";
import {
  AccessDenied,
  TokenVerifier,
  type TokenVerifierOptions,
  type VerifyOptions,
} from "../../../oauth2/verify/mod.ts";
import { NOW } from "../_client.ts";
import { generateEs256 } from "../_jwt.ts";

export const ISSUER = "https://issuer.example";
export const API = "https://api.example";
export const URL_OF_NOTES = `${API}/notes?page=2`;

const keys = await generateEs256(true);
/** Another key pair than that of the server. */
export const otherKeys = await generateEs256(true);
/** Key pair of DPoP proofs. */
export const dpopKey = await DpopKey.generate({ extractable: true });

const jwks = {
  keys: [{ ...await exportJWK(keys.publicKey), kid: "k1", use: "sig" }],
};

/** Claims of a valid token (RFC 9068). */
export const CLAIMS = {
  iss: ISSUER,
  aud: API,
  sub: "maria",
  client_id: "app",
  iat: NOW - 10,
  exp: NOW + 300,
  jti: "t1",
  scope: "notes notes:write",
};

/** Introspection response for an access token. */
export const ACTIVE = { active: true, token_type: "Bearer" };

/** Header of a valid token. */
export const HEADER = { alg: "ES256", kid: "k1", typ: "at+jwt" };

/** Signs a token; an undefined claim or member is left out. */
export function sign(
  claims: object = {},
  header: object = {},
  { privateKey } = keys,
): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ ...HEADER, ...header })
    .sign(privateKey);
}

/** Encodes a JWT without signature. */
export function unsigned(claims: object = {}, header: object = {}): string {
  const encode = (part: object) =>
    btoa(JSON.stringify(part)).replace(/=+$/, "").replaceAll("+", "-")
      .replaceAll("/", "_");
  return `${encode({ ...HEADER, alg: "none", ...header })}.${
    encode({ ...CLAIMS, ...claims })
  }.`;
}

/** Options of a test. */
export interface Setting extends Partial<TokenVerifierOptions> {
  /** Response of the introspection endpoint. */
  readonly introspect?: (
    token: string | null,
  ) => Response | Promise<Response>;
  /** Changes of the metadata of the server. */
  readonly metadata?: object;
  /** Seconds since 1970. */
  readonly now?: () => number;
}

/** Creates a client of the server, and the list of the requests it sends. */
export function createServer(
  { introspect, keys, metadata = {}, now = () => NOW }:
    & Pick<Setting, "introspect" | "metadata" | "now">
    & { readonly keys?: () => Response | undefined },
): { client: Client; sent: string[] } {
  const sent: string[] = [];
  const fetch: Fetch = async (url, { body }) => {
    sent.push(url);
    return url === `${ISSUER}/keys`
      ? keys?.() ?? Response.json(jwks)
      : await introspect!(new URLSearchParams(String(body)).get("token"));
  };
  const client = new Client("api", "secret", {
    issuer: ISSUER,
    fetch,
    clock: () => now() * 1000,
    debug: false,
    metadata: {
      issuer: ISSUER,
      dpop_signing_alg_values_supported: ["ES256"],
      ...introspect
        ? { introspection_endpoint: `${ISSUER}/introspect` }
        : { jwks_uri: `${ISSUER}/keys` },
      ...metadata,
    },
  });
  return { client, sent };
}

/** Creates a verifier, and the list of the requests that it sends. */
export function createVerifier(
  { introspect, metadata, now, ...options }: Setting = {},
): { verifier: TokenVerifier; sent: string[] } {
  const setting = Object.entries({ introspect, metadata, now })
    .filter(([, value]) => value !== undefined);
  const { client, sent } = createServer(Object.fromEntries(setting));
  return {
    verifier: new TokenVerifier(client, { audience: API, ...options }),
    sent,
  };
}

/** Creates a request with a bearer token. */
export function bearer(token: string): Request {
  return new Request(URL_OF_NOTES, {
    headers: { authorization: `Bearer ${token}` },
  });
}

/** Creates a request with a token and a proof. */
export function withProof(token: string, proof?: string): Request {
  return new Request(URL_OF_NOTES, {
    headers: {
      authorization: `DPoP ${token}`,
      ...proof !== undefined && { dpop: proof },
    },
  });
}

/** Status, code and challenges of a refusal. */
export interface Refused {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  readonly challenges: string;
  readonly nonce: string | null;
}

/** Verifies a request that must be refused. */
export async function refusal(
  verifier: TokenVerifier,
  request: Request,
  options?: VerifyOptions,
): Promise<Refused> {
  try {
    await verifier.verify(request, options);
  } catch (error) {
    if (!(error instanceof AccessDenied)) throw error;
    const { status, code, message, headers } = error;
    return {
      status,
      code,
      message: message.replace("Cannot grant access: ", ""),
      challenges: headers.get("www-authenticate") ?? "",
      nonce: headers.get("dpop-nonce"),
    };
  }
  throw new Error("The request was not refused");
}
