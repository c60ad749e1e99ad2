import { assert, assertEquals } from "@std/assert";
import { OAuth2Error, OAuth2Response } from "../../../oauth2/mod.ts";

for (
  const [challenge, code, description] of [
    ["Bearer", undefined, undefined],
    ['Bearer error="x", error_description="a b"', "x", "a b"],
    ["Bearer error=x,error_description=y", "x", "y"],
    ['Bearer error = "x"', "x", undefined],
    [
      'Bearer error_description="no error=here", error="x"',
      "x",
      "no error=here",
    ],
    ['Bearer my_error="x"', undefined, undefined],
    [
      'Bearer error_description="say \\"please\\" \\\\o/"',
      undefined,
      'say "please" \\o/',
    ],
    ['Bearer error=""', "", undefined],
    ['Bearer error="x', undefined, undefined],
    ['Basic realm="x", Bearer error="y"', "y", undefined],
    ['Basic realm="error=x", Bearer error="y"', "y", undefined],
    ['Digest error="x"', undefined, undefined],
    ['Digest error="x", Bearer error="y"', "y", undefined],
    ['Bearer scope="a", DPoP error="x", error_description="y"', "x", "y"],
    ['DPoP error="x", Bearer error="y"', "x", undefined],
    ['OAuth error="x"', "x", undefined],
    ['Bearer realm="x" error="y"', "y", undefined],
    [`Bearer realm="${"x".repeat(3000)}", error="y"`, "y", undefined],
  ] as const
) {
  Deno.test(`OAuth2Error reads the challenge ${challenge.slice(0, 80)}`, () => {
    const headers = { "www-authenticate": challenge };
    const error = new OAuth2Error(new OAuth2Response({ status: 401, headers }));
    assertEquals([error.code, error.description], [code, description]);
  });
}

Deno.test("OAuth2Error prefers the body to the challenge", () => {
  const response = new OAuth2Response({
    status: 401,
    headers: {
      "content-type": "application/json",
      "www-authenticate": 'Bearer error="x", error_description="of x"',
    },
    body: '{"error":"y"}',
  });
  const { code, description } = new OAuth2Error(response);
  assertEquals([code, description], ["y", "of x"]);
});

Deno.test("OAuth2Error appends the error of the server to the given message", () => {
  const headers = { "content-type": "application/json" };
  const body = '{"error":"x","error_description":"a b"}';
  const withError = new OAuth2Response({ status: 302, headers, body });
  const withoutError = new OAuth2Response({ status: 302 });
  const message = "Cannot go on";
  assertEquals(new OAuth2Error(withError).message, "x: a b");
  assertEquals(new OAuth2Error(withoutError).message, "Got status 302");
  assertEquals(
    new OAuth2Error(withError, { message }).message,
    "Cannot go on (x: a b)",
  );
  assertEquals(new OAuth2Error(withoutError, { message }).message, message);
  assert(new OAuth2Error(withError).response === withError);
});

Deno.test("OAuth2Error rounds retryAfter up to whole seconds", () => {
  const headers = { "retry-after": "Tue, 14 Nov 2023 22:13:50 GMT" };
  const response = new OAuth2Response({ status: 503, headers });
  const now = Date.UTC(2023, 10, 14, 22, 13, 20, 400);
  assertEquals(new OAuth2Error(response, { now }).retryAfter, 30);
});
