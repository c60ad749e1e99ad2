import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { CompactSign, exportSPKI } from "jose";
import { ConnectionError, OAuth2Error } from "../../../oauth2/mod.ts";
import {
  clientKeys,
  type IdTokenChecks,
  IdTokenValidator,
  type IdTokenValidatorOptions,
  ValidationError,
} from "../../../oauth2/oidc/mod.ts";
import {
  type Answers,
  idTokenClaims,
  issueJwt,
  keyPair,
  Provider,
  publicJwk,
} from "../_openid_provider.ts";

/** Answers with the keys of these names. */
const withKeys = (...names: string[]): Answers => ({
  "/keys": async () => ({
    keys: await Promise.all(names.map((name) => publicJwk(name))),
  }),
});

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await assertRejects(() => call, ValidationError);
  return (error as ValidationError).code;
}

Deno.test("IdTokenValidator refuses a client without id or issuer", () => {
  const { client } = new Provider({}, { issuer: "" });
  for (const part of [{ id: undefined }, { issuer: undefined }]) {
    const partial = {
      id: "abc",
      secret: undefined,
      issuer: "https://x.example",
      metadata: client.metadata,
      connectionOpts: {},
      now: () => 0,
      get: () => Promise.reject(),
      ...part,
    };
    assertThrows(() => new IdTokenValidator(partial), TypeError, "no id");
  }
});

for (
  const [options, message] of [
    [{ algorithms: ["none"] }, 'the algorithm "none"'],
    [{ algorithms: ["RS256", "rs256"] }, 'the algorithm "rs256"'],
    [{ algorithms: ["RS1"] }, 'the algorithm "RS1"'],
  ] as const
) {
  Deno.test(`IdTokenValidator refuses the options ${JSON.stringify(options)}`, () => {
    const { client } = new Provider();
    assertThrows(
      () => new IdTokenValidator(client, options as IdTokenValidatorOptions),
      TypeError,
      message,
    );
  });
}

for (
  const [checks, message] of [
    [{ max_age: NaN }, "max_age NaN"],
    [{ max_age: "60" }, "max_age 60"],
  ] as const
) {
  Deno.test(`validate refuses the check ${JSON.stringify(checks)}`, async () => {
    const validator = new IdTokenValidator(new Provider().client);
    await assertRejects(
      () =>
        validator.validate("e30.e30.e30", checks as unknown as IdTokenChecks),
      TypeError,
      message,
    );
  });
}

Deno.test("validate throws a TypeError if the metadata has no jwks_uri", async () => {
  const { client } = new Provider({}, {}, { jwks_uri: null });
  const jwt = await issueJwt(idTokenClaims());
  await assertRejects(
    () => new IdTokenValidator(client).validate(jwt),
    TypeError,
    "no jwks_uri",
  );
});

Deno.test("validate refuses a nonce that is not expected", async () => {
  const { client } = new Provider(withKeys("rs256"));
  const validator = new IdTokenValidator(client);
  const jwt = await issueJwt(idTokenClaims("a nonce"));
  assertEquals(await codeOf(validator.validate(jwt)), "invalid_nonce");
  assertEquals((await validator.validate(jwt, { nonce: false })).sub, "ana");
  const without = await issueJwt(idTokenClaims());
  assertEquals((await validator.validate(without)).sub, "ana");
});

Deno.test("validate refuses another user than sub", async () => {
  const { client } = new Provider(withKeys("rs256"));
  const validator = new IdTokenValidator(client);
  const jwt = await issueJwt(idTokenClaims());
  assertEquals((await validator.validate(jwt, { sub: "ana" })).sub, "ana");
  assertEquals(
    await codeOf(validator.validate(jwt, { sub: "eve" })),
    "invalid_sub",
  );
});

for (const name of ["access_token", "code", "state"] as const) {
  Deno.test(`validate with requireHashes refuses a missing hash of the ${name}`, async () => {
    const { client } = new Provider(withKeys("rs256"));
    const validator = new IdTokenValidator(client);
    const jwt = await issueJwt(idTokenClaims());
    const checks = { [name]: "x", requireHashes: true };
    const claim = { access_token: "at", code: "c", state: "s" }[name];
    assertEquals(
      await codeOf(validator.validate(jwt, checks)),
      `invalid_${claim}_hash`,
    );
  });
}

Deno.test("validate refuses HS256 for a client without secret", async () => {
  const { client } = new Provider();
  const validator = new IdTokenValidator(
    {
      id: client.id,
      secret: undefined,
      issuer: client.issuer,
      metadata: client.metadata,
      connectionOpts: {},
      now: () => client.now(),
      get: () => Promise.reject(new Error("no request is expected")),
    },
    { algorithms: ["HS256"] },
  );
  const jwt = await issueJwt(idTokenClaims(), { key: "secret" });
  assertEquals(await codeOf(validator.validate(jwt)), "unknown_key");
});

/** Changes the unused bits of the last character. */
function changeUnusedBits(text: string): string {
  const alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const index = alphabet.indexOf(text.at(-1)!);
  return text.slice(0, -1) + alphabet[index ^ 1];
}

for (
  const [title, change] of [
    ["a newline", (jwt: string) => `${jwt}\n`],
    ["a space", (jwt: string) => `${jwt} `],
    ["padding", (jwt: string) => `${jwt}==`],
    ["a space before it", (jwt: string) => ` ${jwt}`],
    ["base64", (jwt: string) => jwt.replace(/[-_]/g, "+")],
    ["other unused bits", changeUnusedBits],
    ["no signature", (jwt: string) => jwt.replace(/[^.]+$/, "")],
  ] as const
) {
  Deno.test(`validate refuses a JWT with ${title}`, async () => {
    const { client } = new Provider(withKeys("rs256"));
    const validator = new IdTokenValidator(client);
    const jwt = await issueJwt(idTokenClaims());
    await validator.validate(jwt);
    assert(change(jwt) !== jwt);
    const code = await codeOf(validator.validate(change(jwt)));
    assert(["invalid_signature", "malformed_jwt"].includes(code), code);
  });
}

for (
  const typ of [
    "at+jwt",
    "AT+JWT",
    "application/at+jwt",
    "at+jwt;x=1",
    "at+jwt ; x=1",
    ["at+jwt"],
    ["JWT"],
    7,
    {},
  ]
) {
  Deno.test(`validate refuses the typ ${JSON.stringify(typ)}`, async () => {
    const { client } = new Provider(withKeys("rs256"));
    const jwt = await issueJwt(idTokenClaims(), { header: { typ } });
    const call = new IdTokenValidator(client).validate(jwt);
    assertEquals(await codeOf(call), "malformed_jwt");
  });
}

Deno.test("validate asks for algorithms if the metadata lists no asymmetric one", async () => {
  const { client } = new Provider(withKeys("rs256"), {}, {
    id_token_signing_alg_values_supported: ["HS256", "none"],
  });
  const jwt = await issueJwt(idTokenClaims());
  await assertRejects(
    () => new IdTokenValidator(client).validate(jwt),
    ValidationError,
    "list those to accept in algorithms",
  );
});

Deno.test("validate never uses the public key as a secret", async () => {
  const { client } = new Provider(withKeys("rs256"));
  const validator = new IdTokenValidator(client, {
    algorithms: ["RS256", "HS256"],
  });
  const { publicKey } = await keyPair("rs256");
  const pem = new TextEncoder().encode(await exportSPKI(publicKey));
  const claims = new TextEncoder().encode(JSON.stringify(idTokenClaims()));
  const jwt = await new CompactSign(claims)
    .setProtectedHeader({ alg: "HS256", kid: "rs256" }).sign(pem);
  assertEquals(await codeOf(validator.validate(jwt)), "invalid_signature");
});

for (const payload of ["", "[]", "7", "null", "{", '"ana"', "\xff"]) {
  Deno.test(`validate refuses the signed payload ${JSON.stringify(payload)}`, async () => {
    const { client } = new Provider(withKeys("es256"));
    const { privateKey } = await keyPair("es256");
    const bytes = Uint8Array.from(payload, (char) => char.charCodeAt(0));
    const jwt = await new CompactSign(bytes)
      .setProtectedHeader({ alg: "ES256", kid: "es256" }).sign(privateKey);
    const call = new IdTokenValidator(client).validate(jwt);
    assertEquals(await codeOf(call), "malformed_jwt");
  });
}

Deno.test("validate fetches the keys without redirects, client authentication and snake case", async () => {
  const seen: Request[] = [];
  const provider = new Provider({
    "/keys": async (request) => {
      seen.push(request);
      return { keys: [await publicJwk("rs256", { "x5t#S256": "A" })] };
    },
  });
  const validator = new IdTokenValidator(provider.client);
  await validator.validate(await issueJwt(idTokenClaims()));
  assertEquals(seen.map(({ method }) => method), ["GET"]);
  assertEquals(seen[0]?.headers.get("authorization"), null);
});

Deno.test("validate refuses a redirect of the keys", async () => {
  const { client, paths } = new Provider({
    "/keys": () => Response.redirect("https://provider.example/other"),
  });
  const jwt = await issueJwt(idTokenClaims());
  await assertRejects(
    () => new IdTokenValidator(client).validate(jwt),
    OAuth2Error,
  );
  assertEquals(paths, ["/keys"]);
});

Deno.test("validate refuses keys over the size limit of the client", async () => {
  const { client } = new Provider(withKeys("rs256"), {
    connectionOpts: { maxBodyBytes: 100 },
  });
  const jwt = await issueJwt(idTokenClaims());
  await assertRejects(
    () => new IdTokenValidator(client).validate(jwt),
    OAuth2Error,
    "longer than 100 bytes",
  );
});

Deno.test("validate throws a ConnectionError without a connection", async () => {
  const { client } = new Provider({}, {
    fetch: () => Promise.reject(new TypeError("fetch failed")),
  });
  const jwt = await issueJwt(idTokenClaims());
  await assertRejects(
    () => new IdTokenValidator(client).validate(jwt),
    ConnectionError,
  );
});

Deno.test("validate throws the error of the keys with raiseErrors: false", async () => {
  const { client } = new Provider({}, { raiseErrors: false });
  const jwt = await issueJwt(idTokenClaims());
  await assertRejects(
    () => new IdTokenValidator(client).validate(jwt),
    OAuth2Error,
  );
});

Deno.test("validate fetches keys of another origin than allowedOrigins", async () => {
  const { client } = new Provider(withKeys("rs256"), {
    allowedOrigins: ["https://api.example"],
  });
  const jwt = await issueJwt(idTokenClaims());
  assertEquals((await new IdTokenValidator(client).validate(jwt)).sub, "ana");
});

Deno.test("validate rejects with the reason of its signal", async () => {
  const provider = new Provider({ "/keys": () => new Promise(() => {}) });
  const controller = new AbortController();
  const jwt = await issueJwt(idTokenClaims());
  const call = new IdTokenValidator(provider.client)
    .validate(jwt, { signal: controller.signal });
  const rejected = assertRejects(() => call, Error, "enough");
  controller.abort(new Error("enough"));
  await rejected;
});

Deno.test("validate shares one request for the keys among concurrent calls", async () => {
  const provider = new Provider(withKeys("rs256"));
  const validator = new IdTokenValidator(provider.client);
  const jwt = await issueJwt(idTokenClaims());
  await Promise.all(
    Array.from({ length: 20 }, () => validator.validate(jwt)),
  );
  assertEquals(provider.keyRequests, 1);
});

Deno.test("validate fetches the keys once more if the only key was replaced without kid", async () => {
  let name = "rs256";
  const provider = new Provider({
    "/keys": async () => ({ keys: [await publicJwk(name, { kid: null })] }),
  });
  const validator = new IdTokenValidator(provider.client);
  const issue = () =>
    issueJwt(idTokenClaims(), { key: name, header: { kid: null } });
  await validator.validate(await issue());
  name = "rs256-2";
  assertEquals(
    await codeOf(validator.validate(await issue())),
    "invalid_signature",
  );
  provider.now += 30;
  await validator.validate(await issue());
  assertEquals(provider.keyRequests, 2);
});

Deno.test("validate uses the cache of keys of the caller", async () => {
  const provider = new Provider(withKeys("rs256"));
  const keys = clientKeys(provider.client)!;
  const jwt = await issueJwt(idTokenClaims());
  for (let i = 0; i < 3; i++) {
    await new IdTokenValidator(provider.client, { keys }).validate(jwt);
  }
  assertEquals(provider.keyRequests, 1);
});

Deno.test("validate refuses an RSA key of 1024 bits", async () => {
  const { publicKey } = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 1024,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  const weak = await crypto.subtle.exportKey("jwk", publicKey);
  const { client } = new Provider({
    "/keys": () => ({ keys: [{ ...weak, kid: "rs256" }] }),
  });
  const jwt = await issueJwt(idTokenClaims());
  assertEquals(
    await codeOf(new IdTokenValidator(client).validate(jwt)),
    "invalid_signature",
  );
});

Deno.test("validate throws a ValidationError for any text and any value", async () => {
  const { client } = new Provider(withKeys("rs256"));
  const validator = new IdTokenValidator(client);
  const part = fc.oneof(
    fc.base64String(),
    fc.json().map((text) => btoa(unescape(encodeURIComponent(text)))),
    fc.constantFrom("e30", btoa('{"alg":"RS256"}'), btoa('{"alg":"none"}')),
  );
  const jwt = fc.oneof(
    fc.anything(),
    fc.string(),
    fc.array(part, { maxLength: 6 }).map((parts) => parts.join(".")),
  );
  await fc.assert(fc.asyncProperty(jwt, async (jwt) => {
    const error = await validator.validate(jwt).then(
      () => {},
      (error) => error,
    );
    assert(error instanceof ValidationError, String(error));
  }));
});

for (
  const [claims, code] of [
    [{ acr: 1 }, "invalid_acr"],
    [{ acr: ["gold"] }, "invalid_acr"],
    [{ amr: "pwd" }, "invalid_amr"],
    [{ amr: ["pwd", 7] }, "invalid_amr"],
    [{ auth_time: "1700000000" }, "invalid_auth_time"],
    [{ sid: 7 }, "invalid_sid"],
    [{ sid: {} }, "invalid_sid"],
    [{ nonce: 7 }, "invalid_nonce"],
  ] as const
) {
  Deno.test(`validate refuses the claims ${JSON.stringify(claims)}`, async () => {
    const { client } = new Provider(withKeys("rs256"));
    const jwt = await issueJwt({ ...idTokenClaims(), ...claims });
    const error = await assertRejects(
      () => new IdTokenValidator(client).validate(jwt, { nonce: false }),
      ValidationError,
    );
    assertEquals(error.code, code);
  });
}

Deno.test("validate throws a ValidationError for any claims, or returns a sub", async () => {
  const { client } = new Provider(withKeys("es256"));
  const validator = new IdTokenValidator(client);
  const names = "iss sub aud azp exp iat nbf nonce at_hash auth_time acr tid";
  const claims = fc.dictionary(
    fc.constantFrom(...names.split(" ")),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(claims, async (changes) => {
      const jwt = await issueJwt({ ...idTokenClaims(), ...changes }, {
        key: "es256",
      });
      try {
        const { sub } = await validator.validate(jwt, { access_token: "a" });
        assert(typeof sub === "string" && sub !== "");
      } catch (error) {
        assert(error instanceof ValidationError, String(error));
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("validate refuses a JWT of more than 100,000 characters", async () => {
  const { client } = new Provider(withKeys("rs256"));
  const validator = new IdTokenValidator(client);
  const jwt = await issueJwt(idTokenClaims());
  await validator.validate(jwt);
  const error = await assertRejects(
    () => validator.validate(jwt + "A".repeat(100_000)),
    ValidationError,
    "it is not a signed JWT, or too long",
  );
  assertEquals(error.code, "malformed_jwt");
});

for (
  const [secret, algorithms, warnings] of [
    ["curto", ["HS256"], [
      "the secret is too short for HS256",
    ]],
    ["x".repeat(32), ["RS256", "HS256"], []],
    ["x".repeat(32), ["HS256", "HS512"], ["is too short for HS512"]],
    ["curto", ["RS256"], []],
    [undefined, ["HS256"], []],
  ] as const
) {
  Deno.test(`IdTokenValidator with ${algorithms} warns ${warnings.length} times of the secret ${secret}`, () => {
    const lines: string[] = [];
    const client = {
      id: "abc",
      secret,
      issuer: "https://provider.example",
      metadata: undefined,
      connectionOpts: {},
      now: () => 0,
      get: () => Promise.reject(new Error("sent")),
      warn: (line: string) => lines.push(line),
    };
    new IdTokenValidator(client, { algorithms });
    assertEquals(lines.length, warnings.length);
    for (const [i, warning] of warnings.entries()) {
      assert(lines[i]!.includes(warning), lines[i]);
    }
  });
}
