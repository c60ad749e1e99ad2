/** Runner of the vectors for OpenID Connect. */
import { assert, assertEquals } from "@std/assert";
import { discover, OAuth2Error } from "../../oauth2/mod.ts";
import { JarmValidator } from "../../oauth2/server/jarm.ts";
import { fetchUserInfo } from "../../oauth2/oidc/mod.ts";
import {
  SignIn,
  type SignInOptions,
  ValidationError,
} from "../../oauth2/sign_in/mod.ts";
import { print } from "./_print.ts";
import {
  ACCESS_TOKEN,
  change,
  CODE,
  halfHash,
  idTokenClaims,
  issueJwt,
  ISSUER,
  type JwtPlan,
  METADATA,
  Provider,
  publicJwk,
  REDIRECT_URI,
} from "./_openid_provider.ts";

/** Key of a JWK set: a name, or a name with changed members. */
type KeyPlan = string | { readonly key: string; readonly members: object };

/** Sign-in, and its expected outcome. */
export interface OpenIdVector {
  readonly id: string;
  readonly title: string;
  /** Module of a conformance plan with the same idea. */
  readonly plan?: string;
  readonly note?: string;
  /** Issuer to discover; without it, the client has its metadata. */
  readonly discover?: string;
  readonly options?: SignInOptions;
  /** Changes of the metadata; null removes a member. */
  readonly metadata?: object;
  /** Parameters of the authorization request. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Seconds from the authorization request to its response. */
  readonly elapsed?: number;
  /** Changes of the authorization response; null removes a parameter. */
  readonly response?: Readonly<Record<string, string | string[] | null>>;
  /** ID token; null for none. */
  readonly id_token?: JwtPlan & { readonly text?: string } | null;
  /** Authorization response as a JWT, instead of `response`. */
  readonly jarm?: JwtPlan & { readonly text?: string };
  /** Keys of the server. */
  readonly jwks?: readonly KeyPlan[];
  /** Userinfo response, requested if given. */
  readonly userinfo?: { readonly claims: object } | { readonly jwt: JwtPlan };
  readonly outcome: {
    readonly claims?: object;
    readonly userinfo?: object;
    readonly error?: {
      readonly kind: "validation" | "oauth2";
      readonly code?: string;
      readonly description?: string;
      /** Part of the message. */
      readonly message?: string;
    };
  };
}

/** Runs a vector and compares its outcome. */
export async function runOpenIdVector(vector: OpenIdVector): Promise<void> {
  const { outcome } = vector;
  const secrets: string[] = [ACCESS_TOKEN, CODE];
  let result: { claims?: object; userinfo?: object };
  try {
    result = await signIn(vector, secrets);
  } catch (error) {
    assertError(error, outcome.error);
    const shown = print(error);
    for (const secret of secrets) assert(!shown.includes(secret), "a secret");
    return;
  }
  assertEquals(outcome.error, undefined, "there was no error");
  for (const [name, expected] of Object.entries(outcome)) {
    const actual = Object(result[name as keyof typeof result]);
    const names = Object.keys(Object(expected));
    const part = Object.fromEntries(names.map((name) => [name, actual[name]]));
    assertEquals(part, expected);
  }
}

function assertError(
  error: unknown,
  expected: OpenIdVector["outcome"]["error"],
): void {
  const kind = error instanceof ValidationError
    ? "validation"
    : error instanceof OAuth2Error
    ? "oauth2"
    : undefined;
  if (kind === undefined || !expected) throw error;
  const { code, description, message } = error as OAuth2Error;
  assertEquals(
    { kind, code },
    { kind: expected.kind, code: expected.code },
    message,
  );
  if (expected.description !== undefined) {
    assertEquals(description, expected.description);
  }
  assert(message.includes(expected.message ?? ""), message);
}

/** Runs the sign-in of a vector; adds its secrets to the list. */
async function signIn(vector: OpenIdVector, secrets: string[]) {
  const { userinfo, jwks = ["rs256", "es256"], options } = vector;
  const issued: { id_token?: string } = {};
  const provider = new Provider(
    {
      "/.well-known/openid-configuration": () =>
        change(METADATA, vector.metadata ?? {}),
      "/token": () => ({
        access_token: ACCESS_TOKEN,
        token_type: "Bearer",
        ...issued,
      }),
      "/keys": async () => ({
        keys: await Promise.all(
          jwks.map((plan) =>
            typeof plan === "string"
              ? publicJwk(plan)
              : publicJwk(plan.key, plan.members)
          ),
        ),
      }),
      "/me": async () =>
        userinfo && "jwt" in userinfo
          ? new Response(
            await issueJwt(
              { sub: "ana", iss: ISSUER, aud: "abc" },
              userinfo.jwt,
            ),
            { headers: { "content-type": "application/jwt" } },
          )
          : userinfo?.claims ?? {},
    },
    {},
    vector.metadata,
  );
  const { client } = provider;
  if (vector.discover !== undefined) {
    await discover(vector.discover, {
      fetch: (url, init) =>
        client.open("get", url, {}, { ...init, redirect: "manual" }),
    });
  }
  const login = new SignIn(client, options);
  const flow = await login.start({
    redirect_uri: REDIRECT_URI,
    scope: "openid",
    ...vector.request,
  });
  const { state, nonce, code_verifier } = flow.toJSON();
  for (const secret of [state, code_verifier, nonce]) {
    if (secret !== undefined) secrets.push(secret);
  }
  provider.now += vector.elapsed ?? 0;
  const id_token = await issue(vector, { state, nonce });
  if (id_token !== undefined) issued.id_token = id_token;
  if (id_token) secrets.push(id_token);
  const url = new URL(REDIRECT_URI);
  const response = { code: CODE, state, iss: ISSUER, ...vector.response };
  for (const [name, value] of Object.entries(response)) {
    for (const item of [value ?? []].flat()) {
      url.searchParams.append(name, item.replace("$state", state));
    }
  }
  const { token, claims } = await login.callback(
    vector.jarm ? await validateJarm(vector.jarm, provider, state) : url,
    flow,
  );
  assertEquals(token.token, ACCESS_TOKEN);
  return {
    ...claims && { claims },
    ...userinfo && {
      userinfo: await fetchUserInfo(token, { sub: claims!.sub }),
    },
  };
}

/** Issues and validates a signed authorization response. */
async function validateJarm(
  { text, ...plan }: NonNullable<OpenIdVector["jarm"]>,
  { client, now }: Provider,
  state: string,
): Promise<URLSearchParams> {
  const claims = { iss: ISSUER, aud: client.id, exp: now + 600, code: CODE };
  const jwt = text ?? await issueJwt({ ...claims, state }, plan);
  return await new JarmValidator(client)
    .validate(`${REDIRECT_URI}?response=${jwt}`);
}

/** Issues the ID token of a vector; replaces the hashes that it computes. */
async function issue(
  { id_token = {} }: OpenIdVector,
  { state, nonce }: { state: string; nonce: string | undefined },
): Promise<string | undefined> {
  if (id_token === null) return undefined;
  if (id_token.text !== undefined) return id_token.text;
  const values: Record<string, string> = {
    $at_hash_512: await halfHash(ACCESS_TOKEN, "SHA-512"),
    $s_hash: await halfHash(state),
  };
  const claims = Object.entries(id_token.claims ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? values[value] ?? value : value,
  ]);
  return await issueJwt(idTokenClaims(nonce), {
    ...id_token,
    claims: Object.fromEntries(claims),
  });
}
