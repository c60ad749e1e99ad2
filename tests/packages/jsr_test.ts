/** Files published to JSR, by a dry run. */
import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pack } from "../../scripts/npm/build.ts";
import { SOURCES } from "../../scripts/npm/packages.ts";
import { outputOf } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

/** Lists the published files of a package; fails on a warning. */
async function listPublished(folder: string): Promise<string[]> {
  const { code, stdout, stderr } = await outputOf(
    [Deno.execPath(), "publish", "--dry-run", "--allow-dirty"],
    { cwd: folder, env: { NO_COLOR: "1" } },
  );
  const text = stdout + stderr;
  assertEquals(code, 0, text);
  assertEquals(text.match(/\bwarning\b|slow type \[|allow-slow-types/gi), null);
  const home = pathToFileURL(join(folder, "/")).href;
  return [...text.matchAll(/^ +(file:\S+) \(.*\)$/gm)]
    .map(([, url]) => url!.slice(home.length));
}

for (const { folder } of SOURCES) {
  Deno.test(`deno publish includes the same files of ${folder} as the npm package`, async () => {
    const home = join(ROOT, folder);
    const onNpm = [...(await pack(home)).keys()];
    const published = await listPublished(home);
    assertEquals(
      published.map((it) => it.replace(/\.ts$/, ".js")).sort(),
      // `complete` adds `deno.json` if a module imports it.
      [...onNpm, "deno.json"]
        .filter((it) => !/\.d\.ts$|^package\.json$/.test(it)).sort(),
    );
  });
}

Deno.test("a file that a module reads at run time is published to npm and JSR", async () => {
  using folder = new TemporaryFolder("asset");
  const files = {
    "deno.json": JSON.stringify({
      name: "@scope/pack",
      version: "1.2.3",
      license: "MIT",
      exports: "./mod.ts",
    }),
    "mod.ts": `/** Page. */
export const page: URL = new URL("page.html", import.meta.url);
`,
    "page.html": "<p>",
  };
  for (const [path, text] of Object.entries(files)) {
    await writeFile(join(folder.path, path), text);
  }
  assertEquals((await pack(folder.path)).has("page.html"), true);
  assertEquals((await listPublished(folder.path)).includes("page.html"), true);
});
