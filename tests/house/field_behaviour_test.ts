/** Behaviours that the comparison of `oauth2` claims, tried in each library. */
import { OAuth2Client as Badgateway } from "@badgateway/oauth2-client";
import { assertEquals } from "@std/assert";
import { OAuth2Client as Arctic } from "arctic";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth4webapi from "oauth4webapi";
import * as openid from "openid-client";
import simple from "simple-oauth2";
import { Client } from "../../oauth2/mod.ts";

const ID = "abc";
const SECRET = "hush-hush";

/** Requests a token, and returns the objects of the application. */
type Call = (site: string) => Promise<unknown[]>;

const CALLS: Readonly<Record<string, Call>> = {
  "this": async (site) => {
    const client = new Client(ID, SECRET, { site, tokenUrl: "/token" });
    return [await client.clientCredentials.getToken(), client];
  },
  "oauth4webapi": async (site) => {
    const server = { issuer: site, token_endpoint: `${site}/token` };
    const client = { client_id: ID };
    const response = await oauth4webapi.clientCredentialsGrantRequest(
      server,
      client,
      oauth4webapi.ClientSecretBasic(SECRET),
      {},
      { [oauth4webapi.allowInsecureRequests]: true },
    );
    return [
      await oauth4webapi
        .processClientCredentialsResponse(server, client, response),
      client,
    ];
  },
  "openid-client": async (site) => {
    const server = { issuer: site, token_endpoint: `${site}/token` };
    const config = new openid.Configuration(server, ID, SECRET);
    openid.allowInsecureRequests(config);
    return [await openid.clientCredentialsGrant(config), config];
  },
  "simple-oauth2": async (site) => {
    const client = new simple.ClientCredentials({
      client: { id: ID, secret: SECRET },
      auth: { tokenHost: site, tokenPath: "/token" },
    });
    return [await client.getToken({}), client];
  },
  "@badgateway/oauth2-client": async (site) => {
    const client = new Badgateway({
      server: site,
      tokenEndpoint: "/token",
      clientId: ID,
      clientSecret: SECRET,
      authenticationMethod: "client_secret_basic",
    });
    return [await client.clientCredentials(), client];
  },
  "arctic": async (site) => {
    const client = new Arctic(ID, SECRET, null);
    return [await client.refreshAccessToken(`${site}/token`, "r", []), client];
  },
};

/** Starts a server that answers each request with a token or a redirect. */
async function serve(location?: string) {
  const bodies: string[] = [];
  const listener = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    if (location) response.writeHead(307, { location }).end();
    else {
      response.writeHead(200, { "content-type": "application/json" })
        .end('{"access_token":"monkey123","token_type":"bearer"}');
    }
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address() as AddressInfo;
  return {
    site: `http://127.0.0.1:${port}`,
    bodies,
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise((done) => listener.close(done));
    },
  };
}

const FOLLOWS = ["@badgateway/oauth2-client", "arctic"];

/** Secrets that a library shows when its objects are printed. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  "this": [],
  "oauth4webapi": ["monkey123"],
  "openid-client": ["monkey123"],
  "simple-oauth2": ["monkey123"],
  "@badgateway/oauth2-client": [SECRET, "monkey123"],
  "arctic": [SECRET, "monkey123"],
};

for (const [name, call] of Object.entries(CALLS)) {
  const follows = FOLLOWS.includes(name);

  Deno.test({
    name: `comparison: ${name} ${
      follows ? "follows" : "refuses"
    } a redirect of the token endpoint to another origin`,
    // oauth4webapi leaves the body of a refused response unread.
    sanitizeResources: false,
    async fn() {
      await using other = await serve();
      await using server = await serve(`${other.site}/token`);
      const outcome = await call(server.site).then(
        () => "a token",
        () => "an error",
      );
      assertEquals(outcome, follows ? "a token" : "an error");
      assertEquals(other.bodies.length, follows ? 1 : 0);
      if (follows) assertEquals(other.bodies, server.bodies);
    },
  });

  Deno.test(`comparison: ${name} shows ${SHOWN[name]!.length} secrets when printed`, async () => {
    await using server = await serve();
    const objects = await call(server.site);
    const printed = Deno.inspect(objects, { depth: 10 }) +
      JSON.stringify(objects);
    const secrets = [SECRET, "monkey123"];
    assertEquals(
      secrets.filter((secret) => printed.includes(secret)),
      SHOWN[name],
    );
  });
}
