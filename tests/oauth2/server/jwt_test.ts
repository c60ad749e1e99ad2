import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import {
  clientAssertion,
  type JwtKey,
  signJwt,
} from "../../../oauth2/server/jwt.ts";
import { NOW } from "../_client.ts";
import { generateEs256, HS256_SECRET } from "../_jwt.ts";
import { print, printWithoutStack } from "../_print.ts";

const rsa = await crypto.subtle.generateKey(
  {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  true,
  ["sign", "verify"],
);
const ec = await generateEs256(true);
const SECRET = HS256_SECRET;
const secretBytes = new TextEncoder().encode(SECRET);
const rsaPem = await pem("pkcs8", rsa.privateKey);
const rsaPublicJwk = await jwk(rsa.publicKey);

/** Exports a key without its algorithm and usages. */
async function jwk(key: CryptoKey): Promise<Record<string, unknown>> {
  const { alg: _, ext: __, key_ops: ___, ...numbers } = await crypto.subtle
    .exportKey("jwk", key);
  return { ...numbers };
}

async function pem(format: "pkcs8" | "spki", key: CryptoKey): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.exportKey(format, key));
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g)!;
  const label = `${format === "spki" ? "PUBLIC" : "PRIVATE"} KEY`;
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""]
    .join("\n");
}

const CURVES = [
  ["ES256", "ECDSA", "P-256"],
  ["ES384", "ECDSA", "P-384"],
  ["ES512", "ECDSA", "P-521"],
  ["Ed25519", "Ed25519", ""],
  ["EdDSA", "Ed25519", ""],
] as const;

/** Returns a case for a PEM of an elliptic curve. */
async function pemOfCurve(
  [algorithm, name, namedCurve]: typeof CURVES[number],
): Promise<readonly [string, string, string, CryptoKey]> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name, namedCurve },
    true,
    ["sign", "verify"],
  ) as CryptoKeyPair;
  return [
    "a PKCS #8 PEM",
    algorithm,
    await pem("pkcs8", privateKey),
    publicKey,
  ];
}

const hmacKey = await crypto.subtle.importKey(
  "raw",
  secretBytes,
  { name: "HMAC", hash: "SHA-256" },
  false,
  ["sign"],
);
const ecdsa = await generateEs256();

for (
  const [kind, algorithm, key, verifyWith] of [
    ["a string", "HS256", SECRET, secretBytes],
    ["bytes", "HS256", secretBytes, secretBytes],
    ["a CryptoKey for HMAC", "HS256", hmacKey, secretBytes],
    ["a JWK of a secret", "HS256", {
      kty: "oct",
      k: btoa(SECRET).replace(/=+$/, ""),
    }, secretBytes],
    ["a CryptoKey", "ES256", ecdsa.privateKey, ecdsa.publicKey],
    ["a JWK", "ES256", await jwk(ec.privateKey), await jwk(ec.publicKey)],
    ["a PKCS #8 PEM", "RS256", rsaPem, rsaPublicJwk],
    ["a PKCS #8 PEM, for PSS", "PS256", rsaPem, rsaPublicJwk],
    ["a PKCS #8 PEM and SHA-512", "RS512", rsaPem, rsaPublicJwk],
    ...await Promise.all(CURVES.map(pemOfCurve)),
  ] as [string, string, JwtKey["key"], Parameters<typeof jwtVerify>[1]][]
) {
  Deno.test(`signJwt signs with ${algorithm} and ${kind}`, async () => {
    const claims = Object.freeze({ iss: "otter", list: [1, { a: null }] });
    const jwt = await signJwt(claims, { algorithm, key });
    const { payload, protectedHeader } = await jwtVerify(jwt, verifyWith, {
      algorithms: [algorithm],
    });
    assertEquals(payload as unknown, claims);
    assertEquals(protectedHeader as unknown, { alg: algorithm });
  });
}

Deno.test("signJwt adds kid to the header", async () => {
  const jwt = await signJwt({}, { algorithm: "HS256", key: SECRET, kid: "" });
  assertEquals(decodeProtectedHeader(jwt).kid, "");
});

const key = rsaPem;
const [, keyText = ""] = key.split("\n");
const REQUIRED = /algorithm and key are required/;
for (
  const [fault, encoding, message] of [
    ["the algorithm none", { algorithm: "none", key: SECRET }, /"none"/],
    ["the algorithm None", { algorithm: "None", key: SECRET }, /./],
    ["no algorithm", { algorithm: "", key: SECRET }, REQUIRED],
    ["no key", { algorithm: "HS256", key: "" }, REQUIRED],
    ["undefined", undefined, REQUIRED],
    ["a string", SECRET, REQUIRED],
    ["a PEM with HS256", { algorithm: "HS256", key }, /PEM/],
    ["bytes of a PEM with HS256", {
      algorithm: "HS256",
      key: new TextEncoder().encode(key),
    }, /PEM/],
    ["a subarray with a PEM and HS384", {
      algorithm: "HS384",
      key: new TextEncoder().encode(`before ${key}`).subarray(7),
    }, /PEM/],
    ["bytes of a public PEM with HS256", {
      algorithm: "HS256",
      key: new TextEncoder().encode(await pem("spki", rsa.publicKey)),
    }, /PEM/],
    ["a PEM after other text with HS512", {
      algorithm: "HS512",
      key: `\n# mine\n${key}`,
    }, /PEM/],
    ["a public key", {
      algorithm: "RS256",
      key: await pem("spki", rsa.publicKey),
    }, /PKCS ?#8/],
    ["an invalid PEM", {
      algorithm: "RS256",
      key: `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
    }, /./],
    ["a key of another type", { algorithm: "ES256", key }, /./],
    ["a JWK of another type", {
      algorithm: "HS256",
      key: await jwk(rsa.privateKey),
    }, /./],
    ["an unknown algorithm", { algorithm: "XX1", key: SECRET }, /./],
    ["bytes for a private key", { algorithm: "RS256", key: secretBytes }, /./],
    ["an object", { algorithm: "RS256", key: { secret: SECRET } }, /./],
  ] as [string, JwtKey, RegExp][]
) {
  Deno.test(`signJwt refuses ${fault} and shows no key`, async () => {
    const error = await assertRejects(
      () => signJwt({ note: SECRET }, encoding),
      TypeError,
    ) as Error;
    assert(message.test(error.message), error.message);
    const shown = print(error);
    assert(!shown.includes(SECRET) && !shown.includes(keyText), shown);
  });
}

for (const claims of [undefined, null, "text", [1]]) {
  Deno.test(`signJwt refuses ${JSON.stringify(claims)} as claims`, async () => {
    const key = { algorithm: "HS256", key: SECRET };
    await assertRejects(
      () => signJwt(claims as never, key),
      TypeError,
      "the claims must be an object",
    );
  });
}

Deno.test("clientAssertion signs iss, sub, aud, iat, exp and a new jti", async () => {
  const key = { algorithm: "HS256", key: SECRET, kid: "1" };
  const jwt = await clientAssertion(
    "abc",
    "https://x.example",
    key,
    NOW * 1000 + 999,
  );
  const { jti, ...claims } = decodeJwt(jwt);
  assertEquals(claims, {
    iss: "abc",
    sub: "abc",
    aud: "https://x.example",
    iat: NOW,
    exp: NOW + 60,
  });
  assertEquals(decodeProtectedHeader(jwt), { alg: "HS256", kid: "1" });
  const other = await clientAssertion(
    "abc",
    "https://x.example",
    key,
    NOW * 1000,
  );
  assert(jti && jti !== decodeJwt(other).jti);
});

for (
  const [missing, id, key] of [
    ["an id", "", { algorithm: "HS256", key: SECRET }],
    ["a key", "abc", undefined],
  ] as const
) {
  Deno.test(`clientAssertion without ${missing} throws`, async () => {
    await assertRejects(
      () => clientAssertion(id, "x", key),
      TypeError,
      "clientId and key are required",
    );
  });
}

for (
  const [where, claims] of [
    ["a claim", { note: () => "hush-hush" }],
    ["a claim that is a method", {
      note() {
        return "hush-hush";
      },
    }],
    ["a member of a claim", { act: { note: () => "hush-hush" } }],
    ["a list", { roles: ["read", () => "hush-hush"] }],
  ] as [string, Record<string, unknown>][]
) {
  Deno.test(`signJwt refuses a function in ${where} and does not show it`, async () => {
    const error = await assertRejects(
      () => signJwt(claims, { algorithm: "HS256", key: SECRET }),
      TypeError,
      "Cannot sign the assertion: ",
    );
    assert(!printWithoutStack(error).includes("hush"), print(error));
  });
}
