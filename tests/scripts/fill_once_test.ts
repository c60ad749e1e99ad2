import { assertEquals, assertRejects } from "@std/assert";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fillOnce } from "../../scripts/fill_once.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

const write = (name: string) => (draft: string) =>
  writeFile(join(draft, name), "");

Deno.test("fillOnce fills a folder once", async () => {
  using parent = new TemporaryFolder("fill-once");
  const folder = join(parent.path, "some", "folder");
  await fillOnce(folder, write("first"));
  await fillOnce(folder, write("second"));
  assertEquals(await readdir(folder), ["first"]);
});

Deno.test("fillOnce leaves no folder if filling fails", async () => {
  using parent = new TemporaryFolder("fill-once");
  const folder = join(parent.path, "folder");
  await assertRejects(
    () =>
      fillOnce(folder, async (draft) => {
        await write("first")(draft);
        throw new RangeError("no second");
      }),
    RangeError,
    "no second",
  );
  assertEquals(await readdir(parent.path), []);
});
