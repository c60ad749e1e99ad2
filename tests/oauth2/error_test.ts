import { assertEquals } from "@std/assert";
import { OAuth2Error, OAuth2Response } from "../../oauth2/mod.ts";

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
  ] as const
) {
  Deno.test(`OAuth2Error reads the challenge ${challenge}`, () => {
    const headers = { "www-authenticate": challenge };
    const error = new OAuth2Error(new OAuth2Response({ status: 401, headers }));
    assertEquals([error.code, error.description], [code, description]);
  });
}
