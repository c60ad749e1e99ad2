/** Size of sign-in and OpenID Connect, and their absence from the core. */
import { assert, assertEquals } from "@std/assert";
import { stop } from "esbuild";
import {
  bundle,
  CLIENT,
  LOGIN_SET,
  SIGN_IN_SET,
} from "../../../scripts/bench/sizes.ts";

/** Bytes after gzip that `SignIn` and its validation may add to `Client`. */
const CEILING = 6_500;

/** Texts of the subpaths, which minification keeps. */
const TEXTS = [
  "complete the sign-in",
  "read the flow",
  "Cannot seal",
  "validate the ",
  "AES-GCM",
  "at_hash",
  "jwk-set",
  "ValidationError",
];

const [client, login, signIn] = await Promise.all(
  [CLIENT, LOGIN_SET, SIGN_IN_SET].map((set) => bundle(set)),
).finally(stop);

Deno.test(`SignIn and the validation of ID tokens add at most ${CEILING} bytes to Client`, () => {
  const added = signIn!.gzipped - client!.gzipped;
  assert(added <= CEILING, `${added} bytes`);
});

Deno.test("a bundle of SignIn imports nothing", () => {
  const found = signIn!.imports.map(({ kind, path }) => `${kind} ${path}`);
  assertEquals(found, []);
});

for (const [name, core] of [["Client", client], ["the core", login]] as const) {
  Deno.test(`a bundle of ${name} has no text and no module of sign-in and oidc`, () => {
    const modules = core!.modules.filter((path) =>
      /oauth2\/(sign_in|oidc)\/|validation_error|same_text/.test(path)
    );
    assertEquals(modules, []);
    assertEquals(TEXTS.filter((text) => core!.code.includes(text)), []);
  });
}

Deno.test("a bundle of SignIn has the texts that the core must not have", () => {
  // Those of `seal` are in the same subpath, and left out if it is not used.
  const others = TEXTS.filter((text) => !signIn!.code.includes(text));
  assertEquals(others, ["Cannot seal", "AES-GCM"]);
});
