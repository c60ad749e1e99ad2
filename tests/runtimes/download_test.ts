/** Packages downloaded once: here a tarball, for which npm asks nobody. */
import { assertEquals, assertRejects } from "@std/assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeTarball } from "../../scripts/npm/tarball.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import {
  download,
  type DownloadOptions,
} from "../../scripts/runtimes/download.ts";

/** What to download into a folder that nothing else is in. */
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

Deno.test("download gives the folder of a package and its version", async () => {
  await using folder = await TemporaryFolder.make("download");
  const { options } = await prepare(folder);
  assertEquals(await download("pack", options), {
    folder: join(options.into, "node_modules", "pack"),
    version: "1.2.3",
  });
});

Deno.test("download asks npm once", async () => {
  await using folder = await TemporaryFolder.make("download");
  const { options } = await prepare(folder);
  const found = await download("pack", options);
  const nowhere = { ...options, range: "file:nowhere.tgz" };
  assertEquals(await download("pack", nowhere), found);
});

Deno.test("download leaves one whole folder when run twice at once", async () => {
  await using folder = await TemporaryFolder.make("download");
  const { options, list } = await prepare(folder);
  const [first, second] = await Promise.all([
    download("pack", options),
    download("pack", options),
  ]);
  assertEquals(first, second);
  assertEquals(await list(), ["pack"]);
});

Deno.test("download leaves nothing behind when npm fails, and tells why", async () => {
  await using folder = await TemporaryFolder.make("download");
  const { options, list } = await prepare(folder);
  await assertRejects(
    () => download("pack", { ...options, range: "file:nowhere.tgz" }),
    Error,
    "nowhere.tgz",
  );
  assertEquals(await list(), []);
});
