/** Redaction of the secrets of calls to the authorization server. */
import { assertEquals } from "@std/assert";
import type {
  AuthScheme,
  Client,
  ClientOptions,
  TokenHash,
  TokenMethod,
  TokenOptions,
} from "../../oauth2/mod.ts";
import { tokenOf } from "./_calls.ts";
import { ECHOES, leaks, secret, shownBy } from "./_echoing_server.ts";
import { SPELLINGS } from "./_spellings.ts";
import fc from "fast-check";

/** Secrets of a call. */
interface Secrets {
  /** Secret of the client. */
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
/** Calls with the secrets that they send beside those of the client. */
const CALLS: Readonly<Record<string, [sent: (keyof Secrets)[], call: Call]>> = {
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
  "getToken with tokens to exchange": [
    ["grant", "proof"],
    (client, { grant, proof }, params, options) =>
      client.getToken({
        ...params,
        grant_type: EXCHANGE,
        subject_token: grant,
        actor_token: proof,
      }, options),
  ],
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
      tokenOf(client, { access_token: proof, refresh_token: grant })
        .refresh(params, options),
  ],
  "token.revoke": [
    ["grant"],
    (client, { grant, proof }, params) =>
      tokenOf(client, { access_token: proof, refresh_token: grant })
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

/** Returns the parameters that all calls have. */
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

for (const [answer, respond] of Object.entries(ECHOES)) {
  Deno.test(`token calls answered ${answer} show no secret`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(CALLS)),
        setting,
        secrets,
        contentType,
        fc.constantFrom(...Object.values(SPELLINGS)),
        async ([sent, call], options, secrets, contentType, spell) => {
          const params = paramsOf(options, secrets, contentType);
          const names = params.client_assertion ? [...sent, "proof"] : sent;
          const shown = await shownBy(
            (client) => call(client, secrets, params, {}),
            respond,
            {
              spell,
              secrets: ["own", ...names]
                .map((name) => secrets[name as keyof Secrets]),
              clientSecret: secrets.own,
              options,
            },
          );
          assertEquals(leaks(shown), []);
        },
      ),
      { seed: 11, numRuns: 120 },
    );
  });
}

/** Creates an answer with tokens, in a format of servers. */
function issue(
  format: string,
  tokenName: string,
  isNested: boolean,
  { own, grant, proof }: Secrets,
): Response {
  const fields = {
    [tokenName]: own,
    refresh_token: grant,
    id_token: proof,
    expires_in: "600",
  };
  const answer = isNested ? { data: fields } : fields;
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

const TOKEN_CALLS = Object.entries(CALLS)
  .filter(([name]) => !/revoke/.test(name)).map(([, [, call]]) => call);

Deno.test("token calls show no token of the answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("json", "form", "text", "untyped"),
      fc.constantFrom("access_token", "accessToken", "banana_face"),
      fc.boolean(),
      fc.constantFrom(...TOKEN_CALLS),
      secrets,
      setting,
      async (format, tokenName, isNested, call, issued, setting) => {
        const extractAccessToken = isNested && format !== "form"
          ? (fields: Record<string, unknown>) =>
            (fields.data ?? fields) as Record<string, unknown>
          : undefined;
        const own = "own-secret";
        const shown = await shownBy(
          (client) =>
            call(
              client,
              { own, grant: "granted", proof: "proof" },
              paramsOf(setting, issued, undefined),
              { tokenName },
            ),
          () => issue(format, tokenName, isNested, issued),
          {
            spell: String,
            secrets: [],
            clientSecret: own,
            options: { ...setting, extractAccessToken },
          },
        );
        assertEquals(leaks(shown), []);
      },
    ),
    { seed: 12, numRuns: 200 },
  );
});
