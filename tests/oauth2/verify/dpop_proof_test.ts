import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { base64url, exportJWK, generateKeyPair, SignJWT } from "jose";
import { DpopKey, type ProofRequest } from "../../../oauth2/dpop/mod.ts";
import { sha256 } from "../../../oauth2/core/jwk.ts";
import { parseChallenges } from "../../../oauth2/core/challenges.ts";
import {
  DpopNonces,
  MemoryReplays,
  type TokenVerifierOptions,
} from "../../../oauth2/verify/mod.ts";
import { PEM, THUMBPRINT } from "../_certificate_files.ts";
import { NOW } from "../_client.ts";
import {
  bearer,
  createVerifier,
  dpopKey,
  otherKeys,
  refusal,
  type Setting,
  sign,
  URL_OF_NOTES,
  withProof,
} from "./_resource_server.ts";

const TOKEN = await sign({ cnf: { jkt: dpopKey.thumbprint } });
const privateJwk = await dpopKey.exportJwk();

/** Creates the proof of a request. */
function prove(
  request: Partial<ProofRequest> = {},
  key = dpopKey,
): Promise<string> {
  return key.prove({
    method: "GET",
    url: URL_OF_NOTES,
    iat: NOW,
    jti: crypto.randomUUID(),
    token: TOKEN,
    ...request,
  });
}

/** Signs a proof with other members in header and claims. */
async function forge(
  header: object = {},
  claims: object = {},
  key: CryptoKey = dpopKey.keyPair.privateKey as CryptoKey,
): Promise<string> {
  return await new SignJWT({
    htm: "GET",
    htu: "https://api.example/notes",
    iat: NOW,
    jti: crypto.randomUUID(),
    ath: await sha256(TOKEN),
    ...claims,
  }).setProtectedHeader({
    alg: "ES256",
    typ: "dpop+jwt",
    jwk: { ...dpopKey.publicJwk },
    ...header,
  } as { alg: string }).sign(key);
}

Deno.test("TokenVerifier accepts a bound token with a proof", async () => {
  const required = createVerifier({ binding: "required" });
  await required.verifier.verify(withProof(TOKEN, await prove()));
  const { verifier } = createVerifier({ binding: "dpop" });
  for (const iat of [NOW - 60, NOW + 10]) {
    await verifier.verify(withProof(TOKEN, await prove({ iat })));
  }
  const access = await verifier.verify(withProof(TOKEN, await prove()));
  assertEquals(access.scheme, "DPoP");
  assertEquals(access.headers.get("dpop-nonce"), null);
  for (const algorithm of ["EdDSA", "Ed25519", "PS256"] as const) {
    const key = await DpopKey.generate({ algorithm });
    const token = await sign({ cnf: { jkt: key.thumbprint } });
    await verifier.verify(withProof(token, await prove({ token }, key)));
  }
});

const SAME_URLS = [
  "https://api.example/notes",
  "https://API.example:443/notes?other#x",
  "https://api.example/x/../notes",
  "https://api.example/%6eotes",
];

for (const htu of SAME_URLS) {
  Deno.test(`TokenVerifier accepts a proof for ${htu}`, async () => {
    const { verifier } = createVerifier();
    await verifier.verify(withProof(TOKEN, await forge({}, { htu })));
  });
}

const p384 = await generateKeyPair("ES384", { extractable: true });
const rsa = await generateKeyPair("PS256", { extractable: true });
const rsaJwk = await exportJWK(rsa.publicKey);

const BAD_PROOFS: [string, () => Promise<string | undefined>][] = [
  ["no proof", () => Promise.resolve(undefined)],
  ["an empty proof", () => Promise.resolve("")],
  ["text", () => Promise.resolve("monkey")],
  ["JSON that is no object", () => Promise.resolve("W10.W10.W10")],
  ["two proofs", async () => `${await prove()}, ${await prove()}`],
  ["a huge proof", () => forge({}, { x: "x".repeat(9000) })],
  ["another typ", () => forge({ typ: "JWT" })],
  ["no typ", () => forge({ typ: undefined })],
  ["no jwk", () => forge({ jwk: undefined })],
  ["a jwk that is text", () => forge({ jwk: "x" })],
  ["a jwk that is a list", () => forge({ jwk: [] })],
  ["a private key", () => forge({ jwk: privateJwk })],
  [
    "a private key that is empty",
    () => forge({ jwk: { ...dpopKey.publicJwk, d: "" } }),
  ],
  ["a shared key", () => forge({ jwk: { kty: "oct", k: "AAAA" } })],
  ["a key of another type", () => forge({ jwk: rsaJwk })],
  ["a key of another curve", async () =>
    forge(
      { alg: "ES384", jwk: await exportJWK(p384.publicKey) },
      {},
      p384.privateKey as CryptoKey,
    )],
  [
    "a curve of another algorithm",
    async () => forge({ jwk: await exportJWK(p384.publicKey) }),
  ],
  ["a key type of Object", () => forge({ jwk: { kty: "toString" } })],
  [
    "a key off the curve",
    () => forge({ jwk: { ...dpopKey.publicJwk, x: dpopKey.publicJwk.y } }),
  ],
  [
    "a crit header",
    () => forge({}).then((proof) => tamper(proof, 0, { crit: ["x"] })),
  ],
  [
    "alg none",
    async () =>
      (await forge()).replace(/^[^.]*/, () =>
        base64url.encode(JSON.stringify({
          alg: "none",
          typ: "dpop+jwt",
          jwk: dpopKey.publicJwk,
        }))).replace(/[^.]*$/, ""),
  ],
  ["alg HS256", async () => {
    const secret = new TextEncoder().encode(JSON.stringify(dpopKey.publicJwk));
    const key = await crypto.subtle.importKey(
      "raw",
      secret,
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    return await forge({ alg: "HS256" }, {}, key);
  }],
  ["the signature of another key", () => forge({}, {}, otherKeys.privateKey)],
  ["tampered claims", async () => tamper(await forge(), 1, { jti: "other" })],
  ["another method", () => forge({}, { htm: "POST" })],
  ["a method in lower case", () => forge({}, { htm: "get" })],
  ["no method", () => forge({}, { htm: undefined })],
  ["another path", () => forge({}, { htu: "https://api.example/notes/" })],
  ["another host", () => forge({}, { htu: "https://evil.example/notes" })],
  ["another scheme", () => forge({}, { htu: "http://api.example/notes" })],
  ["another port", () => forge({}, { htu: "https://api.example:8443/notes" })],
  ["a user", () => forge({}, { htu: "https://a@api.example/notes" })],
  [
    "an escaped slash",
    () => forge({}, { htu: "https://api.example/%2fnotes" }),
  ],
  ["a relative URL", () => forge({}, { htu: "/notes" })],
  ["no URL", () => forge({}, { htu: undefined })],
  ["an old iat", () => forge({}, { iat: NOW - 61 })],
  ["a future iat", () => forge({}, { iat: NOW + 11 })],
  ["an iat that is text", () => forge({}, { iat: String(NOW) })],
  ["no iat", () => forge({}, { iat: undefined })],
  ["no jti", () => forge({}, { jti: undefined })],
  ["an empty jti", () => forge({}, { jti: "" })],
  ["a jti that is a number", () => forge({}, { jti: 1 })],
  ["a huge jti", () => forge({}, { jti: "x".repeat(2000) })],
  ["a nonce that is a number", () => forge({}, { nonce: 1 })],
  ["no ath", () => forge({}, { ath: undefined })],
  [
    "the ath of another token",
    async () => forge({}, { ath: await sha256("other") }),
  ],
];

/** Changes a part of a JWT, but not its signature. */
function tamper(jwt: string, index: number, members: object): string {
  const parts = jwt.split(".");
  const decoder = new TextDecoder();
  const part = JSON.parse(decoder.decode(base64url.decode(parts[index]!)));
  parts[index] = base64url.encode(JSON.stringify({ ...part, ...members }));
  return parts.join(".");
}

for (const [name, proof] of BAD_PROOFS) {
  Deno.test(`TokenVerifier refuses a request with ${name}`, async () => {
    const { verifier, sent } = createVerifier();
    const refused = await refusal(verifier, withProof(TOKEN, await proof()));
    assertEquals([refused.status, refused.code], [401, "invalid_dpop_proof"]);
    const [first, second] = parseChallenges(refused.challenges);
    assertEquals([first!.scheme, first!.params.error], ["bearer", undefined]);
    assertEquals(second!.params.error, "invalid_dpop_proof");
    assertEquals(second!.params.algs, "ES256 EdDSA Ed25519 PS256");
    assertEquals(sent, [], "A bad proof must not cause a request");
  });
}

Deno.test("TokenVerifier needs both keys of a token that is bound to two", async () => {
  const token = await sign({
    cnf: {
      jkt: dpopKey.thumbprint,
      "x5t#S256": THUMBPRINT,
    },
  });
  const { verifier } = createVerifier();
  const request = async () => withProof(token, await prove({ token }));
  await verifier.verify(await request(), { certificate: PEM });
  await refusal(verifier, await request());
  await refusal(verifier, bearer(token), { certificate: PEM });
});

Deno.test("TokenVerifier with binding dpop refuses a proof and a certificate alone", async () => {
  const cnf = { "x5t#S256": THUMBPRINT };
  const token = await sign({ cnf });
  const { verifier } = createVerifier({ binding: "dpop" });
  await refusal(verifier, bearer(token), { certificate: PEM });
  await refusal(verifier, withProof(token, await prove({ token })), {
    certificate: PEM,
  });
});

Deno.test("TokenVerifier refuses a proof that was used before", async () => {
  const { verifier } = createVerifier();
  const proof = await prove();
  await verifier.verify(withProof(TOKEN, proof));
  const refused = await refusal(verifier, withProof(TOKEN, proof));
  assertEquals(refused.code, "invalid_dpop_proof");
  // The same jti in a new proof is a replay, too; that of another key is not.
  await verifier.verify(withProof(TOKEN, await prove({ jti: "1" })));
  await refusal(
    verifier,
    withProof(TOKEN, await prove({ jti: "1", iat: NOW - 1 })),
  );
  const key = await DpopKey.generate();
  const token = await sign({ cnf: { jkt: key.thumbprint } });
  await verifier.verify(
    withProof(token, await prove({ jti: "1", token }, key)),
  );
});

Deno.test("TokenVerifier stores a proof with a fractional iat until a whole second", async () => {
  const seen: number[] = [];
  const replays = {
    add: (_: string, expiresAt: number) => seen.push(expiresAt) > 0,
  };
  const { verifier } = createVerifier({ replays });
  await verifier.verify(withProof(TOKEN, await prove({ iat: NOW - 0.5 })));
  assertEquals(seen, [NOW + 61]);
});

Deno.test("TokenVerifier accepts one of two concurrent uses of a proof", async () => {
  const { verifier } = createVerifier();
  const proof = await prove();
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => verifier.verify(withProof(TOKEN, proof))),
  );
  assertEquals(
    results.filter(({ status }) => status === "fulfilled").length,
    1,
  );
});

Deno.test("TokenVerifier shares used proofs through a store", async () => {
  const added: [string, number][] = [];
  const replays = {
    add: (key: string, expiresAt: number) =>
      Promise.resolve(added.push([key, expiresAt]) === 1),
  };
  const proof = await prove({ jti: "1" });
  await createVerifier({ replays }).verifier.verify(withProof(TOKEN, proof));
  await refusal(createVerifier({ replays }).verifier, withProof(TOKEN, proof));
  assertEquals(added, [
    [await sha256(`${dpopKey.thumbprint} 1`), NOW + 61],
    [await sha256(`${dpopKey.thumbprint} 1`), NOW + 61],
  ]);
});

Deno.test("TokenVerifier keeps an unproven token out of the store of proofs", async () => {
  const replays = new MemoryReplays({ clock: () => NOW * 1000 });
  const { verifier } = createVerifier({ replays });
  const unbound = await sign();
  const proof = await prove({ token: unbound });
  await refusal(verifier, withProof(unbound, proof));
  assertEquals(replays.size, 0);
});

Deno.test("MemoryReplays forgets expired keys, and the oldest at its maximum", () => {
  let now = 0;
  const replays = new MemoryReplays({ clock: () => now * 1000, maxEntries: 2 });
  assert(replays.add("a", 10));
  assert(!replays.add("a", 10));
  assert(replays.add("b", 20));
  now = 10;
  assert(replays.add("c", 30));
  assertEquals(replays.size, 2);
  assert(replays.add("d", 40));
  assertEquals(replays.size, 2);
  assert(replays.add("b", 40));
});

const BINDINGS: [string, () => Promise<Request>, Setting, string][] = [
  [
    "a bound token as a bearer token",
    () => Promise.resolve(bearer(TOKEN)),
    {},
    "the token is bound to a DPoP key and needs the scheme DPoP",
  ],
  [
    "an unbound token with a proof",
    async () => {
      const token = await sign();
      return withProof(token, await prove({ token }));
    },
    {},
    "the token is not bound to a DPoP key",
  ],
  [
    "a token of another key",
    async () => {
      const key = await DpopKey.generate();
      return withProof(TOKEN, await prove({}, key));
    },
    {},
    "the token is bound to another DPoP key",
  ],
  [
    "a bearer token if DPoP is required",
    async () => bearer(await sign()),
    { binding: "dpop" },
    "Bearer is not accepted",
  ],
  [
    "a bearer token if a binding is required",
    async () => bearer(await sign()),
    { binding: "required" },
    "the token is not bound to a key",
  ],
];

for (const [name, request, setting, message] of BINDINGS) {
  Deno.test(`TokenVerifier refuses ${name}`, async () => {
    const { verifier } = createVerifier(setting);
    const refused = await refusal(verifier, await request());
    assertEquals([refused.code, refused.message], ["invalid_token", message]);
  });
}

Deno.test("TokenVerifier asks for its nonce, and announces the next", async () => {
  let now = NOW;
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const nonces = new DpopNonces(secret, {
    lifetime: 100,
    clock: () => now * 1000,
  });
  const { verifier } = createVerifier({ nonces, now: () => now });
  const token = await sign({
    exp: NOW + 9999,
    cnf: { jkt: dpopKey.thumbprint },
  });
  const request = async (nonce?: string) =>
    withProof(token, await prove({ nonce, iat: now, token }));
  for (const nonce of [undefined, "", "other"]) {
    const refused = await refusal(verifier, await request(nonce));
    assertEquals(refused.code, "use_dpop_nonce");
    assertEquals(refused.nonce, await nonces.issue());
  }
  const first = await nonces.issue();
  const access = await verifier.verify(await request(first));
  assertEquals(access.headers.get("dpop-nonce"), null);
  now += 100;
  const later = await verifier.verify(await request(first));
  const second = later.headers.get("dpop-nonce")!;
  assert(second !== first);
  now += 100;
  const refused = await refusal(verifier, await request(first));
  assertEquals(refused.code, "use_dpop_nonce");
  await verifier.verify(await request(second));
});

Deno.test("DpopNonces of two processes agree, and refuse weak secrets", async () => {
  const clock = () => NOW * 1000;
  const secret = new Uint8Array(32).fill(1);
  const [a, b] = [1, 2].map(() => new DpopNonces(secret, { clock }));
  assert(await b!.isValid(await a!.issue()));
  const other = new DpopNonces(new Uint8Array(32), { clock });
  assert(!await other.isValid(await a!.issue()));
  assertThrows(() => new DpopNonces(new Uint8Array(31)), TypeError, "32 bytes");
  assertThrows(() => new DpopNonces(secret, { lifetime: 0 }), TypeError);
});

Deno.test("TokenVerifier compares the proof with the public URL", async () => {
  const options: Partial<TokenVerifierOptions> = {
    publicUrl: ({ url }) => `https://public.example${new URL(url).pathname}`,
  };
  const { verifier } = createVerifier(options);
  const url = "https://public.example/notes";
  await verifier.verify(withProof(TOKEN, await prove({ url })));
  const refused = await refusal(verifier, withProof(TOKEN, await prove()));
  assertEquals(refused.code, "invalid_dpop_proof");
});

/** Paths that a client may request, also ones that look like a host. */
const PATHS = ["/notes", "//evil.example/notes", "/a%2Fb", "/"];

for (const path of PATHS) {
  Deno.test(`TokenVerifier compares the proof for ${path} with its origin, not that of Host`, async () => {
    const own = `https://api.example${path}`;
    const seen = `http://evil.example${path}`;
    const { verifier } = createVerifier({ origin: "https://api.example" });
    const request = async (url: string) =>
      new Request(`${seen}?page=2`, {
        headers: {
          authorization: `DPoP ${TOKEN}`,
          dpop: await prove({ url }),
        },
      });
    await verifier.verify(await request(own));
    const refused = await refusal(verifier, await request(seen));
    assertEquals(refused.code, "invalid_dpop_proof");
  });
}

Deno.test("TokenVerifier refuses any text as proof", async () => {
  const { verifier } = createVerifier();
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aeyJ.-_=,{}"0 ') }),
    fc.tuple(fc.jsonValue(), fc.jsonValue(), fc.string())
      .map(([header, claims, signature]) =>
        [JSON.stringify(header), JSON.stringify(claims), signature]
          .map((part) => base64url.encode(part)).join(".")
      ),
  );
  await fc.assert(fc.asyncProperty(texts, async (proof) => {
    const refused = await refusal(verifier, withProof(TOKEN, proof));
    assertEquals(refused.code, "invalid_dpop_proof");
  }));
});
