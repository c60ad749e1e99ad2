/** Types of `oauth2` as programs get them: in its tarball. */
import { assert, assertEquals } from "@std/assert";
import { PROVIDERS } from "../../oauth2/providers/mod.ts";
import { Compiler, RESOLUTIONS } from "./_compiler.ts";
import { packOauth2 } from "./_oauth2.ts";

const files = await packOauth2();
const compilers = RESOLUTIONS.map((resolution) =>
  [
    resolution,
    new Compiler("@carteiro/oauth2", files, resolution),
  ] as const
);
const [[, compiler]] = compilers as [typeof compilers[number]];

const IMPORTS = `
  import { AccessToken, Client, discover, pkce } from "@carteiro/oauth2";
  import {
    profileUrl, type Provider, providerOptions, PROVIDERS,
  } from "@carteiro/oauth2/providers";
  import { withQuirks } from "@carteiro/oauth2/quirks";
  import {
    type FlowData, type OpenIdFlowData, SignIn, unseal,
  } from "@carteiro/oauth2/sign-in";
  const client = new Client("abc", "secret", { site: "https://a.example" });
  const signIn = new SignIn(client);
  const token = await client.clientCredentials.getToken();
`;

/** Variables without a default. */
const VARIABLES: Record<string, readonly string[]> = {
  auth0: ["domain"],
  cognito: ["domain"],
  keycloak: ["site"],
  okta: ["domain"],
};
/** Names that an editor proposes for the variables of a provider. */
const PROPOSED: Record<string, readonly string[]> = {
  ...VARIABLES,
  facebook: ["version"],
  gitlab: ["site"],
  govBr: ["host"],
  microsoft: ["tenant"],
  okta: ["domain", "server"],
};

for (const [resolution, compiler] of compilers) {
  for (const name of Object.keys(PROVIDERS)) {
    Deno.test(`PROVIDERS.${name} compiles from the tarball with ${resolution}`, () => {
      const values = (VARIABLES[name] ?? []).map((it) => `${it}: "a.example"`);
      const given = values.length > 0 ? `, { ${values} }` : "";
      const hasProfile = PROVIDERS[name as "github"].profileUrl !== null;
      const errors = compiler.errors(`${IMPORTS}
        const provider: Provider = PROVIDERS.${name};
        const { tokenUrl } = providerOptions(provider);
        const options = providerOptions(PROVIDERS.${name}${given});
        new SignIn(new Client("abc", "secret", {
          ...options, redirectUri: "https://a.example",
        }));
        ${hasProfile ? `profileUrl(PROVIDERS.${name}${given});` : ""}
      `);
      assertEquals(errors, []);
    });
  }
}

/** Statements, and a part of the error, or none. */
const STATEMENTS: readonly (readonly [string, string?])[] = [
  // Providers.
  ["providerOptions(PROVIDERS.auth0)", "Expected 2-3 arguments"],
  ["providerOptions(PROVIDERS.auth0, {})", "Property 'domain' is missing"],
  [`providerOptions(PROVIDERS.auth0, { domian: "a" })`, "'domian'"],
  [`providerOptions(PROVIDERS.github, { domain: "a" })`, "not assignable"],
  ["providerOptions(PROVIDERS.gitlab, {}, { timeout: 1 })", "'timeout'"],
  ["profileUrl(PROVIDERS.keycloak)", "Expected 2-3 arguments"],
  [`withQuirks({ scopeSeperator: "," }, {})`, "'scopeSeperator'"],
  // Options.
  [`new Client("a", "b", { authScheme: "client_secret_basic" })`],
  [`new Client("a", "b", { authScheme: "client_secret_post" })`],
  [`new Client("a", "b", { authScheme: "basic" })`, '"basic"'],
  [`new Client("a", "b", discover("https://a.example"))`, "no properties"],
  [`new Client({ clientId: "a" })`, "not assignable"],
  // Parameters.
  [`signIn.start({ scope: "a", access_type: "offline" })`],
  [`signIn.start({ redirectUri: "a" })`, "'redirectUri'"],
  [`client.getToken({ raiseErrors: false, my_own: 1 })`],
  [`client.authorizeUrl({ maxAge: 1 })`, "'maxAge'"],
  [`client.authorizeUrl({ state: {} })`, "not assignable"],
  [`const p: Record<string, string> = {}; client.authorizeUrl(p);`],
  [`const { code_verifier, ...p } = await pkce(); client.authorizeUrl(p);`],
  // Results of a sign-in.
  [`const { claims, idToken } = await signIn.callback(
      "a", await signIn.start({ scope: "email openid" }));
    const sub: string = claims.sub; const text: string = idToken;`],
  [`const { claims, idToken } = await signIn.callback(
      "a", await signIn.start({ scope: ["openid", "email"] }));
    const sub: string = claims.sub; const text: string = idToken;`],
  [`const { claims } = await signIn.callback(
      "a", await unseal<OpenIdFlowData>("a", "b", { name: "c" }));
    const sub: string = claims.sub;`],
  [
    `const { claims } = await signIn.callback(
      "a", await signIn.start({ scope: "openidx" }));
    const sub: string = claims.sub;`,
    "possibly 'undefined'",
  ],
  [
    `const scope: string = "openid";
    const { idToken } = await signIn.callback(
      "a", await signIn.start({ scope }));
    const text: string = idToken;`,
    "'undefined'",
  ],
  [
    `const flow = {} as FlowData;
    const { claims } = await signIn.callback("a", flow);
    const sub: string = claims.sub;`,
    "possibly 'undefined'",
  ],
  [`signIn.callback("a", undefined)`],
  [`signIn.callback("a", "flow")`, "not assignable"],
  [
    `signIn.callback("a", await unseal("a", "b", { name: "c" }))`,
    "'unknown' is not assignable",
  ],
];
for (const [statement, expected] of STATEMENTS) {
  const title = statement.replace(/\s+/g, " ");
  Deno.test(`the tarball ${expected ? "refuses" : "accepts"} ${title}`, () => {
    const errors = compiler.errors(`${IMPORTS}\n${statement}\n`);
    if (expected === undefined) assertEquals(errors, []);
    else {
      assertEquals(errors.length, 1, errors.join("\n"));
      assert(errors[0]!.includes(expected), errors[0]);
    }
  });
}

const OPTIONS = [
  "headers",
  "maxBodyBytes",
  "parse",
  "raiseErrors",
  "signal",
  "snaky",
  "snakyHashClass",
  "timeout",
  "tokenMethod",
  "untyped",
];
const CLIENT = [
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "client_secret",
];
const TARGET = ["audience", "authorization_details", "resource", "scope"];
const GRANT = [...OPTIONS, ...CLIENT, ...TARGET];
const LOGIN = [
  ...TARGET,
  "acr_values",
  "claims",
  "display",
  "dpop_jkt",
  "id_token_hint",
  "login_hint",
  "max_age",
  "prompt",
  "redirect_uri",
  "request",
  "request_uri",
  "response_mode",
  "ui_locales",
];
const AUTHORIZATION = [
  ...LOGIN,
  "client_id",
  "code_challenge",
  "code_challenge_method",
  "nonce",
  "response_type",
  "state",
];
for (
  const [place, names] of [
    ["signIn.start({ | })", LOGIN],
    [`signIn.callback("a", {} as FlowData, { | })`, GRANT],
    ["client.authCode.authorizeUrl({ | })", AUTHORIZATION],
    [
      `client.authCode.getToken("a", { | })`,
      [...GRANT, "code_verifier", "redirect_uri"],
    ],
    ["client.clientCredentials.getToken({ | })", GRANT],
    [`client.password.getToken("a", "b", { | })`, GRANT],
    ["token.refresh({ | })", GRANT],
    ["token.revoke({ | })", [...OPTIONS, ...CLIENT, "token_type_hint"]],
    [
      "client.getToken({}, { | })",
      [
        "allowedOrigins",
        "expiresLatency",
        "headerFormat",
        "mode",
        "paramName",
        "response",
        "tokenName",
      ],
    ],
    ...Object.entries(PROPOSED).map(([name, names]) =>
      [`providerOptions(PROVIDERS.${name}, { | })`, names] as const
    ),
  ] as const
) {
  Deno.test(`an editor proposes at ${place} what may be written`, () => {
    const found = compiler.completions(`${IMPORTS}\n${place}\n`);
    assertEquals(found, [...names].sort());
  });
}

Deno.test("an editor shows the documentation of a provider", () => {
  assertEquals(
    compiler.documentation(`${IMPORTS}\nPROVIDERS.gi|thub;\n`),
    "GitHub. Its errors have the status 200.",
  );
});

Deno.test("parameters have names in the declarations", () => {
  for (const [path, bytes] of files) {
    if (!path.endsWith(".d.ts")) continue;
    const [found] = /[(,]\s*\{\s*\}\??:.*/.exec(
      new TextDecoder().decode(bytes),
    ) ?? [];
    assertEquals(found, undefined, path);
  }
});
