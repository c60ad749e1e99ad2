import { assertThrows } from "@std/assert";
import { checkName, knownNames } from "../../oauth2/names.ts";

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
  Deno.test(`checkName accepts "${name}"`, () => checkName(name, KNOWN));
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
    assertThrows(
      () => checkName(name, KNOWN),
      TypeError,
      `Cannot use "${name}": it is spelled "${right}"`,
    );
  });
}

Deno.test("checkName accepts every name if no names are known", () => {
  checkName("site", knownNames([]));
});
