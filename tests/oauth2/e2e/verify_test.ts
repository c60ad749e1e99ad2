/** Tokens of a certified authorization server, at a resource server of Node. */
import { assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, discover } from "../../../oauth2/mod.ts";
import {
  AccessDenied,
  TokenVerifier,
  type TokenVerifierOptions,
} from "../../../oauth2/verify/mod.ts";
import {
  AuthorizationServer,
  BASIC,
  BODY,
  type Configuration,
} from "./_authorization_server.ts";

const API = "https://api.example";

/** Issues tokens for the API, opaque ones or JWTs. */
function issuing(accessTokenFormat: "opaque" | "jwt") {
  return (configuration: Configuration) => ({
    ...configuration,
    features: {
      ...configuration.features,
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: "notes",
          audience: API,
          accessTokenFormat,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  });
}

/** Sends a token to a resource server of `node:http`. Returns the status. */
async function statusOf(
  verifier: TokenVerifier,
  token: string,
): Promise<number> {
  const server = createServer(async (request, response) => {
    const status = await verifier.verify(request, { scope: "notes" }).then(
      () => 200,
      (error) => error instanceof AccessDenied ? error.status : 500,
    );
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const { status, body } = await fetch(`http://127.0.0.1:${port}/notes`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await body?.cancel();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  return status;
}

for (
  const [format, tokens, statuses] of [
    ["opaque", "any", [200, 401]],
    ["jwt", "any", [200, 401]],
    ["opaque", "introspection", [200, 401]],
    // The server answers 400 with unsupported_token_type.
    ["jwt", "introspection", [401, 401]],
  ] as const
) {
  Deno.test(`TokenVerifier with tokens "${tokens}" answers ${statuses[0]} to a token of the format ${format}`, async () => {
    await using server = await AuthorizationServer.start({
      configure: issuing(format),
    });
    const found = await discover(server.issuer);
    const quiet = { ...found, debug: false };
    const client = new Client(BASIC.id, BASIC.secret, quiet);
    const api = new Client(BODY.id, BODY.secret, {
      ...quiet,
      authScheme: "request_body",
    });
    const options: TokenVerifierOptions = {
      audience: API,
      requireAudience: true,
      tokens,
    };
    const verifier = new TokenVerifier(api, options);
    const { token } = await client.clientCredentials.getToken({
      resource: API,
      scope: "notes",
    });
    const other = token.replace(/.{8}$/, "AAAAAAAA");
    assertEquals([
      await statusOf(verifier, token),
      await statusOf(verifier, other),
    ], [...statuses]);
  });
}
