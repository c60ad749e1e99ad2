import { assertEquals } from "@std/assert";
import { Client, discover, pkce, randomState } from "../../../oauth2/mod.ts";
import { PERSON } from "./_pages.ts";

/** Public client that an authorization server on loopback knows. */
declare const registered: { issuer: string; id: string };

/** Signs a person in at the server; resolves to the URL of the redirect. */
declare function signIn(authorizeUrl: string): Promise<string>;

Deno.test("a page signs a person in and gets a token, with PKCE", async () => {
  const { issuer, id } = registered;
  const { metadata: _, ...endpoints } = await discover(issuer);
  const redirectUri = location.href;
  const client = new Client(id, undefined, { ...endpoints, redirectUri });
  const { code_verifier, ...challenge } = await pkce();
  const state = randomState();
  const redirect = new URL(
    await signIn(client.authCode.authorizeUrl({
      scope: "openid profile",
      state,
      ...challenge,
    })),
  );
  assertEquals(redirect.searchParams.get("state"), state);
  const token = await client.authCode.getToken(
    redirect.searchParams.get("code") ?? "",
    { code_verifier },
  );
  const { parsed } = await token.get(`${issuer}/me`);
  assertEquals((parsed as { name: string }).name, PERSON.claims.name);
});
