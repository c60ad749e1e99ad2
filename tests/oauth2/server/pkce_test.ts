import { assert, assertEquals, assertThrows } from "@std/assert";
import { pkce, randomState } from "../../../oauth2/server/pkce.ts";
import { createClient } from "../_client.ts";

async function s256(verifier: string): Promise<string> {
  const bytes = new TextEncoder().encode(verifier);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return btoa(String.fromCharCode(...hash))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

Deno.test("pkce returns the S256 challenge of its verifier (RFC 7636 appendix B)", async () => {
  assertEquals(
    await s256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  );
  for (let i = 0; i < 50; i++) {
    const { code_verifier, ...others } = await pkce();
    assertEquals(others, {
      code_challenge: await s256(code_verifier),
      code_challenge_method: "S256",
    });
  }
});

for (
  const [name, make] of [
    ["randomState", () => Promise.resolve(randomState())],
    ["pkce", async () => (await pkce()).code_verifier],
  ] as const
) {
  Deno.test(`${name} returns 43 unreserved characters, different each time`, async () => {
    const made = await Promise.all(Array.from({ length: 200 }, make));
    assertEquals(new Set(made).size, 200);
    // The characters of RFC 7636 section 4.1 that base64url uses.
    assert(made.every((value) => /^[A-Za-z\d_-]{43}$/.test(value)));
    for (const char of "-_Az09") {
      assert(made.some((value) => value.includes(char)), `no ${char}`);
    }
  });
}

Deno.test("pkce returns parameters that authorizeUrl takes, but for the verifier", async () => {
  const client = createClient();
  const { code_verifier, ...challenge } = await pkce();
  const { searchParams } = new URL(client.authCode.authorizeUrl(challenge));
  assertEquals(searchParams.get("code_challenge_method"), "S256");
  assertThrows(
    () => client.authCode.authorizeUrl({ ...challenge, code_verifier }),
    TypeError,
    "code_verifier is not allowed",
  );
});
