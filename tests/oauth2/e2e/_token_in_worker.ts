import { assertEquals } from "@std/assert";
import { Client, discover } from "../../../oauth2/mod.ts";

/** Client that an authorization server on loopback knows. */
declare const registered: { issuer: string; id: string; secret: string };

Deno.test("a worker gets a token by client credentials", async () => {
  const { issuer, id, secret } = registered;
  const { metadata, ...endpoints } = await discover(issuer);
  const client = new Client(id, secret, endpoints);
  const { token } = await client.clientCredentials.getToken();
  const { parsed } = await client.request(
    "post",
    String(metadata.introspection_endpoint),
    { body: { token, client_id: id, client_secret: secret } },
  );
  const { active, client_id } = parsed as Record<string, unknown>;
  assertEquals([active, client_id], [true, id]);
});
