/** Example of a service, with a certified authorization server. */
import { assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "../../../oauth2/examples/service.ts";
import { Client, discover } from "../../../oauth2/mod.ts";
import { AuthorizationServer, BASIC, BODY } from "./_authorization_server.ts";
import { connect as connectOpenid } from "./_service_with_openid_client.ts";

const EXAMPLE = "oauth2/examples/service.ts";
const WITH_OPENID_CLIENT = "tests/oauth2/e2e/_service_with_openid_client.ts";

/** API that asks the authorization server about each token. */
async function startApi({ issuer }: AuthorizationServer) {
  const found = await discover(issuer);
  const client = new Client(BODY.id, BODY.secret, {
    ...found,
    authScheme: "request_body",
  });
  const tokens: string[] = [];
  const listener = createServer(async (request, response) => {
    const [, token = ""] = request.headers.authorization?.split(" ") ?? [];
    tokens.push(token);
    const { parsed } = await client.post<{ active: boolean }>(
      found.metadata.introspection_endpoint!,
      { token },
    );
    response.writeHead(parsed.active ? 200 : 401).end(request.url);
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    tokens,
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise((done) => listener.close(done));
    },
  };
}

for (
  const [name, create] of [
    [EXAMPLE, connect],
    [WITH_OPENID_CLIENT, connectOpenid],
  ] as const
) {
  Deno.test(`${name} calls an API with one token`, async () => {
    await using server = await AuthorizationServer.start();
    await using api = await startApi(server);
    const service = await create({
      ISSUER: server.issuer,
      CLIENT_ID: BASIC.id,
      CLIENT_SECRET: BASIC.secret,
      API: api.origin,
    });
    const calls = ["/a", "/b", "/c"].map(async (path) => {
      const response = await service.fetch(api.origin + path);
      return [response.status, await response.text()];
    });
    assertEquals(await Promise.all(calls), [
      [200, "/a"],
      [200, "/b"],
      [200, "/c"],
    ]);
    assertEquals(new Set(api.tokens).size, 1);
  });
}
