/** Wherever a request carries a secret and however it is answered: nothing that is shown holds it. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  AccessToken,
  type RequestOptions,
  type TokenOptions,
} from "../../oauth2/mod.ts";
import { ECHOES, leaks, secret, show } from "./echoing_server.ts";
import { SPELLINGS } from "./spellings.ts";

const secrets = fc.record({ own: secret, grant: secret, proof: secret });
const spelling = fc.constantFrom(...Object.keys(SPELLINGS));

/** Where a request to a resource carries a secret of the caller's. */
const CARRIERS: Record<
  string,
  (name: string, secret: string) => RequestOptions
> = {
  "a parameter": (name, secret) => ({ params: { [name]: secret } }),
  "a header": (name, secret) => ({
    // Deno takes a header with a carriage return for an empty one.
    headers: {
      [`x-${name.replace(/\W/g, "-")}`]: secret.replaceAll("\r", "\n"),
    },
  }),
  "an object": (name, secret) => ({ body: { [name]: secret, a: 1 } }),
  "an object sent as JSON": (name, secret) => ({
    body: { [name]: secret, a: 1 },
    headers: { "content-type": "application/json" },
  }),
  "nested JSON": (name, secret) => ({
    body: { users: [{ a: { [name]: secret } }] },
    headers: { "content-type": "application/json" },
  }),
  "a list in JSON": (name, secret) => ({
    body: JSON.stringify({ [name]: ["first", secret] }),
    headers: { "content-type": "application/json" },
  }),
  "text that is a form": (name, secret) => ({
    body: String(new URLSearchParams({ a: "1", [name]: secret })),
  }),
  "text that is a form with a bare name": (name, secret) => ({
    body: `flag&${new URLSearchParams({ [name]: secret })}&`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  "text that is JSON": (name, secret) => ({
    body: JSON.stringify({ a: 1, [name]: secret }),
    headers: { "content-type": "application/json" },
  }),
  "URLSearchParams": (name, secret) => ({
    body: new URLSearchParams({ "": "x", [name]: secret }),
  }),
  "FormData": (name, secret) => {
    const body = new FormData();
    body.set(name, secret);
    return { body };
  },
  "text that is told to be secret": (_, secret) => ({
    body: `<a>${secret}</a>`,
    secrets: [secret],
  }),
  "a parameter that is told to be secret": (_, secret) => ({
    params: { note: secret },
    secrets: [secret],
  }),
};

const tokenOptions = fc.record({
  mode: fc.constantFrom<NonNullable<TokenOptions["mode"]>>(
    "header",
    "query",
    "body",
    () => "query",
    { post: "query", put: "body" },
  ),
  headerFormat: fc.constantFrom("Bearer %s", 'Token token="%s"', "%s", "%s x"),
  paramName: fc.constantFrom(
    "access_token",
    "auth",
    "a[b]",
    "señal",
    "__proto__",
  ),
});

for (const [carrier, carry] of Object.entries(CARRIERS)) {
  Deno.test(`token.request shows no secret of ${carrier}`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ECHOES)),
        spelling,
        secrets,
        tokenOptions,
        fc.constantFrom("password", "apiKey", "new_secret", "token"),
        fc.constantFrom("post", "put"),
        fc.record({
          raiseErrors: fc.boolean(),
          allowCrossOriginRedirects: fc.boolean(),
          maxRedirects: fc.constantFrom(0, 2),
        }),
        async (echo, spelling, secrets, options, name, verb, setting) => {
          const { own, grant, proof } = secrets;
          const shown = await show(
            ECHOES[echo]!,
            SPELLINGS[spelling]!,
            [own, grant, proof],
            setting,
            (client) => {
              const hash = { access_token: grant };
              return AccessToken.fromHash(client, hash, options)
                .request(verb, "/from", carry(name, proof));
            },
            own,
          );
          assertEquals(leaks(shown), []);
        },
      ),
      { seed: 13, numRuns: 300 },
    );
  });
}

Deno.test("request shows no secret that stands in the path and is told to be one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(ECHOES)),
      spelling,
      secret,
      fc.constantFrom(encodeURIComponent, encodeURI),
      async (echo, spelling, secret, encode) => {
        const path = `/bot${encode(secret.toWellFormed())}/me`;
        const shown = await show(
          ECHOES[echo]!,
          SPELLINGS[spelling]!,
          [secret],
          {},
          (client) => client.request("get", path, { secrets: [secret] }),
        );
        assertEquals(leaks(shown), []);
      },
    ),
    { seed: 14, numRuns: 300 },
  );
});
