/** Vectors of OpenID Connect: one test each. */
import { assertEquals } from "@std/assert";
import { type OpenIdVector, runOpenIdVector } from "./_run_openid_vector.ts";
import idToken from "./openid_vectors/id_token.json" with { type: "json" };
import jarm from "./openid_vectors/jarm.json" with { type: "json" };
import response from "./openid_vectors/response.json" with { type: "json" };
import userinfo from "./openid_vectors/userinfo.json" with { type: "json" };

const VECTORS = [idToken, response, jarm, userinfo].flat() as OpenIdVector[];

Deno.test("vectors of OpenID Connect have different ids and titles", () => {
  const names = VECTORS.flatMap(({ id, title }) => [id, id[0] + title]);
  assertEquals(new Set(names).size, 2 * VECTORS.length);
});

for (const vector of VECTORS) {
  Deno.test(`${vector.id}: SignIn ${vector.title}`, async () => {
    await runOpenIdVector(vector);
  });
}
