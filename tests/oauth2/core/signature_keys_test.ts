/** Signatures by Web Crypto, compared with those of `jose`. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  CompactSign,
  compactVerify,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
} from "jose";
import { type JwtKey, signJwt } from "../../../oauth2/server/jwt.ts";
import { isSigned } from "../../../oauth2/oidc/verify_jwt.ts";
import { findAlgorithm } from "../../../oauth2/core/signature_algorithms.ts";
import { importKey } from "../../../oauth2/core/signature_keys.ts";

const CLAIMS = { iss: "otter", note: "ação" };
const PAYLOAD = new TextEncoder().encode(JSON.stringify(CLAIMS));
const ALGORITHMS =
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519"
    .split(" ");
const SECRET = new TextEncoder().encode("s".repeat(64));

/** Keys by algorithm. */
const pairs = new Map(
  await Promise.all(ALGORITHMS.map(async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, {
      extractable: true,
    });
    return [alg, {
      privateKey,
      publicKey,
      privateJwk: await exportJWK(privateKey) as Record<string, unknown>,
      publicJwk: await exportJWK(publicKey) as Record<string, unknown>,
      pem: await exportPKCS8(privateKey),
    }] as const;
  })),
);

/** Returns true for one algorithm, which may have two names. */
function isSame(a: string, b: string): boolean {
  return JSON.stringify(findAlgorithm(a)) === JSON.stringify(findAlgorithm(b));
}

type SigningKey = Parameters<CompactSign["sign"]>[0];

/** Signs with `jose`. */
async function signed(alg: string, key: SigningKey): Promise<string> {
  return await new CompactSign(PAYLOAD).setProtectedHeader({ alg }).sign(key);
}

/** Verifies a key that may be of any type. */
async function verifies(jwt: string, key: unknown, alg: string) {
  return await isSigned(jwt, key as Uint8Array, alg);
}

for (
  const [alg, { privateKey, publicKey, privateJwk, publicJwk, pem }] of pairs
) {
  Deno.test(`isSigned verifies ${alg} of jose, and no other text`, async () => {
    const jwt = await signed(alg, privateKey);
    const [header = "", claims = "", signature = ""] = jwt.split(".");
    assertEquals(await verifies(jwt, publicJwk, alg), true);
    // From the cache.
    assertEquals(await verifies(jwt, publicJwk, alg), true);
    const other = signature.replace(/^./, (first) => first === "A" ? "B" : "A");
    for (
      const [name, text] of Object.entries({
        "a changed signature": `${header}.${claims}.${other}`,
        "a shorter signature": `${header}.${claims}.${signature.slice(0, -4)}`,
        "no signature": `${header}.${claims}.`,
        "padding": `${jwt}==`,
        "whitespace": `${jwt} `,
        "changed claims": `${header}.${claims.slice(0, -4)}.${signature}`,
        "a changed header": `${header}A.${claims}.${signature}`,
        "no dot": signature,
      })
    ) {
      assertEquals(await verifies(text, publicJwk, alg), false, name);
    }
  });

  Deno.test(`isSigned verifies ${alg} with no key of another algorithm`, async () => {
    const jwt = await signed(alg, privateKey);
    for (const [other, { publicJwk: jwk }] of pairs) {
      if (other === alg) continue;
      assertEquals(await verifies(jwt, jwk, alg), false, other);
      if (isSame(other, alg)) continue;
      assertEquals(await verifies(jwt, publicJwk, other), false, other);
    }
    // The public key as the secret of an HS algorithm.
    const text = new TextEncoder().encode(JSON.stringify(publicJwk));
    assertEquals(await verifies(jwt, text, alg), false);
    assertEquals(await verifies(jwt, publicJwk, "HS256"), false);
    assertEquals(await verifies(jwt, publicJwk, "none"), false);
  });

  Deno.test(`isSigned uses no JWK that is not for ${alg} or signatures`, async () => {
    const jwt = await signed(alg, privateKey);
    for (
      const jwk of [
        privateJwk,
        { ...publicJwk, use: "enc" },
        { ...publicJwk, key_ops: ["encrypt"] },
        { ...publicJwk, alg: "XX1" },
        { ...publicJwk, kty: "oct" },
        { ...publicJwk, x: undefined, n: undefined },
        {},
      ]
    ) {
      assertEquals(await verifies(jwt, jwk, alg), false, JSON.stringify(jwk));
    }
    const right = { ...publicJwk, alg, use: "sig", key_ops: ["verify"] };
    assertEquals(await verifies(jwt, right, alg), true);
  });

  for (
    const [kind, key] of [
      ["a CryptoKey", privateKey],
      ["a JWK", privateJwk],
      ["a JWK for signatures", { ...privateJwk, alg, use: "sig" }],
      ["a PEM", pem],
    ] as [string, JwtKey["key"]][]
  ) {
    Deno.test(`signJwt signs with ${alg} and ${kind}, as jose verifies`, async () => {
      const jwt = await signJwt(
        CLAIMS,
        { algorithm: alg, key, kid: "k" },
        "JWT",
      );
      const { payload, protectedHeader } = await compactVerify(jwt, publicKey);
      assertEquals(payload, PAYLOAD);
      assertEquals(protectedHeader as unknown, { alg, kid: "k", typ: "JWT" });
    });
  }

  for (
    const [kind, key] of [
      ["a public CryptoKey", publicKey],
      ["a public JWK", publicJwk],
      ["a JWK of another algorithm", { ...privateJwk, alg: "XX1" }],
      ["a JWK for encryption", { ...privateJwk, use: "enc" }],
      ["a JWK that verifies", { ...privateJwk, key_ops: ["verify"] }],
      ["bytes", SECRET],
    ] as [string, JwtKey["key"]][]
  ) {
    Deno.test(`signJwt with ${alg} refuses ${kind}`, async () => {
      await assertRejects(
        () => signJwt(CLAIMS, { algorithm: alg, key }),
        TypeError,
        `the key cannot sign with ${alg}`,
      );
    });
  }

  Deno.test(`signJwt with ${alg} refuses the keys of other algorithms`, async () => {
    for (const [other, { privateKey: key }] of pairs) {
      if (isSame(other, alg)) continue;
      const signing = signJwt(CLAIMS, { algorithm: alg, key });
      await assertRejects(
        () => signing,
        TypeError,
        "the key cannot",
        other,
      );
    }
  });
}

for (const alg of ["HS256", "HS384", "HS512"]) {
  Deno.test(`isSigned and signJwt use secrets for ${alg} as jose does`, async () => {
    const jwt = await signed(alg, SECRET);
    assertEquals(await signJwt(CLAIMS, { algorithm: alg, key: SECRET }), jwt);
    assertEquals(await verifies(jwt, SECRET, alg), true);
    assertEquals(await verifies(jwt, SECRET.slice(1), alg), false);
    assertEquals(await verifies(jwt, new Uint8Array(), alg), false);
    const hmac = { name: "HMAC", hash: "SHA-1" };
    const key = await crypto.subtle
      .importKey("raw", SECRET, hmac, false, ["sign"]);
    await assertRejects(
      () => signJwt(CLAIMS, { algorithm: alg, key }),
      TypeError,
      `the key cannot sign with ${alg}`,
    );
  });
}

for (const name of ["RSASSA-PKCS1-v1_5", "RSA-PSS"]) {
  Deno.test(`importKey refuses a key of ${name} with 1024 bits`, async () => {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(
      {
        name,
        hash: "SHA-256",
        modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]),
      },
      true,
      ["sign", "verify"],
    );
    const alg = name === "RSA-PSS" ? "PS256" : "RS256";
    const { alg: _, ext: __, key_ops: ___, ...jwk } = await crypto.subtle
      .exportKey("jwk", publicKey);
    await assertRejects(
      () => importKey(privateKey, alg, "sign"),
      Error,
      "the key cannot",
    );
    await assertRejects(
      () => importKey(jwk, alg, "verify"),
      Error,
      "the key cannot",
    );
  });
}

for (const alg of ["none", "None", "XX1", "RS1", "HS257", "", "__proto__"]) {
  Deno.test(`importKey does not support the algorithm "${alg}"`, async () => {
    await assertRejects(
      () => importKey(SECRET, alg, "verify"),
      Error,
      `the algorithm "${alg}" is not supported`,
    );
    assertEquals(await verifies("a.b.YQ", SECRET, alg), false);
  });
}
