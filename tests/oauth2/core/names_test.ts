import { assertEquals, assertThrows } from "@std/assert";
import {
  checkName,
  checkNames,
  checkSpelling,
  knownNames,
} from "../../../oauth2/core/names.ts";

const KNOWN = knownNames(["raiseErrors", "code_verifier", "site"]);

for (
  const name of [
    "raiseErrors",
    "code_verifier",
    "site",
    "raise-errors",
    "raise errors",
    "raiseError",
    "sites",
    "",
    "_",
    "constructor",
    "__proto__",
  ]
) {
  Deno.test(`checkSpelling accepts "${name}"`, () => {
    checkSpelling(name, KNOWN);
  });
}

for (
  const [name, right] of [
    ["raise_errors", "raiseErrors"],
    ["RAISE_ERRORS", "raiseErrors"],
    ["raiseerrors", "raiseErrors"],
    ["__raiseErrors__", "raiseErrors"],
    ["codeVerifier", "code_verifier"],
    ["codeverifier", "code_verifier"],
    ["Site", "site"],
  ] as const
) {
  Deno.test(`checkName refuses "${name}" and names ${right}`, () => {
    for (const check of [checkName, checkSpelling]) {
      assertThrows(
        () => check(name, KNOWN),
        TypeError,
        `Cannot use "${name}": it is spelled "${right}"`,
      );
    }
  });
}

/** Options that programs were seen to pass, and the option that was meant. */
const CLIENT = knownNames<
  Record<
    | "site"
    | "authorizeUrl"
    | "tokenUrl"
    | "tokenTypes"
    | "tokenMethod"
    | "revokeUrl"
    | "redirectUri"
    | "authScheme"
    | "allowInsecure",
    true
  >
>({
  site: true,
  authorizeUrl: true,
  tokenUrl: true,
  tokenTypes: true,
  tokenMethod: true,
  revokeUrl: true,
  redirectUri: true,
  authScheme: true,
  allowInsecure: true,
});
for (
  const [name, nearest] of [
    ["authorizationEndpoint", "authorizeUrl"],
    ["authorization_endpoint", "authorizeUrl"],
    ["tokenEndpoint", "tokenUrl"],
    ["tokenUri", "tokenUrl"],
    ["revocationEndpoint", "revokeUrl"],
    ["redirectURL", "redirectUri"],
    ["toknUrl", "tokenUrl"],
    ["allowHttp", "allowInsecure"],
  ] as const
) {
  Deno.test(`checkName refuses "${name}" and names ${nearest}`, () => {
    assertThrows(
      () => checkName(name, CLIENT),
      TypeError,
      `Cannot use "${name}": there is no such option; the nearest is "${nearest}"`,
    );
  });
}

for (const name of ["xyz", "", "__proto__", "constructor", "0"]) {
  Deno.test(`checkName refuses "${name}" without a proposal`, () => {
    const error = assertThrows(() => checkName(name, CLIENT), TypeError);
    assertEquals(
      error.message,
      `Cannot use "${name}": there is no such option`,
    );
  });
}

for (
  const [title, options, message] of [
    ["null", null, "they must be an object"],
    ["text", "site", "they must be an object"],
    [
      "a Promise",
      Promise.resolve({}),
      "they must be an object; await a Promise first",
    ],
    ["a list", ["site"], 'Cannot use "0": there is no such option'],
  ] as const
) {
  Deno.test(`checkNames refuses ${title}`, () => {
    assertThrows(
      () => checkNames(options as object, CLIENT),
      TypeError,
      message,
    );
  });
}

Deno.test("checkNames accepts known names", () => {
  checkNames({ site: 1, tokenUrl: 2 }, CLIENT);
  checkNames({}, CLIENT);
});
