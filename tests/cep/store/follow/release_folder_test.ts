import { assertEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  ReleaseFolderError,
  writeReleaseFolder,
} from "../../../../cep/store/follow/release_folder.ts";
import { SCHEMA_VERSION } from "../../../../cep/release/schema.ts";
import { DatabaseError } from "../../../../cep/store/store.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";
import { alter, writeRelease } from "../_release.ts";
import { Publisher } from "./_scene.ts";

Deno.test("writeReleaseFolder writes the release under its id, and a manifest of it", async () => {
  using publisher = new Publisher();
  const manifest = await publisher.publish("01310100", "01310200");
  const content = readFileSync(join(publisher.path, manifest.file));
  assertEquals(manifest, {
    format: 1,
    file: `release-${manifest.release}.db`,
    release: manifest.release,
    schema_version: SCHEMA_VERSION,
    dne_version: "25041",
    seeded_at: "2025-04-15T12:00:00.000Z",
    total_ceps: 2,
    bytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
  });
  assertEquals(publisher.manifest(), manifest);
  assertEquals(publisher.names(), ["manifest.json", manifest.file]);
});

Deno.test("writeReleaseFolder keeps the previous release, and removes older ones", async () => {
  using publisher = new Publisher();
  const files: string[] = [];
  for (const cep of ["01310100", "01310200", "01310300"]) {
    files.push((await publisher.publish(cep)).file);
    const kept = ["manifest.json", ...files.slice(-2)].sort();
    assertEquals(publisher.names(), kept);
  }
});

Deno.test("writeReleaseFolder changes nothing but the manifest for the same release", async () => {
  using publisher = new Publisher();
  await publisher.publish("01310100");
  const { file } = await publisher.publish("01310200");
  const path = join(publisher.path, file);
  const names = publisher.names();
  const before = statSync(path, { bigint: true });
  await publisher.export();
  const after = statSync(path, { bigint: true });
  assertEquals(publisher.names(), names);
  assertEquals([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

Deno.test("writeReleaseFolder replaces a damaged file of the same release", async () => {
  using publisher = new Publisher();
  const { file, bytes } = await publisher.publish("01310100");
  writeFileSync(join(publisher.path, file), "half");
  await publisher.export();
  assertEquals(statSync(join(publisher.path, file)).size, bytes);
});

Deno.test("writeReleaseFolder completes an export that ended before the manifest", async () => {
  using publisher = new Publisher();
  const old = await publisher.publish("01310100");
  const { file } = await publisher.publish("01310200");
  publisher.writeManifest(JSON.stringify(old));
  const part = `.carteiro-${crypto.randomUUID()}.part`;
  writeFileSync(join(publisher.path, part), "half");
  assertEquals((await publisher.export()).file, file);
  assertEquals(
    publisher.names(),
    ["manifest.json", old.file, file].sort(),
  );
});

Deno.test("writeReleaseFolder leaves other files in the folder", async () => {
  using publisher = new Publisher();
  const others = ["index.html", "release-x.db", ".htaccess"];
  for (const name of others) writeFileSync(join(publisher.path, name), "");
  await publisher.publish("01310100");
  await publisher.publish("01310200");
  await publisher.publish("01310300");
  const names = publisher.names();
  assertEquals(others.filter((name) => !names.includes(name)), []);
  assertEquals(names.length, others.length + 3);
});

for (const text of ["", "{}", '{"formato":1}', "<html>"]) {
  Deno.test(`writeReleaseFolder refuses a folder whose manifest is ${JSON.stringify(text)}`, async () => {
    using publisher = new Publisher();
    publisher.writeManifest(text);
    await assertRejects(
      () => publisher.publish("01310100"),
      ReleaseFolderError,
      `Cannot export to "${publisher.path}": its manifest.json is not of ` +
        "releases (",
    );
    assertEquals(publisher.names(), ["manifest.json"]);
  });
}

Deno.test("writeReleaseFolder refuses a file that is not a release, and keeps the present one", async () => {
  using publisher = new Publisher();
  const manifest = await publisher.publish("01310100");
  const names = publisher.names();
  using folder = new TemporaryFolder();
  const file = join(folder.path, "cep.db");
  writeFileSync(file, "text");
  await assertRejects(
    () => writeReleaseFolder(publisher.path, file),
    DatabaseError,
    "it is not a database of this program",
  );
  assertEquals(publisher.names(), names);
  assertEquals(publisher.manifest(), manifest);
});

Deno.test("writeReleaseFolder reports a folder that cannot be made", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "file");
  writeFileSync(path, "");
  await assertRejects(
    () => writeReleaseFolder(join(path, "releases"), path),
    ReleaseFolderError,
    `Cannot export to "${join(path, "releases")}": `,
  );
});

Deno.test({
  name:
    "writeReleaseFolder removes its unfinished file if the release cannot be renamed",
  ignore: process.platform === "win32",
  async fn() {
    using publisher = new Publisher();
    const { file } = await publisher.publish("01310100");
    using folder = new TemporaryFolder();
    mkdirSync(join(folder.path, file));
    await assertRejects(
      () => writeReleaseFolder(folder.path, join(publisher.path, file)),
      ReleaseFolderError,
    );
  },
});

for (const part of ["snapshot", "busca"]) {
  Deno.test(`writeReleaseFolder refuses a release whose ${part} has zeros, and keeps the manifest`, async () => {
    using publisher = new Publisher();
    const manifest = await publisher.publish("01310100");
    using folder = new TemporaryFolder();
    const path = join(folder.path, "cep.db");
    await writeRelease(path);
    alter(path, `UPDATE ${part} SET bytes = zeroblob(length(bytes))`);
    await assertRejects(
      () => writeReleaseFolder(publisher.path, path),
      DatabaseError,
      "its checksum does not match",
    );
    assertEquals(publisher.manifest(), manifest);
    assertEquals(publisher.names(), ["manifest.json", manifest.file]);
  });
}

Deno.test("writeReleaseFolder refuses a release that is older than the manifest, until the manifest is removed", async () => {
  using publisher = new Publisher();
  const manifest = await publisher.publish("01310100");
  using folder = new TemporaryFolder();
  const path = join(folder.path, "cep.db");
  await writeRelease(path);
  alter(path, "UPDATE release SET seeded_at = '2025-04-14T12:00:00.000Z'");
  await assertRejects(
    () => writeReleaseFolder(publisher.path, path),
    ReleaseFolderError,
    'its manifest.json is of a newer release ("2025-04-15T12:00:00.000Z", not ' +
      '"2025-04-14T12:00:00.000Z"); remove manifest.json to export the older one',
  );
  assertEquals(publisher.manifest(), manifest);
  assertEquals(publisher.names(), ["manifest.json", manifest.file]);
  rmSync(join(publisher.path, "manifest.json"));
  const { seeded_at } = await writeReleaseFolder(publisher.path, path);
  assertEquals(seeded_at, "2025-04-14T12:00:00.000Z");
});
