/** Small MCP server whose authorization server is certified. */
import { assertEquals, assertRejects } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { introspect } from "../../../oauth2/server/introspection.ts";
import { connectMcp } from "../../../oauth2/mcp/mcp.ts";
import { Client, OAuth2Error } from "../../../oauth2/mod.ts";
import {
  AuthorizationServer,
  BODY,
  type Configuration,
  REDIRECT_URI,
} from "./_authorization_server.ts";
import { Browser } from "./_browser.ts";
import { PERSON } from "./_pages.ts";

const QUIET = { logger: { debug() {}, warn() {} }, debug: false };
const PATH = "/mcp";
const WELL_KNOWN = `/.well-known/oauth-protected-resource${PATH}`;

function configure(configuration: Configuration): object {
  return {
    ...configuration,
    features: {
      ...configuration.features,
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          scope: "notes",
          audience,
        }),
      },
    },
  };
}

/** Starts an MCP server that accepts active tokens for itself. */
async function startMcpServer(issuer: string) {
  const api = new Client(BODY.id, BODY.secret, {
    site: issuer,
    issuer,
    authScheme: "request_body",
    ...QUIET,
  });
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, {
        "content-type": "application/json",
        ...headers,
      }).end(JSON.stringify(body));
    if (request.url === WELL_KNOWN) {
      return answer(200, {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ["notes"],
      });
    }
    const [, token] = /^Bearer (\S+)$/.exec(
      request.headers.authorization ?? "",
    ) ?? [];
    const claims = token === undefined
      ? { active: false } as const
      : await introspect(api, token, {}, {
        endpoint: `${issuer}/token/introspection`,
      });
    if (!claims.active || claims.aud !== url) {
      return answer(401, {}, {
        "www-authenticate": `Bearer resource_metadata="${new URL(
          WELL_KNOWN,
          url,
        )}", scope="notes"`,
      });
    }
    return answer(200, {
      jsonrpc: "2.0",
      id: 1,
      result: { scope: claims.scope },
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${
    (server.address() as AddressInfo).port
  }${PATH}`;
  const close = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return { url, close };
}

Deno.test("connectMcp goes from a 401 to a token that the MCP server accepts", async () => {
  const authorization = await AuthorizationServer.start({ configure });
  const mcp = await startMcpServer(authorization.issuer);
  try {
    const refused = await fetch(mcp.url, { method: "POST" });
    await refused.body?.cancel();
    assertEquals(refused.status, 401);
    const connection = await connectMcp(mcp.url, {
      redirectUri: REDIRECT_URI,
      challenge: refused,
      clientMetadata: { application_type: "native" },
      clientOptions: QUIET,
    });
    const flow = await connection.start();
    const browser = new Browser({
      login: PERSON.login,
      password: PERSON.password,
      decision: "allow",
    });
    const callback = await browser.authorize(flow.url, REDIRECT_URI);
    const token = await connection.callback(callback, flow);
    const { parsed } = await token.post<{ result: unknown }>(mcp.url, {
      headers: { "content-type": "application/json" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
    assertEquals(parsed.result, { scope: "notes" });

    // Another connection with the stored credentials.
    const again = await connectMcp(mcp.url, {
      redirectUri: REDIRECT_URI,
      credentials: JSON.parse(JSON.stringify(connection.credentials)),
      clientOptions: QUIET,
    });
    assertEquals(again.client.id, connection.client.id);
    await assertRejects(() => again.callback(callback, flow), OAuth2Error);
  } finally {
    await mcp.close();
    await authorization.close();
  }
});
