import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { lintPackage } from "../../npm-build.ts";
import { writeTarball } from "../../scripts/npm/build.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { packed } from "./_packed.ts";

/** Lints the small package with changed files. */
async function lint(changes: Readonly<Record<string, string>>): Promise<void> {
  using folder = new TemporaryFolder("lint");
  const path = join(folder.path, "pack.tgz");
  await writeTarball(path, packed(changes), { executable: [] });
  await lintPackage({ name: "pack", path });
}

Deno.test("lintPackage accepts a valid package", async () => {
  assertEquals(await lint({}), undefined);
});

const complaints = [
  {
    name: "publint",
    changes: { "mod.js": "module.exports = 42;" },
    says: "publint says\n",
  },
  {
    name: "attw",
    changes: { "mod.d.ts": `export * from "./a";`, "a.d.ts": "export {};" },
    says: "Internal resolution error",
  },
];
for (const { name, changes, says } of complaints) {
  Deno.test(`lintPackage fails with the messages of ${name}`, async () => {
    await assertRejects(() => lint(changes), Error, says);
  });
}
