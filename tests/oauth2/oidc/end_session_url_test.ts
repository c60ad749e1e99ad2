import { assertEquals, assertThrows } from "@std/assert";
import { endSessionUrl } from "../../../oauth2/oidc/mod.ts";
import { ISSUER } from "../_openid_provider.ts";

const client = (end_session_endpoint?: string, issuer = ISSUER) => ({
  id: "abc",
  issuer,
  metadata: {
    issuer,
    ...end_session_endpoint !== undefined && { end_session_endpoint },
  },
});

Deno.test("endSessionUrl adds parameters to the query of the endpoint", () => {
  const url = new URL(endSessionUrl(client(`${ISSUER}/logout?a=1`), {
    id_token_hint: "e30.e30.e30",
    post_logout_redirect_uri: "https://app.example/bye?b=2",
    state: "ç",
    ui_locales: undefined,
  }));
  assertEquals(url.origin + url.pathname, `${ISSUER}/logout`);
  assertEquals(Object.fromEntries(url.searchParams), {
    a: "1",
    client_id: "abc",
    id_token_hint: "e30.e30.e30",
    post_logout_redirect_uri: "https://app.example/bye?b=2",
    state: "ç",
  });
});

Deno.test("endSessionUrl throws a TypeError without an end_session_endpoint", () => {
  assertThrows(
    () => endSessionUrl(client()),
    TypeError,
    "no end_session_endpoint",
  );
});

for (
  const endpoint of [
    "http://provider.example/logout",
    "javascript:alert(1)",
    "/x",
  ]
) {
  Deno.test(`endSessionUrl refuses the endpoint "${endpoint}"`, () => {
    assertThrows(
      () => endSessionUrl(client(endpoint)),
      TypeError,
      "Cannot use",
    );
  });
}

Deno.test("endSessionUrl accepts plain http of an issuer with plain http", () => {
  const { href } = new URL(
    endSessionUrl(client("http://op.test/logout", "http://op.test")),
  );
  assertEquals(href, "http://op.test/logout?client_id=abc");
});
