import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { exportJWK, SignJWT } from "jose";
import { JarmValidator } from "../../../oauth2/server/jarm.ts";
import { SignIn } from "../../../oauth2/sign_in/mod.ts";
import {
  type ValidationCode,
  ValidationError,
} from "../../../oauth2/core/validation_error.ts";
import { createClient, NOW } from "../_client.ts";
import { generateEs256 } from "../_jwt.ts";

const ISSUER = "https://issuer.example";
const CALLBACK = "https://app.example/cb";
const keys = await generateEs256(true);
const jwk = { ...await exportJWK(keys.publicKey), kid: "k1" };

const CLAIMS = {
  iss: ISSUER,
  aud: "abc",
  exp: NOW + 600,
  code: "c0de",
  state: "st4te",
};

/** Signs a response; an undefined claim is left out. */
async function sign(claims: object = {}): Promise<string> {
  const jwt = await new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "k1" })
    .sign(keys.privateKey);
  return `${CALLBACK}?response=${jwt}`;
}

function createValidator(options = {}) {
  const client = createClient({
    issuer: ISSUER,
    metadata: {
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/keys`,
      authorization_signing_alg_values_supported: ["ES256", "HS256", "none"],
    },
    fetch: (url) =>
      Promise.resolve(Response.json(
        url === `${ISSUER}/keys` ? { keys: [jwk] } : { access_token: "monkey" },
      )),
  });
  return { client, jarm: new JarmValidator(client, options) };
}

Deno.test("JarmValidator returns the parameters of a signed response", async () => {
  const { jarm } = createValidator();
  const url = await sign({ expires_in: 60, aud: ["abc", "x"], iat: NOW });
  assertEquals(Object.fromEntries(await jarm.validate(url)), {
    iss: ISSUER,
    code: "c0de",
    state: "st4te",
    expires_in: "60",
  });
});

Deno.test("JarmValidator tolerates clocks that differ by ten seconds", async () => {
  const { jarm } = createValidator();
  for (
    const claims of [{ exp: NOW - 9 }, { iat: NOW + 10 }, { nbf: NOW + 10 }]
  ) {
    await jarm.validate(await sign(claims));
  }
});

Deno.test("JarmValidator rejects with the reason of its signal", async () => {
  const { jarm } = createValidator();
  const url = await sign();
  const signal = AbortSignal.abort(new Error("stopped"));
  await assertRejects(() => jarm.validate(url, { signal }), Error, "stopped");
});

Deno.test("JarmValidator reads a form, and its result completes a sign-in", async () => {
  const { client, jarm } = createValidator();
  const signIn = new SignIn(client);
  const flow = await signIn.start({ redirect_uri: CALLBACK, scope: "notes" });
  const { state } = flow.toJSON();
  const jwt = new URL(await sign({ state })).searchParams.get("response")!;
  const request = new Request(CALLBACK, {
    method: "POST",
    body: new URLSearchParams({ response: jwt }),
  });
  const { token } = await signIn.callback(await jarm.validate(request), flow);
  assertEquals(token.token, "monkey");
});

/** Others are vectors, in openid_vectors/jarm.json. */
const BAD: [string, ValidationCode, () => Promise<string> | string][] = [
  [
    "a response that is not signed",
    "missing_response",
    () => `${CALLBACK}?code=c0de&state=st4te`,
  ],
  [
    "two responses",
    "repeated_parameter",
    async () => `${await sign()}&response=x`,
  ],
  ["a future nbf", "invalid_nbf", () => sign({ nbf: NOW + 11 })],
  ["an iat that is text", "invalid_iat", () => sign({ iat: "x" })],
  ["a state that is an object", "invalid_request", () => sign({ state: {} })],
];

for (const [name, code, url] of BAD) {
  Deno.test(`JarmValidator refuses ${name}`, async () => {
    const { jarm } = createValidator();
    const error = await assertRejects(
      async () => jarm.validate(await url()),
      ValidationError,
    );
    assertEquals(error.code, code);
  });
}

Deno.test("JarmValidator accepts the secret only if HS256 is listed", async () => {
  const key = new TextEncoder().encode("hush-hush");
  const jwt = await new SignJWT(CLAIMS).setProtectedHeader({ alg: "HS256" })
    .sign(
      await crypto.subtle.importKey(
        "raw",
        key,
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      ),
    );
  const url = `${CALLBACK}?response=${jwt}`;
  await assertRejects(() => createValidator().jarm.validate(url));
  const { jarm } = createValidator({ algorithms: ["HS256"] });
  assertEquals((await jarm.validate(url)).get("code"), "c0de");
});

Deno.test("JarmValidator cannot be created without id or issuer, or with the algorithm none", () => {
  for (const setting of [{ id: null, issuer: ISSUER }, {}]) {
    assertThrows(
      () => new JarmValidator(createClient(setting)),
      TypeError,
      "no id or no issuer",
    );
  }
  assertThrows(
    () => createValidator({ algorithms: ["none"] }),
    TypeError,
    'Cannot accept the algorithm "none"',
  );
});
