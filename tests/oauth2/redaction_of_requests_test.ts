/** Redaction of the secrets of requests to resource servers. */
import { assertEquals } from "@std/assert";
import {
  AccessToken,
  type RequestOptions,
  type TokenOptions,
} from "../../oauth2/mod.ts";
import { ECHOES, leaks, secret, shownBy } from "./_echoing_server.ts";
import { SPELLINGS } from "./_spellings.ts";
import fc from "fast-check";

const secrets = fc.record({ own: secret, grant: secret, proof: secret });
const echo = fc.constantFrom(...Object.values(ECHOES));
const spelling = fc.constantFrom(...Object.values(SPELLINGS));

/** Requests with a secret, by the part that carries it. */
const CARRIERS: Readonly<
  Record<string, (name: string, secret: string) => RequestOptions>
> = {
  "a parameter": (name, secret) => ({ params: { [name]: secret } }),
  "a header": (name, secret) => ({
    // Deno sends an empty header instead of one with a carriage return.
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
  "text in the option secrets": (_, secret) => ({
    body: `<a>${secret}</a>`,
    secrets: [secret],
  }),
  "a parameter in the option secrets": (_, secret) => ({
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
  Deno.test(`token.request shows no secret in ${carrier}`, async () => {
    await fc.assert(
      fc.asyncProperty(
        echo,
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
        async (respond, spell, secrets, tokenOptions, name, verb, options) => {
          const { own, grant, proof } = secrets;
          const shown = await shownBy(
            (client) =>
              AccessToken
                .fromHash(client, { access_token: grant }, tokenOptions)
                .request(verb, "/from", carry(name, proof)),
            respond,
            {
              spell,
              secrets: [own, grant, proof],
              clientSecret: own,
              options,
            },
          );
          assertEquals(leaks(shown), []);
        },
      ),
      { seed: 13, numRuns: 150 },
    );
  });
}

Deno.test("request shows no secret in the path and the option secrets", async () => {
  await fc.assert(
    fc.asyncProperty(
      echo,
      spelling,
      secret,
      fc.constantFrom(encodeURIComponent, encodeURI),
      async (respond, spell, secret, encode) => {
        const path = `/bot${encode(secret.toWellFormed())}/me`;
        const shown = await shownBy(
          (client) => client.request("get", path, { secrets: [secret] }),
          respond,
          { spell, secrets: [secret] },
        );
        assertEquals(leaks(shown), []);
      },
    ),
    { seed: 14, numRuns: 150 },
  );
});
