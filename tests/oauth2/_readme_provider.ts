/**
 * Authorization server of the examples in the README. Importing it replaces the
 * global `fetch`, which they use.
 */
import { exportJWK, generateKeyPair, SignJWT } from "jose";

const SITE = "https://provider.example";

const TOKEN = {
  access_token: "2YotnFZFEjr1zCsicMWpAA",
  refresh_token: "tGzv3JOkF0XG5Qx2TlKWIA",
  token_type: "Bearer",
  expires_in: 3600,
  scope: "read",
};

const METADATA = {
  issuer: SITE,
  authorization_endpoint: `${SITE}/oauth/authorize`,
  token_endpoint: `${SITE}/oauth/token`,
  revocation_endpoint: `${SITE}/oauth/revoke`,
  introspection_endpoint: `${SITE}/oauth/introspect`,
  jwks_uri: `${SITE}/keys`,
  token_endpoint_auth_methods_supported: ["client_secret_basic"],
  authorization_response_iss_parameter_supported: true,
};

const { privateKey, publicKey } = await generateKeyPair("ES256");
/** Authorization requests by code. */
const logins = new Map<string, URLSearchParams>();

async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case "GET /.well-known/openid-configuration":
      return Response.json(METADATA);
    case "GET /keys":
      return Response.json({ keys: [await exportJWK(publicKey)] });
    case "GET /oauth/authorize":
      return authorize(searchParams);
    case "POST /oauth/token":
      return await issueToken(new URLSearchParams(await request.text()));
    case "POST /oauth/revoke":
      return new Response(null);
    case "POST /oauth/introspect":
      return Response.json({
        active: request.headers.get("authorization") ===
          `Basic ${btoa("abc:secret")}`,
      });
    case "POST /notes":
    case "GET /me":
      return isAuthorized(request)
        ? Response.json({ name: "Ana", userId: 7 })
        : new Response(null, { status: 401 });
    case "GET /events":
      return isAuthorized(request)
        ? new Response("data: hello\n\n")
        : new Response(null, { status: 401 });
    default:
      throw new Error(`Cannot answer ${request.method} ${request.url}`);
  }
}

/** Redirects to the client with a code. */
function authorize(params: URLSearchParams): Response {
  const code = crypto.randomUUID();
  logins.set(code, params);
  const callback = new URL(params.get("redirect_uri")!);
  callback.search = String(
    new URLSearchParams({ code, state: params.get("state")!, iss: SITE }),
  );
  return Response.redirect(callback);
}

async function issueToken(params: URLSearchParams): Promise<Response> {
  const code = params.get("code");
  if (code === null) return Response.json(TOKEN);
  const login = logins.get(code);
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(params.get("code_verifier") ?? ""),
  );
  const challenge = new Uint8Array(digest)
    .toBase64({ alphabet: "base64url", omitPadding: true });
  if (!logins.delete(code) || login?.get("code_challenge") !== challenge) {
    return Response.json({ error: "invalid_grant" }, { status: 400 });
  }
  const id_token = await new SignJWT({ nonce: login.get("nonce") })
    .setProtectedHeader({ alg: "ES256" })
    .setIssuer(SITE).setSubject("ana").setAudience("abc")
    .setIssuedAt().setExpirationTime("1 minute").sign(privateKey);
  return Response.json({ ...TOKEN, scope: login.get("scope"), id_token });
}

function isAuthorized({ headers }: Request): boolean {
  return headers.get("authorization") === `Bearer ${TOKEN.access_token}`;
}

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  if (!request.url.startsWith(SITE)) {
    throw new Error(`Cannot answer ${request.url}`);
  }
  return answer(request);
};
