/** Whatever a token call sends and however it is answered: nothing that is shown holds a secret. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  AccessToken,
  type AuthScheme,
  type Client,
  type ClientOptions,
  type TokenHash,
  type TokenMethod,
  type TokenOptions,
} from "../../oauth2/mod.ts";
import { ECHOES, leaks, secret, show } from "./echoing_server.ts";
import { SPELLINGS } from "./spellings.ts";

interface Secrets {
  readonly own: string;
  readonly grant: string;
  readonly proof: string;
}

const BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
type Call = (
  client: Client,
  secrets: Secrets,
  params: Record<string, unknown>,
  options: TokenHash & TokenOptions,
) => Promise<unknown>;
/** Calls, and what each sends besides what authenticates the client. */
const CALLS: Record<string, [sent: (keyof Secrets)[], call: Call]> = {
  "authCode.getToken": [
    ["grant", "proof"],
    (client, { grant, proof }, params, options) =>
      client.authCode.getToken(
        grant,
        { ...params, code_verifier: proof },
        options,
      ),
  ],
  "password.getToken": [
    ["grant", "proof"],
    (client, { grant, proof }, params, options) =>
      client.password.getToken(proof, grant, params, options),
  ],
  "clientCredentials.getToken": [
    [],
    (client, _, params, options) =>
      client.clientCredentials.getToken(params, options),
  ],
  "assertion.getToken": [
    [],
    (client, { grant }, params, options) =>
      client.assertion.getToken(
        { iss: "otter" },
        { algorithm: "HS256", key: grant.padEnd(64, "x") },
        params,
        options,
      ),
  ],
  "getToken with an assertion": [
    ["grant"],
    (client, { grant }, params, options) =>
      client.getToken(
        { ...params, grant_type: BEARER, assertion: grant },
        options,
      ),
  ],
  "getToken with tokens to exchange": [["grant", "proof"], (
    client,
    { grant, proof },
    params,
    options,
  ) =>
    client.getToken({
      ...params,
      grant_type: EXCHANGE,
      subject_token: grant,
      actor_token: proof,
    }, options)],
  "getToken with a device code": [
    ["grant", "proof"],
    (client, { grant, proof }, params, options) =>
      client.getToken({
        ...params,
        grant_type: DEVICE,
        device_code: grant,
        user_code: proof,
      }, options),
  ],
  "token.refresh": [
    ["grant"],
    (client, { grant, proof }, params, options) =>
      AccessToken.fromHash(client, {
        access_token: proof,
        refresh_token: grant,
      })
        .refresh(params, options),
  ],
  "token.revoke": [
    ["grant"],
    (client, { grant, proof }, params) =>
      AccessToken.fromHash(client, {
        access_token: proof,
        refresh_token: grant,
      })
        .revoke({ ...params, token_type_hint: "refresh_token" }),
  ],
  "revokeToken": [
    ["grant"],
    (client, { grant }, params) => client.revokeToken(grant, undefined, params),
  ],
};

const setting = fc.record({
  authScheme: fc.constantFrom<AuthScheme>(
    "basic_auth",
    "request_body",
    "tls_client_auth",
    "private_key_jwt",
  ),
  basicAuthEncoding: fc.constantFrom<"form" | "raw">("form", "raw"),
  tokenMethod: fc.constantFrom<TokenMethod>(
    "post",
    "get",
    "post_with_query_string",
  ),
  raiseErrors: fc.boolean(),
});
const contentType = fc.constantFrom(undefined, "application/json");
const secrets = fc.record({ own: secret, grant: secret, proof: secret });
const spelling = fc.constantFrom(...Object.keys(SPELLINGS));

/** One call of each kind, however it is made, and what it is answered. */
function paramsOf(
  { authScheme, tokenMethod }: ClientOptions,
  { proof }: Secrets,
  contentType: string | undefined,
): Record<string, unknown> {
  return {
    tokenMethod,
    headers: contentType && { "content-type": contentType },
    ...(authScheme === "private_key_jwt" && {
      client_assertion: proof,
      client_assertion_type:
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }),
  };
}

for (const [name, respond] of Object.entries(ECHOES)) {
  Deno.test(`token calls show no secret when answered ${name}`, async () => {
    const call = fc.constantFrom(...Object.keys(CALLS));
    await fc.assert(
      fc.asyncProperty(
        call,
        setting,
        secrets,
        contentType,
        spelling,
        async (call, setting, secrets, contentType, spelling) => {
          const [sent, act] = CALLS[call]!;
          const params = paramsOf(setting, secrets, contentType);
          const names = params.client_assertion ? [...sent, "proof"] : sent;
          const shown = await show(
            respond,
            SPELLINGS[spelling]!,
            ["own", ...names].map((name) => secrets[name as keyof Secrets]),
            setting,
            (client) => act(client, secrets, params, {}),
            secrets.own,
          );
          assertEquals(leaks(shown), []);
        },
      ),
      { seed: 11, numRuns: 200 },
    );
  });
}

/** An answer with tokens, by the ways in which servers give them. */
function issue(
  format: string,
  tokenName: string,
  nested: boolean,
  { own, grant, proof }: Secrets,
): Response {
  const fields = {
    [tokenName]: own,
    refresh_token: grant,
    id_token: proof,
    expires_in: "600",
  };
  const answer = nested ? { data: fields } : fields;
  switch (format) {
    case "form":
      return new Response(new URLSearchParams(fields));
    case "text":
      return new Response(String(new URLSearchParams(fields)));
    case "untyped":
      return new Response(new TextEncoder().encode(JSON.stringify(answer)));
    default:
      return Response.json(answer);
  }
}

Deno.test("token calls show no secret of the tokens that they get", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("json", "form", "text", "untyped"),
      fc.constantFrom("access_token", "accessToken", "banana_face"),
      fc.boolean(),
      fc.constantFrom(
        ...Object.keys(CALLS).filter((name) => !/revoke/.test(name)),
      ),
      secrets,
      setting,
      async (format, tokenName, nested, call, issued, setting) => {
        const extractAccessToken = nested && format !== "form"
          ? (fields: Record<string, unknown>) =>
            (fields.data ?? fields) as Record<string, unknown>
          : undefined;
        const shown = await show(
          () => issue(format, tokenName, nested, issued),
          SPELLINGS["as it is"]!,
          [],
          { ...setting, extractAccessToken },
          (client) =>
            CALLS[call]![1](
              client,
              { own: "own-secret", grant: "granted", proof: "proof" },
              paramsOf(setting, issued, undefined),
              { tokenName },
            ),
          "own-secret",
        );
        assertEquals(leaks(shown), []);
      },
    ),
    { seed: 12, numRuns: 400 },
  );
});
