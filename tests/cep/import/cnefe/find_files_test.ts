import { assertEquals, assertRejects } from "@std/assert";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { CensusError } from "../../../../cep/import/errors.ts";
import { findFiles } from "../../../../cep/import/cnefe/find_files.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";

/** Writes a file with the folders above it. */
function write(folder: TemporaryFolder, ...steps: readonly string[]): string {
  const [file, ...parents] = steps.toReversed();
  const parent = join(folder.path, ...parents.toReversed());
  mkdirSync(parent, { recursive: true });
  writeFileSync(join(parent, file!), "CEP\n");
  return parent;
}

Deno.test("findFiles finds a file below four folders", async () => {
  using folder = new TemporaryFolder();
  write(folder, "a", "b", "c", "d", "35_SP.csv");
  const files = await findFiles([folder.path]);
  assertEquals(files.map(({ name }) => name), ["35_SP.csv"]);
});

Deno.test("findFiles names a folder that is too deep", async () => {
  using folder = new TemporaryFolder();
  write(folder, "12_AC.csv");
  const deep = write(folder, "a", "b", "c", "d", "e", "35_SP.csv");
  const error = await assertRejects(
    () => findFiles([folder.path]),
    CensusError,
  );
  assertEquals(error.path, deep);
  assertEquals(error.problems, [
    "it is below 4 other folders or zip files; set CNEFE_PATH to it",
  ]);
});

Deno.test("findFiles ignores a folder of other files, however deep", async () => {
  using folder = new TemporaryFolder();
  write(folder, "12_AC.csv");
  write(folder, "a", "b", "c", "d", "e", "read.me");
  assertEquals((await findFiles([folder.path])).length, 1);
});

Deno.test("findFiles lists every file that it cannot use", async () => {
  using folder = new TemporaryFolder();
  const { path } = folder;
  mkdirSync(join(path, "12_AC.csv"));
  write(folder, "35_SP.zip");
  write(folder, "33_RJ.csv");
  const error = await assertRejects(() => findFiles([path]), CensusError);
  assertEquals(error.path, path);
  assertEquals(error.problems.map((it: string) => it.split(":")[0]), [
    `"${path}/12_AC.csv"`,
    `"${path}/35_SP.zip"`,
  ]);
});

Deno.test({
  name: "findFiles refuses a folder that it cannot read",
  // Permissions do not bind root.
  ignore: process.getuid?.() === 0 || process.platform === "win32",
  async fn() {
    using folder = new TemporaryFolder();
    write(folder, "12_AC.csv");
    const sub = write(folder, "sub", "35_SP.csv");
    chmodSync(sub, 0);
    try {
      const error = await assertRejects(
        () => findFiles([folder.path]),
        CensusError,
      );
      assertEquals(error.path, sub);
    } finally {
      chmodSync(sub, 0o700);
    }
  },
});
