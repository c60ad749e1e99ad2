/** Keys of `node:crypto`. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { jwtVerify } from "jose";
import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { type JwtKey, signJwt } from "../../oauth2/server/jwt.ts";
import { HS256_SECRET } from "./_jwt.ts";
import { print } from "./_print.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const secret = new TextEncoder().encode(HS256_SECRET);

for (
  const [kind, algorithm, key, verifyWith] of [
    ["a KeyObject of a secret", "HS256", createSecretKey(secret), secret],
    [
      "a KeyObject",
      "ES256",
      ec.privateKey,
      ec.publicKey.export({ format: "jwk" }),
    ],
  ] as [string, string, JwtKey["key"], Parameters<typeof jwtVerify>[1]][]
) {
  Deno.test(`signJwt signs with ${algorithm} and ${kind}`, async () => {
    const jwt = await signJwt({ iss: "otter" }, { algorithm, key });
    const { payload, protectedHeader } = await jwtVerify(jwt, verifyWith, {
      algorithms: [algorithm],
    });
    assertEquals(payload as unknown, { iss: "otter" });
    assertEquals(protectedHeader as unknown, { alg: algorithm });
  });
}

Deno.test("signJwt refuses a PKCS #1 PEM and does not show it", async () => {
  const key = String(rsa.privateKey.export({ type: "pkcs1", format: "pem" }));
  const error = await assertRejects(
    () => signJwt({}, { algorithm: "RS256", key }),
    TypeError,
  ) as Error;
  assert(/PKCS ?#8/.test(error.message), error.message);
  const [, keyText = ""] = key.split("\n");
  assert(!print(error).includes(keyText), print(error));
});
