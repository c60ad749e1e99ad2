/** Size of the token manager, and its absence from the core. */
import { assert, assertEquals } from "@std/assert";
import { stop } from "esbuild";
import {
  APP_SET,
  bundle,
  CLIENT,
  LOGIN_SET,
  MANAGER_SET,
} from "../../../scripts/bench/sizes.ts";

/** Bytes after gzip that `TokenManager` may add to `Client`. */
const CEILING = 7_500;
/** Bytes after gzip that `TokenManager` and `SignIn` together may add. */
const APP_CEILING = 14_000;

/** Texts of the subpaths, which minification keeps. */
const TEXTS = [
  "Cannot get a token: ",
  "Cannot read the stored token",
  "claimed_until",
  "TokenManagerError",
];

const [client, login, manager, app] = await Promise.all(
  [CLIENT, LOGIN_SET, MANAGER_SET, APP_SET].map((set) => bundle(set)),
).finally(stop);

Deno.test(`TokenManager adds at most ${CEILING} bytes to Client`, () => {
  const added = manager!.gzipped - client!.gzipped;
  assert(added <= CEILING, `${added} bytes`);
});

Deno.test(`TokenManager and SignIn add at most ${APP_CEILING} bytes to Client`, () => {
  const added = app!.gzipped - client!.gzipped;
  assert(added <= APP_CEILING, `${added} bytes`);
});

Deno.test("a bundle of TokenManager imports nothing", () => {
  const found = manager!.imports.map(({ kind, path }) => `${kind} ${path}`);
  assertEquals(found, []);
});

for (const [name, core] of [["Client", client], ["the core", login]] as const) {
  Deno.test(`a bundle of ${name} has no text and no module of the token manager`, () => {
    const modules = core!.modules.filter((path) =>
      /oauth2\/(manager|stores)\/|\/errors\.ts|aes_gcm/.test(path)
    );
    assertEquals(modules, []);
    assertEquals(TEXTS.filter((text) => core!.code.includes(text)), []);
  });
}

Deno.test("a bundle of TokenManager has the texts that the core must not have", () => {
  const others = TEXTS.filter((text) => !manager!.code.includes(text));
  assertEquals(others, []);
});
