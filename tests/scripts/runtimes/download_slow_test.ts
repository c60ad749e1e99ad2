import { assertEquals, assertRejects } from "@std/assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeTarball } from "../../../scripts/npm/build.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import {
  download,
  type DownloadOptions,
} from "../../../scripts/runtimes/node.ts";

/** Writes a package as a tarball, which npm can install without a registry. */
async function prepare(
  { path }: TemporaryFolder,
): Promise<{ options: DownloadOptions; list(): Promise<string[]> }> {
  const tarball = join(path, "pack.tgz");
  const manifest = JSON.stringify({ name: "pack", version: "1.2.3" });
  await writeTarball(
    tarball,
    new Map([["package.json", new TextEncoder().encode(manifest)]]),
    { executable: [] },
  );
  return {
    options: {
      into: join(path, "downloads", "pack"),
      range: `file:${tarball}`,
    },
    list: () => readdir(join(path, "downloads")),
  };
}

Deno.test("download resolves to the folder of a package", async () => {
  using folder = new TemporaryFolder("download");
  const { options } = await prepare(folder);
  const pack = await download("pack", options);
  assertEquals(pack, join(options.into, "node_modules", "pack"));
  assertEquals(await readdir(pack), ["package.json"]);
});

Deno.test("download runs npm once", async () => {
  using folder = new TemporaryFolder("download");
  const { options } = await prepare(folder);
  const found = await download("pack", options);
  const nowhere = { ...options, range: "file:nowhere.tgz" };
  assertEquals(await download("pack", nowhere), found);
});

Deno.test("download creates one folder for two concurrent calls", async () => {
  using folder = new TemporaryFolder("download");
  const { options, list } = await prepare(folder);
  const [first, second] = await Promise.all([
    download("pack", options),
    download("pack", options),
  ]);
  assertEquals(first, second);
  assertEquals(await list(), ["pack"]);
});

Deno.test("download rejects with the error of npm and leaves no folder", async () => {
  using folder = new TemporaryFolder("download");
  const { options, list } = await prepare(folder);
  await assertRejects(
    () => download("pack", { ...options, range: "file:nowhere.tgz" }),
    Error,
    "nowhere.tgz",
  );
  assertEquals(await list(), []);
});
