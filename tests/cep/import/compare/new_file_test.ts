import { assertEquals, assertRejects } from "@std/assert";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  OutputError,
  writeNewFile,
} from "../../../../cep/import/compare/new_file.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";

Deno.test("writeNewFile writes a file", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "a.csv");
  const result = await writeNewFile(path, async (write) => {
    await write("a\r\n");
    assertEquals(readdirSync(folder.path), ["a.csv.part"]);
    await write("b\r\n");
    return 7;
  });
  assertEquals(result, 7);
  assertEquals(readFileSync(path, "utf8"), "a\r\nb\r\n");
  assertEquals(readdirSync(folder.path), ["a.csv"]);
});

Deno.test("writeNewFile does not replace a file", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "a.csv");
  writeFileSync(path, "mine");
  await assertRejects(
    () => writeNewFile(path, (write) => write("other")),
    OutputError,
    `Cannot write "${path}": it exists; remove it`,
  );
  assertEquals(readFileSync(path, "utf8"), "mine");
});

Deno.test("writeNewFile does not replace an unfinished file of another program", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "a.csv");
  writeFileSync(`${path}.part`, "mine");
  await assertRejects(
    () => writeNewFile(path, (write) => write("other")),
    OutputError,
    `Cannot write "${path}": "${path}.part" exists, perhaps of an ` +
      "interrupted run; remove it",
  );
  assertEquals(readFileSync(`${path}.part`, "utf8"), "mine");
  assertEquals(readdirSync(folder.path), ["a.csv.part"]);
});

Deno.test("writeNewFile leaves nothing behind if the content fails", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "a.csv");
  const failure = new Error("the database is gone");
  const error = await assertRejects(() =>
    writeNewFile(path, async (write) => {
      await write("a");
      throw failure;
    })
  );
  assertEquals(error, failure);
  assertEquals(readdirSync(folder.path), []);
});

Deno.test("writeNewFile names a folder that does not exist", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "nowhere", "a.csv");
  await assertRejects(
    () => writeNewFile(path, (write) => write("a")),
    OutputError,
    `Cannot write "${path}": ENOENT`,
  );
});
