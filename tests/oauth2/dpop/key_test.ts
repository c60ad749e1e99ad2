import { assert, assertEquals, assertRejects } from "@std/assert";
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from "jose";
import { DpopKey } from "../../../oauth2/dpop/mod.ts";
import { requiredMembers, thumbprintOf } from "../../../oauth2/core/jwk.ts";
import { NOW } from "../_client.ts";
import { generateEs256 } from "../_jwt.ts";
import { print } from "../_print.ts";

const clock = () => NOW * 1000;
const key = await DpopKey.generate();

for (const algorithm of ["ES256", "EdDSA", "Ed25519", "PS256"] as const) {
  Deno.test(`DpopKey signs proofs with ${algorithm}, also after an import`, async () => {
    const one = await DpopKey.generate({ algorithm, extractable: true });
    const jwk = await one.exportJwk();
    for (
      const key of [
        one,
        await DpopKey.import(one.keyPair, { algorithm }),
        await DpopKey.import(jwk, { algorithm }),
      ]
    ) {
      const proof = await key.prove({
        method: "GET",
        url: "https://a.example:443/x?y#z",
        iat: NOW,
        jti: "1",
      });
      const { payload, protectedHeader } = await jwtVerify(
        proof,
        EmbeddedJWK,
        { algorithms: [algorithm], currentDate: new Date(clock()) },
      );
      assertEquals(payload.htu, "https://a.example/x");
      assertEquals(key.thumbprint, await calculateJwkThumbprint(jwk as JWK));
      assert(!("d" in protectedHeader.jwk!));
    }
  });
}

Deno.test("DpopKey refuses keys that are not a pair", async () => {
  const { publicKey } = await generateEs256();
  const { privateKey } = key.keyPair;
  await assertRejects(
    () => DpopKey.import({ privateKey, publicKey }),
    TypeError,
    "do not match",
  );
});

Deno.test("thumbprintOf returns the thumbprint of RFC 9449 section 6.1", async () => {
  const jwk = requiredMembers({
    use: "sig",
    kty: "EC",
    x: "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
    y: "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
    crv: "P-256",
  });
  assertEquals(
    await thumbprintOf(jwk!),
    "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I",
  );
});

Deno.test("requiredMembers returns undefined without one of the members", () => {
  for (
    const jwk of [
      { kty: "EC", crv: "P-256", x: "a" },
      { kty: "EC", crv: "P-256", x: "a", y: 1 },
      { kty: ["EC"], crv: "P-256", x: "a", y: "b" },
      { kty: "oct", k: "a" },
      {},
    ]
  ) assertEquals(requiredMembers(jwk), undefined);
});

Deno.test("DpopKey is not extractable and shows no private key", async () => {
  await assertRejects(() => key.exportJwk(), TypeError, "not extractable");
  assertEquals(key.keyPair.privateKey.extractable, false);
  const open = await DpopKey.generate({ extractable: true });
  const { d } = await open.exportJwk();
  assert(!print(open).includes(d!));
});

const P384 = await crypto.subtle.generateKey(
  { name: "ECDSA", namedCurve: "P-384" },
  true,
  ["sign", "verify"],
);
const RSA = {
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const [PKCS1, SHORT, SHA_512] = await Promise.all([
  { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", ...RSA },
  { name: "RSA-PSS", hash: "SHA-256", ...RSA, modulusLength: 1024 },
  { name: "RSA-PSS", hash: "SHA-512", ...RSA },
].map((parameters) =>
  crypto.subtle.generateKey(parameters, true, ["sign", "verify"])
));
const jwkOf = ({ privateKey }: CryptoKeyPair) =>
  crypto.subtle.exportKey("jwk", privateKey);
const { d } = await jwkOf(await generateEs256(true));

const BAD_KEYS: [string, unknown][] = [
  ["a P-384 key pair", P384],
  ["a P-384 JWK", await jwkOf(P384)],
  ["an RSA key pair for PKCS #1", PKCS1],
  ["an RSA key pair for SHA-512", SHA_512],
  ["an RSA key pair of 1024 bits", SHORT],
  ["an RSA JWK of 1024 bits", {
    ...await jwkOf(SHORT!),
    alg: undefined,
  }],
  ["a JWK with the private key of another", { ...key.publicJwk, d }],
  ["a JWK without x", { kty: "EC", crv: "P-256", y: key.publicJwk.y, d }],
  ["an OKP JWK of another curve", { kty: "OKP", crv: "X25519", x: "a", d }],
  ["another type with the curve", { kty: "x", crv: "P-256", d }],
  ["null", {}],
  ["a public JWK", key.publicJwk],
  ["a shared secret", { kty: "oct", k: "AAAA" }],
  ["another curve", { kty: "EC", crv: "P-384", x: "a", y: "b", d: "c" }],
  ["garbage", { kty: "EC", crv: "P-256", x: "a", y: "b", d: "c" }],
  ["a key pair without keys", { privateKey: {}, publicKey: {} }],
];

for (const [name, source] of BAD_KEYS) {
  Deno.test(`DpopKey refuses ${name}`, async () => {
    await assertRejects(
      () => DpopKey.import(source as JsonWebKey),
      TypeError,
      "Cannot use the DPoP key: ",
    );
  });
}

Deno.test("DpopKey refuses an unknown algorithm", async () => {
  for (const algorithm of ["HS256", "none", "toString"]) {
    await assertRejects(
      () => DpopKey.generate({ algorithm: algorithm as "ES256" }),
      TypeError,
      "must be one of ES256, EdDSA, Ed25519, PS256",
    );
  }
});
