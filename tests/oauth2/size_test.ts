/** What the core of the library weighs, as a browser would load it. */
import { assert, assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const SOURCES = new URL("../../oauth2/", import.meta.url);
const LIMIT = 8 * 1024;

/** What the core loads when it is needed, and not before. */
const LAZY = ["debug", "jwt", "placement", "redirects"];

const CORE = `
  export { Client } from "${SOURCES}client.ts";
  export { AccessToken } from "${SOURCES}token.ts";
  export { OAuth2Response } from "${SOURCES}response.ts";
  export { OAuth2Error } from "${SOURCES}error.ts";
`;

async function bundle(source: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/core.ts`, source);
    const { success, stderr } = await new Deno.Command(
      Deno.execPath(),
      {
        args: [
          ...["bundle", "--quiet", "--minify", "--platform=browser"],
          ...LAZY.flatMap((name) => ["--external", `./${name}.ts`]),
          ...["--output", `${folder}/core.js`, `${folder}/core.ts`],
        ],
        cwd: fileURLToPath(SOURCES),
      },
    ).output();
    assert(success, new TextDecoder().decode(stderr));
    return await Deno.readTextFile(`${folder}/core.js`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const core = await bundle(CORE);

Deno.test("the core of oauth2 weighs at most 8 kB bundled, minified and gzipped", () => {
  const weight = gzipSync(core, { level: 9 }).length;
  assert(weight <= LIMIT, `${weight} bytes, ${weight - LIMIT} too many`);
});

Deno.test("the core of oauth2 imports nothing but its own lazy modules", () => {
  const imports = [...core.matchAll(/\bimport\b[^"]*"([^"]+)"/g)]
    .map(([, specifier]) => specifier);
  assertEquals(
    [...new Set(imports)].sort(),
    LAZY.map((name) => `./${name}.ts`),
  );
  assert(!core.includes("require("));
});
