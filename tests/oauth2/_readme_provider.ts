/**
 * The server that the README asks, loaded before its examples: they use the
 * global `fetch`, as their readers do.
 */
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
  token_endpoint_auth_methods_supported: ["client_secret_basic"],
};

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case "GET /.well-known/openid-configuration":
      return Response.json(METADATA);
    case "POST /oauth/token":
      return (await request.text()).includes("used+before")
        ? Response.json({ error: "invalid_grant" }, { status: 400 })
        : Response.json(TOKEN);
    case "POST /oauth/revoke":
      return new Response(null);
    case "POST /notes":
    case "GET /me":
      return request.headers.get("authorization") ===
          `Bearer ${TOKEN.access_token}`
        ? Response.json({ name: "Ana", userId: 7 })
        : new Response(null, { status: 401 });
    default:
      throw new Error(`Nobody answers ${request.method} ${request.url}`);
  }
}

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  if (!request.url.startsWith(SITE)) {
    throw new Error(`Nobody answers ${request.url}`);
  }
  return answer(request);
};
