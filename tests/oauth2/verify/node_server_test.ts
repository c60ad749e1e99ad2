import { assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AccessDenied } from "../../../oauth2/verify/mod.ts";
import { NOW } from "../_client.ts";
import { createVerifier, dpopKey, sign } from "./_resource_server.ts";

Deno.test("TokenVerifier verifies the requests of a server of node:http", async () => {
  const { verifier } = createVerifier();
  const answers: unknown[] = [];
  const server = createServer(async (request, response) => {
    answers.push(
      await verifier.verify(request).then(
        ({ claims, scheme }) => [scheme, claims.sub],
        (error) => (error as AccessDenied).code,
      ),
    );
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/notes?page=2`;
  const bound = await sign({ cnf: { jkt: dpopKey.thumbprint } });
  const proof = await dpopKey.prove({
    method: "GET",
    url,
    iat: NOW,
    jti: "p1",
    token: bound,
  });
  const calls: Record<string, string>[] = [
    { authorization: `Bearer ${await sign()}` },
    { authorization: `DPoP ${bound}`, dpop: proof },
    { authorization: "Bearer monkey" },
    {},
  ];
  for (const headers of calls) await (await fetch(url, { headers })).text();
  await new Promise((resolve) => server.close(resolve));
  assertEquals(answers, [
    ["Bearer", "maria"],
    ["DPoP", "maria"],
    "invalid_token",
    undefined,
  ]);
});
