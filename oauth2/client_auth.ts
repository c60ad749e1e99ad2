import { toBase64 } from "./base64.ts";
import { notSupported } from "./error.ts";
import { encodeParams } from "./params.ts";
import type { JwtKey } from "./jwt.ts";

/** How a client tells the server who it is (RFC 6749 section 2.3). */
export type AuthScheme =
  | "basic_auth"
  | "request_body"
  | "tls_client_auth"
  | "private_key_jwt";

/** What client authentication needs to know of a client. */
export interface ClientIdentity {
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  /** Whether Basic credentials are form-encoded first, as RFC 6749 wants it. */
  readonly basicAuthEncoding: "form" | "raw";
  /** What signs the assertions of private_key_jwt. */
  readonly assertionKey?: JwtKey | undefined;
  /** The server to which assertions are addressed. */
  readonly audience: () => string;
  /** The time, in milliseconds since 1970. */
  readonly clock: () => number;
}

/** Adds to parameters and headers what authenticates the client. */
type Authenticate = (
  client: ClientIdentity,
  params: Record<string, unknown>,
  headers: Headers,
) => void | Promise<void>;

const CLIENT_ASSERTION_TYPE =
  "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const METHODS: Readonly<Record<AuthScheme, Authenticate>> = {
  basic_auth: basicAuth,
  request_body: requestBody,
  tls_client_auth: tlsClientAuth,
  private_key_jwt: privateKeyJwt,
};

/**
 * The method of a scheme.
 *
 * @throws {DOMException} `NotSupportedError` when there is none.
 */
export function findAuthMethod(scheme: string): Authenticate {
  return Object.hasOwn(METHODS, scheme)
    ? METHODS[scheme as AuthScheme]
    : notSupported(`client authentication "${scheme}"`);
}

/** RFC 6749 section 2.3.1. A client without a secret only says who it is (section 3.2.1). */
function basicAuth(
  client: ClientIdentity,
  params: Record<string, unknown>,
  headers: Headers,
): void {
  if (headers.has("authorization")) return;
  if (client.secret === undefined) return tlsClientAuth(client, params);
  const credentials = [client.id ?? "", client.secret]
    .map(client.basicAuthEncoding === "form" ? formEncode : String)
    .join(":");
  headers.set(
    "authorization",
    `Basic ${toBase64(new TextEncoder().encode(credentials))}`,
  );
}

/** RFC 6749 section 2.3.1, the credentials in the body. */
function requestBody(
  client: ClientIdentity,
  params: Record<string, unknown>,
): void {
  params.client_id ??= client.id;
  params.client_secret ??= client.secret;
}

/** RFC 8705 section 2: the certificate is shown by `fetch`. */
function tlsClientAuth(
  { id }: ClientIdentity,
  params: Record<string, unknown>,
): void {
  params.client_id ??= id;
}

/** RFC 7523 section 2.2. An assertion of the caller's own goes as it is. */
async function privateKeyJwt(
  { id, assertionKey, audience, clock }: ClientIdentity,
  params: Record<string, unknown>,
): Promise<void> {
  if (params.client_assertion !== undefined) return;
  const { clientAssertion } = await import("./jwt.ts");
  params.client_assertion = await clientAssertion(
    id,
    audience(),
    assertionKey,
    clock(),
  );
  params.client_assertion_type = CLIENT_ASSERTION_TYPE;
}

function formEncode(text: string): string {
  return String(encodeParams({ "": text })).slice(1);
}
