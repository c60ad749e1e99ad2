/** The types of the public API: what compiles, and what must not. `deno check` is the test. */
import { assertEquals } from "@std/assert";
import {
  AccessToken,
  Client,
  type ClientOptions,
  discover,
  type OAuth2Response,
  type ServerMetadata,
} from "../../oauth2/mod.ts";
import { fakeFetch } from "./fake_fetch.ts";
import { json, SITE } from "./testing.ts";

/** Whether two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends
  (<T>() => T extends B ? 1 : 2) ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

interface User {
  readonly name: string;
}
class MyToken extends AccessToken {
  readonly mine = "mine";
}

/** Compiled and never run: each line is a test of its own. */
function neverRun(client: Client, token: AccessToken, mine: MyToken): void {
  // Options: known names alone, and not misspelled.
  new Client("abc", "secret", { site: SITE, raiseErrors: false });
  new Client("abc", "secret", { site: new URL(SITE) });
  new Client("abc", "secret", { authorizeUrl: null, revokeUrl: null });
  new Client("abc", "secret", { authScheme: "client_secret_jwt" });
  new Client("abc", "secret", { snaky: false });
  new Client("abc", "secret", {
    parsers: { "text/csv": (body) => body.split("\n") },
    config: { filteredLabel: "[GONE]" },
  });
  // @ts-expect-error -- it is spelled raiseErrors
  new Client("abc", "secret", { raise_errors: false });
  // @ts-expect-error -- it is spelled tokenMethod
  new Client("abc", "secret", { token_method: "get" });
  // @ts-expect-error -- it is spelled tokenUrl
  new Client("abc", "secret", { token_url: "/token" });
  // @ts-expect-error -- it is spelled tokenUrl
  new Client("abc", "secret", { tokenURL: "/token" });
  // @ts-expect-error -- it is no option
  new Client("abc", "secret", { hostname: "x" });
  // @ts-expect-error -- the server must have an endpoint for tokens
  new Client("abc", "secret", { tokenUrl: null });
  // @ts-expect-error -- it is no scheme
  new Client("abc", "secret", { authScheme: "basic" });
  // @ts-expect-error -- it is spelled filteredLabel
  new Client("abc", "secret", { config: { filtered_label: "x" } });

  // Parameters on the wire: known ones typed, any other allowed.
  client.authCode.authorizeUrl({ code_challenge: "x", scope: "a", mine: 1 });
  client.authCode.authorizeUrl({ scope: ["a", "b"] });
  client.getToken({ scope: ["a", "b"], audience: "x", timeout: 5 });
  client.getToken({ resource: ["https://a.example", "https://b.example"] });
  // @ts-expect-error -- it is spelled code_challenge
  client.authCode.authorizeUrl({ codeChallenge: "x" });
  // @ts-expect-error -- it is spelled redirect_uri
  client.authCode.authorizeUrl({ redirectUri: "x" });
  // @ts-expect-error -- it is spelled redirect_uri
  client.authorizeUrl({ redirectUri: "x" });
  // @ts-expect-error -- it is spelled redirect_uri
  client.authCode.getToken("code", { redirectUri: "x" });
  // @ts-expect-error -- it is spelled code_verifier
  client.authCode.getToken("code", { codeVerifier: "x" });
  // @ts-expect-error -- it is spelled raiseErrors
  client.getToken({ raise_errors: false });
  // @ts-expect-error -- it is spelled tokenMethod
  client.clientCredentials.getToken({ token_method: "get" });
  // @ts-expect-error -- it is spelled raiseErrors
  token.refresh({ raise_errors: false });
  // @ts-expect-error -- it is spelled raiseErrors
  client.revokeToken("m", undefined, { raise_errors: false });
  // @ts-expect-error -- it is spelled raiseErrors
  client.post("introspect", { raise_errors: false });
  // @ts-expect-error -- a state is text
  client.authCode.authorizeUrl({ state: {} });

  // Options of requests and of tokens.
  token.get("/me", { params: { anyName: 1 }, body: { any_name: 1 } });
  client.getToken({}, { paramName: "p", my_field: 1 });
  // @ts-expect-error -- it is spelled raiseErrors
  token.get("/me", { raise_errors: false });
  // @ts-expect-error -- it is spelled maxBodyBytes
  client.request("get", "/me", { max_body_bytes: 1 });
  // @ts-expect-error -- it is spelled paramName
  client.getToken({}, { param_name: "p" });
  // @ts-expect-error -- it is spelled headerFormat
  token.refresh({}, { header_format: "x" });

  // Targets.
  client.site = new URL(SITE);
  client.request("get", new URL(SITE));
  token.get(new URL(SITE));
  token.request("purge", new URL(SITE));
  client.post(new URL(SITE), { token: "x" });
  same<ReturnType<typeof client.post>, Promise<OAuth2Response>>(true);

  // Answers have the type that the caller names.
  const user = token.get<User>("/me");
  same<typeof user, Promise<OAuth2Response<User>>>(true);
  const posted = token.post<User>("/me");
  same<typeof posted, Promise<OAuth2Response<User>>>(true);
  const requested = client.request<User[]>("get", "/users");
  same<typeof requested, Promise<OAuth2Response<User[]>>>(true);
  const unknown = token.get("/me");
  same<Awaited<typeof unknown>["parsed"], unknown>(true);
  same<OAuth2Response<User>["parsed"], User>(true);

  // Tokens have their class.
  same<ReturnType<typeof mine.refresh>, Promise<MyToken>>(true);
  same<ReturnType<typeof token.refresh>, Promise<AccessToken>>(true);
  const own = new Client("abc", "secret", { accessTokenClass: MyToken });
  same<Awaited<ReturnType<typeof own.getToken>>, MyToken>(true);
  new Client<MyToken>("abc", "secret", { accessTokenClass: MyToken });
  // @ts-expect-error -- the class that is named must be given
  new Client<MyToken>("abc", "secret", { site: SITE });
  // @ts-expect-error -- the class that is named must be given
  new Client<MyToken>("abc", "secret");
  const plain = new Client("abc", "secret");
  same<Awaited<ReturnType<typeof plain.getToken>>, AccessToken>(true);
  AccessToken.fromHash(own, { access_token: "m" });

  // Streams.
  same<ReturnType<typeof token.fetch>, Promise<Response>>(true);
  token.fetch(new Request(SITE), { method: "POST", body: "x" });

  // What a server publishes.
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

Deno.test("discover gives options that a client takes, null for what the server has not", async () => {
  const fetch = fakeFetch([{
    respond: json({ issuer: SITE, token_endpoint: `${SITE}/token` }),
  }]);
  const found = await discover(SITE, { fetch });
  same<typeof found.authorizeUrl, string | null>(true);
  same<typeof found.revokeUrl, string | null>(true);
  const options: ClientOptions = found;
  const client = new Client("abc", "secret", options);
  assertEquals(client.tokenUrl(), `${SITE}/token`);
  assertEquals(typeof neverRun, "function");
});
