/** Types of the public API, which `deno check` tests. */
import { assertEquals } from "@std/assert";
import {
  AccessToken,
  Client,
  type ClientOptions,
  discover,
  type OAuth2Response,
  type ServerMetadata,
} from "../../oauth2/mod.ts";
import { SITE } from "./_client.ts";
import { json } from "./_exchanges.ts";
import { fakeFetch } from "./_fake_fetch.ts";

/** True if two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends
  (<T>() => T extends B ? 1 : 2) ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

interface User {
  readonly name: string;
}
class MyToken extends AccessToken {
  readonly mine = "mine";
}

/** Statements that `deno check` must accept or refuse; never run. */
function _checked(client: Client, token: AccessToken, mine: MyToken): void {
  // Options of a client: only known names.
  new Client("abc", "secret", { site: SITE, raiseErrors: false });
  new Client("abc", "secret", { site: new URL(SITE) });
  new Client("abc", "secret", { authorizeUrl: null, revokeUrl: null });
  new Client("abc", "secret", { authScheme: "client_secret_jwt" });
  new Client("abc", "secret", { snaky: false });
  new Client("abc", "secret", {
    parsers: { "text/csv": (body) => body.split("\n") },
    config: { filteredLabel: "[GONE]" },
  });
  // @ts-expect-error -- the name is raiseErrors
  new Client("abc", "secret", { raise_errors: false });
  // @ts-expect-error -- the name is tokenMethod
  new Client("abc", "secret", { token_method: "get" });
  // @ts-expect-error -- the name is tokenUrl
  new Client("abc", "secret", { token_url: "/token" });
  // @ts-expect-error -- the name is tokenUrl
  new Client("abc", "secret", { tokenURL: "/token" });
  // @ts-expect-error -- unknown option
  new Client("abc", "secret", { hostname: "x" });
  // @ts-expect-error -- every server has a token endpoint
  new Client("abc", "secret", { tokenUrl: null });
  // @ts-expect-error -- unknown method
  new Client("abc", "secret", { authScheme: "basic" });
  // @ts-expect-error -- the name is filteredLabel
  new Client("abc", "secret", { config: { filtered_label: "x" } });

  // Parameters: registered ones are typed, others are allowed.
  client.authCode.authorizeUrl({ code_challenge: "x", scope: "a", mine: 1 });
  client.authCode.authorizeUrl({ scope: ["a", "b"] });
  client.getToken({ scope: ["a", "b"], audience: "x", timeout: 5 });
  client.getToken({ resource: ["https://a.example", "https://b.example"] });
  // @ts-expect-error -- the name is code_challenge
  client.authCode.authorizeUrl({ codeChallenge: "x" });
  // @ts-expect-error -- the name is redirect_uri
  client.authCode.authorizeUrl({ redirectUri: "x" });
  // @ts-expect-error -- the name is redirect_uri
  client.authorizeUrl({ redirectUri: "x" });
  // @ts-expect-error -- the name is redirect_uri
  client.authCode.getToken("code", { redirectUri: "x" });
  // @ts-expect-error -- the name is code_verifier
  client.authCode.getToken("code", { codeVerifier: "x" });
  // @ts-expect-error -- an object is not a value
  client.authCode.authorizeUrl({ state: {} });

  // Options of requests and of tokens.
  token.get("/me", { params: { anyName: 1 }, body: { any_name: 1 } });
  client.getToken({}, { paramName: "p", my_field: 1 });
  // @ts-expect-error -- the name is raiseErrors
  token.get("/me", { raise_errors: false });
  // @ts-expect-error -- the name is maxBodyBytes
  client.request("get", "/me", { max_body_bytes: 1 });

  // Targets.
  client.site = new URL(SITE);
  client.request("get", new URL(SITE));
  token.get(new URL(SITE));
  token.request("purge", new URL(SITE));
  client.post(new URL(SITE), { token: "x" });
  same<ReturnType<typeof client.post>, Promise<OAuth2Response>>(true);

  // Responses have the type argument of the call.
  const user = token.get<User>("/me");
  same<typeof user, Promise<OAuth2Response<User>>>(true);
  const posted = token.post<User>("/me");
  same<typeof posted, Promise<OAuth2Response<User>>>(true);
  const requested = client.request<User[]>("get", "/users");
  same<typeof requested, Promise<OAuth2Response<User[]>>>(true);
  const unknown = token.get("/me");
  same<Awaited<typeof unknown>["parsed"], unknown>(true);
  same<OAuth2Response<User>["parsed"], User>(true);

  // Tokens have the class of the client.
  same<ReturnType<typeof mine.refresh>, Promise<MyToken>>(true);
  same<ReturnType<typeof token.refresh>, Promise<AccessToken>>(true);
  const own = new Client("abc", "secret", { accessTokenClass: MyToken });
  same<Awaited<ReturnType<typeof own.getToken>>, MyToken>(true);
  new Client<MyToken>("abc", "secret", { accessTokenClass: MyToken });
  // @ts-expect-error -- accessTokenClass is missing
  new Client<MyToken>("abc", "secret", { site: SITE });
  // @ts-expect-error -- accessTokenClass is missing
  new Client<MyToken>("abc", "secret");
  const plain = new Client("abc", "secret");
  same<Awaited<ReturnType<typeof plain.getToken>>, AccessToken>(true);
  AccessToken.fromHash(own, { access_token: "m" });

  // Streams.
  same<ReturnType<typeof token.fetch>, Promise<Response>>(true);
  token.fetch(new Request(SITE), { method: "POST", body: "x" });

  // Metadata.
  const metadata = {} as ServerMetadata;
  same<typeof metadata.issuer, string>(true);
  same<typeof metadata.jwks_uri, string | undefined>(true);
  same<typeof metadata.userinfo_endpoint, string | undefined>(true);
  same<typeof metadata.introspection_endpoint, string | undefined>(true);
  const _scopes: readonly string[] | undefined = metadata.scopes_supported;
  const _methods: readonly string[] | undefined =
    metadata.code_challenge_methods_supported;
  same<
    typeof metadata.authorization_response_iss_parameter_supported,
    boolean | undefined
  >(true);
  same<typeof metadata.anything_else, unknown>(true);
}

Deno.test("discover returns options that a Client accepts", async () => {
  const fetch = fakeFetch([{
    respond: json({ issuer: SITE, token_endpoint: `${SITE}/token` }),
  }]);
  const found = await discover(SITE, { fetch });
  same<typeof found.authorizeUrl, string | null>(true);
  same<typeof found.revokeUrl, string | null>(true);
  const options: ClientOptions = found;
  const client = new Client("abc", "secret", options);
  assertEquals(client.tokenUrl(), `${SITE}/token`);
});
