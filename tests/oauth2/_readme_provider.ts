/**
 * Authorization server of the examples in the README. Importing it replaces the
 * global `fetch`, which they use.
 */
import { base64url, exportJWK, generateKeyPair, SignJWT } from "jose";

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
  device_authorization_endpoint: `${SITE}/oauth/device`,
  backchannel_authentication_endpoint: `${SITE}/oauth/ciba`,
  registration_endpoint: `${SITE}/oauth/register`,
  code_challenge_methods_supported: ["S256"],
  jwks_uri: `${SITE}/keys`,
  userinfo_endpoint: `${SITE}/userinfo`,
  pushed_authorization_request_endpoint: `${SITE}/oauth/par`,
  dpop_signing_alg_values_supported: ["ES256"],
  end_session_endpoint: `${SITE}/logout`,
  id_token_signing_alg_values_supported: ["ES256"],
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
    case "GET /.well-known/oauth-authorization-server":
      return Response.json(METADATA);
    case "GET /keys":
      return Response.json({ keys: [await exportJWK(publicKey)] });
    case "GET /oauth/authorize":
      return authorize(searchParams);
    case "POST /oauth/token":
      return await issueToken(
        new URLSearchParams(await request.text()),
        request.headers.has("dpop") ? "DPoP" : "Bearer",
      );
    case "POST /oauth/par":
      return Response.json(
        { request_uri: "urn:example:4f2a", expires_in: 60 },
        {
          status: 201,
        },
      );
    case "POST /oauth/revoke":
      return new Response(null);
    case "POST /oauth/introspect":
      return Response.json({
        active: request.headers.get("authorization") ===
          `Basic ${btoa("abc:secret")}`,
        scope: "read",
      });
    case "POST /oauth/device":
      return Response.json({
        device_code: "GmRhmhcxhwAz",
        user_code: "WDJB-MJHT",
        verification_uri: `${SITE}/activate`,
        expires_in: 600,
        interval: 0,
      });
    case "POST /oauth/ciba":
      return Response.json({
        auth_req_id: "1c266114",
        expires_in: 120,
        interval: 0,
      });
    case "POST /oauth/register":
      return Response.json({
        ...await request.json(),
        client_id: "abc",
        scope: "read",
      }, { status: 201 });
    case "GET /.well-known/oauth-protected-resource/notes":
    case "GET /.well-known/oauth-protected-resource/mcp":
      return Response.json({
        resource: SITE + pathname.slice(pathname.lastIndexOf("/")),
        authorization_servers: [SITE],
      });
    case "GET /mcp":
      return new Response(null, {
        status: 401,
        headers: { "www-authenticate": "Bearer" },
      });
    case "POST /notes":
    case "GET /me":
      return isAuthorized(request)
        ? Response.json({ name: "Ana", userId: 7 })
        : new Response(null, { status: 401 });
    case "GET /userinfo":
      return isAuthorized(request)
        ? Response.json({ sub: "ana", name: "Ana" })
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

async function issueToken(
  params: URLSearchParams,
  token_type: string,
): Promise<Response> {
  const code = params.get("code");
  if (code === null) {
    const issued_token_type = params.get("requested_token_type") ?? undefined;
    return Response.json({ ...TOKEN, token_type, issued_token_type });
  }
  const login = logins.get(code);
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(params.get("code_verifier") ?? ""),
  );
  const challenge = base64url.encode(new Uint8Array(digest));
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
  const scheme = headers.has("dpop") ? "DPoP" : "Bearer";
  return headers.get("authorization") === `${scheme} ${TOKEN.access_token}`;
}

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  if (!request.url.startsWith(SITE)) {
    throw new Error(`Cannot answer ${request.url}`);
  }
  return answer(request);
};
