/** Files, folders and snapshots that a store in a folder cannot use. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { DatabaseError } from "../../../cep/store/mod.ts";
import type { ReleaseFile } from "../../../cep/store/release_directory.ts";
import { within } from "../_within.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { cepsOf, contentOf, OpenedStore } from "../_stores.ts";
import { alter, entries, publish, writeRelease } from "./_release.ts";
import { NOTICED, WatchedDirectory } from "./_watched.ts";

/** Files without a readable release, with the reasons. */
const UNUSABLE: readonly [
  name: string,
  damage: (path: string) => void,
  reason: string,
][] = [
  [
    "an empty file",
    (path) => truncateSync(path),
    "it is empty; restore it, or import the DNE or the CNEFE with MODE=seed",
  ],
  [
    "half a release",
    (path) => truncateSync(path, statSync(path).size / 2),
    "it is incomplete; restore it, or import the DNE or the CNEFE with MODE=seed",
  ],
  [
    "a release of an older version",
    (path) => alter(path, "PRAGMA user_version = 1"),
    "it was written by an older version of this program; rewrite " +
    "it with MODE=upgrade, or import again with MODE=seed",
  ],
  [
    "a release of a newer version",
    (path) => alter(path, "PRAGMA user_version = 99"),
    "it was written by a newer version of this program; install that " +
    "version, or set DB_PATH to another folder",
  ],
  [
    "another program's database",
    (path) => alter(path, "PRAGMA application_id = 7"),
    "it is not a database of this program; set DB_PATH to another folder",
  ],
  [
    "garbage",
    (path) => writeFileSync(path, "This is not a database.\n".repeat(500)),
    "it is not a database of this program; set DB_PATH to another folder",
  ],
  [
    "a release that lacks a table",
    (path) => alter(path, "DROP TABLE release"),
    "no such table: release",
  ],
  [
    "a release without its row",
    (path) => alter(path, "DELETE FROM release"),
    "it contains no release",
  ],
  [
    "a release with an invalid row",
    (path) => alter(path, "UPDATE release SET total_by_state = 'x'"),
    "Unexpected token",
  ],
];

/** Names of files that an import does not replace. */
const KEPT = /newer|another program|garbage/;

for (const [name, damage, reason] of UNUSABLE) {
  Deno.test(`openStore refuses ${name} and leaves it`, async () => {
    using folder = new ReleaseFolder();
    await folder.fill(entries("01310100"));
    damage(folder.file);
    const before = readFileSync(folder.file);
    await using opened = await OpenedStore.open({ path: folder.path });
    const calls = [
      () => opened.store.release(),
      () => opened.store.find("01310100"),
      () => opened.store.list("", 1),
      () => cepsOf(opened.store),
    ];
    for (const call of calls) {
      const error = await assertRejects(call, DatabaseError);
      assertStringIncludes(
        error.message,
        `Cannot open database "${folder.file}": ${reason}`,
      );
    }
    assertEquals(readFileSync(folder.file), before);
  });

  if (KEPT.test(name)) {
    Deno.test(`Store.stage refuses to replace ${name}`, async () => {
      using folder = new ReleaseFolder();
      await folder.fill(entries("01310100"));
      damage(folder.file);
      const before = readFileSync(folder.file);
      await using opened = await OpenedStore.open({ path: folder.path });
      await assertRejects(
        () => opened.store.stage("test"),
        DatabaseError,
        `Cannot import into "${folder.path}": `,
      );
      assertEquals(readFileSync(folder.file), before);
      assertEquals(folder.names(), ["cep.db", "seed.lock"]);
    });
  } else {
    Deno.test(`Store.stage replaces ${name}`, async () => {
      using folder = new ReleaseFolder();
      await folder.fill(entries("01310100"));
      damage(folder.file);
      await using opened = await OpenedStore.open({ path: folder.path });
      const staging = await opened.store.stage("test");
      const isOlder = name === "a release of an older version";
      assertEquals(staging.presentState, isOlder ? "partial" : "unreadable");
      await publish(staging, []);
      assertEquals((await opened.store.release())?.totalCeps, 0);
    });
  }
}

Deno.test("Store serves the last release if the next file is unusable, and logs it once", async () => {
  await Promise.all(UNUSABLE.map(async ([name, damage, reason]) => {
    using folder = new ReleaseFolder();
    await folder.fill(entries("01310100"));
    const directory = new WatchedDirectory(folder.path);
    await using reader = await OpenedStore.openIn(directory);
    const before = await contentOf(reader.store);
    folder.replace((path) => {
      copyFileSync(folder.file, path);
      damage(path);
    });
    for (let time = 0; time < 2; time++) await directory.looked(4);
    assertEquals(await contentOf(reader.store), before, name);
    const [error, ...more] = reader.log.entries;
    assertEquals([error?.level, more], ["error", []], name);
    assertStringIncludes(
      `${error!.properties["error"]}`,
      `Cannot open database "${folder.file}": ${reason}`,
    );

    using source = new ReleaseFolder();
    await source.fill(entries("01310200"));
    folder.replace((path) => copyFileSync(source.file, path));
    await reader.log.logged(NOTICED);
    assertEquals(await cepsOf(reader.store), ["01310200"], name);
  }));
});

Deno.test("Store.freshness keeps the time before a file that cannot be used, and gives the reason", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  const directory = new WatchedDirectory(folder.path);
  let syncedAt = "2026-02-03T04:05:06.000Z";
  await using reader = await OpenedStore.openIn(directory, {
    freshness: () => ({ syncedAt }),
  });
  const { store } = reader;
  assertEquals(store.freshness?.(), { syncedAt });
  using source = new ReleaseFolder();
  await source.fill(entries("01310200"));
  alter(source.file, "DELETE FROM busca");
  folder.replace((path) => copyFileSync(source.file, path));
  await directory.looked(4);
  const before = syncedAt;
  syncedAt = "2026-02-03T05:05:06.000Z";
  await directory.looked(4);
  assertEquals(store.freshness?.(), {
    syncedAt: before,
    error: "Cannot use the search index: Cannot read search index: its " +
      "checksum does not match",
  });
  await folder.fill(entries("01310200"));
  await reader.log.logged(NOTICED);
  assertEquals(store.freshness?.(), { syncedAt });
  await using alone = await OpenedStore.open({ path: folder.path });
  assertEquals(alone.store.freshness?.(), undefined);
});

Deno.test("Store ignores a file that is removed during a poll", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  const directory = new class extends WatchedDirectory {
    override async current(): Promise<ReleaseFile | undefined> {
      const file = await super.current();
      // Removed between finding and opening it.
      rmSync(folder.file, { force: true });
      return file;
    }
  }(folder.path);
  await using reader = await OpenedStore.openIn(directory);
  await directory.looked(4);
  assertEquals(await reader.store.release(), undefined);
  assertEquals(reader.log.entries, []);
});

Deno.test({
  name: "openStore closes a file that it refuses",
  ignore: !existsSync("/proc/self/fd"),
  async fn() {
    using folder = new ReleaseFolder();
    await writeRelease(folder.file);
    alter(folder.file, "DROP TABLE release");
    const before = openFiles(folder.file);
    for (let time = 0; time < 3; time++) {
      await using opened = await OpenedStore.open({ path: folder.path });
      await assertRejects(() => opened.store.release(), DatabaseError);
    }
    // Another thread may still be ending a failed statement.
    const closed = async () => {
      while (openFiles(folder.file) > before) await setImmediate();
    };
    await within("the end of all reading", closed());
  },
});

/** Returns the number of descriptors of this process for a file, on Linux. */
function openFiles(path: string): number {
  return readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(join("/proc/self/fd", name)) === path;
    } catch {
      return false; // The descriptor of the folder itself.
    }
  }).length;
}

Deno.test("openStore reads a read-only folder with one file and writes nothing", async () => {
  using source = new ReleaseFolder();
  using folder = new ReleaseFolder();
  await source.fill(entries("01310100"));
  copyFileSync(source.file, folder.file);
  const directory = new WatchedDirectory(folder.path);
  chmodSync(folder.file, 0o444);
  chmodSync(folder.path, 0o555);
  try {
    const { mtimeMs } = statSync(folder.path);
    await using opened = await OpenedStore.openIn(directory);
    await directory.looked();
    assertEquals(await cepsOf(opened.store), ["01310100"]);
    assert((await opened.store.findJson("01310100"))?.fromMemory);
    assertEquals((await opened.store.list("", 1)).total, 1);
    assertEquals(folder.names(), ["cep.db"]);
    assertEquals(statSync(folder.path).mtimeMs, mtimeMs);
    assertEquals(readFileSync(folder.file), readFileSync(source.file));
    assertEquals(opened.log.entries, []);
  } finally {
    chmodSync(folder.path, 0o755);
  }
});

Deno.test({
  name: "Store.stage rejects in a read-only folder",
  ignore: process.platform === "win32" || process.getuid?.() === 0,
  async fn() {
    using folder = new ReleaseFolder();
    await folder.fill(entries("01310100"));
    chmodSync(folder.path, 0o555);
    try {
      await using opened = await OpenedStore.open({ path: folder.path });
      await assertRejects(
        () => opened.store.stage("test"),
        DatabaseError,
        `Cannot import into "${folder.path}": EACCES`,
      );
    } finally {
      chmodSync(folder.path, 0o755);
    }
  },
});

const NO_DIRECTORIES: readonly [name: string, below: string][] = [
  ["a file", ""],
  ["below a file", "data"],
];

for (const [name, below] of NO_DIRECTORIES) {
  Deno.test(`Store rejects calls if its folder is ${name}`, async () => {
    using folder = new ReleaseFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "kept");
    await using opened = await OpenedStore.open({ path: join(file, below) });
    await assertRejects(
      () => opened.store.release(),
      DatabaseError,
      "Cannot read the database: ",
    );
    await assertRejects(
      () => opened.store.stage("test"),
      DatabaseError,
      "Cannot write the database: ",
    );
    assertEquals(readFileSync(file, "utf8"), "kept");
  });
}

Deno.test("Store rejects calls if the release file is a folder", async () => {
  using folder = new ReleaseFolder();
  mkdirSync(folder.file);
  await using opened = await OpenedStore.open({ path: folder.path });
  for (const call of [opened.store.release(), opened.store.stage("test")]) {
    await assertRejects(() => call, DatabaseError);
  }
  assertEquals(readdirSync(folder.file), []);
});
