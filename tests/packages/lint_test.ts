import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { lintPackage } from "../../scripts/npm/lint.ts";
import { writeTarball } from "../../scripts/npm/tarball.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { packed } from "./_packed.ts";

/** Lints the small package with files that are changed. */
async function lint(changes: Readonly<Record<string, string>>): Promise<void> {
  await using folder = await TemporaryFolder.make("lint-test");
  const path = join(folder.path, "pack.tgz");
  await writeTarball(path, packed(changes), { executable: [] });
  const pack = { name: "pack", version: "1.2.3", specifiers: ["pack"], path };
  await lintPackage(pack);
}

Deno.test("lintPackage says nothing of a package that is right", async () => {
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
  Deno.test(`lintPackage tells what ${name} says`, async () => {
    await assertRejects(() => lint(changes), Error, says);
  });
}
