/** Files, directories and snapshots that a store in a directory cannot use. */
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
import { DatabaseError } from "../../../cep/store/mod.ts";
import type { ReleaseFile } from "../../../cep/store/release_directory.ts";
import { contentOf } from "../_fixtures.ts";
import {
  alter,
  cepsOf,
  entries,
  Opened,
  publish,
  writeRelease,
} from "./_release.ts";
import { Folder, NOTICED, Watched } from "./_folder.ts";

/** Files without a readable release, with the reasons. */
const UNUSABLE: readonly [
  what: string,
  spoil: (path: string) => void,
  reason: string,
][] = [
  [
    "an empty file",
    (path) => truncateSync(path),
    "it is empty; restore it, or import the directory with MODE=seed",
  ],
  [
    "half a release",
    (path) => truncateSync(path, statSync(path).size / 2),
    "it is not complete; restore it, or import the directory with MODE=seed",
  ],
  [
    "a release of an older version",
    (path) => alter(path, "PRAGMA user_version = 1"),
    "an older version of this program wrote it; import the directory again " +
    "with MODE=seed",
  ],
  [
    "a release of a newer version",
    (path) => alter(path, "PRAGMA user_version = 99"),
    "a newer version of this program wrote it",
  ],
  [
    "another program's database",
    (path) => alter(path, "PRAGMA application_id = 7"),
    "it is not a database of this program; set DB_PATH to another directory",
  ],
  [
    "garbage",
    (path) => writeFileSync(path, "This is not a database.\n".repeat(500)),
    "it is not a database of this program; set DB_PATH to another directory",
  ],
  [
    "a release that lacks a table",
    (path) => alter(path, "DROP TABLE release"),
    "no such table: release",
  ],
  [
    "a release without its row",
    (path) => alter(path, "DELETE FROM release"),
    "it holds no release",
  ],
  [
    "a release with a foreign row",
    (path) => alter(path, "UPDATE release SET total_by_state = 'x'"),
    "Unexpected token",
  ],
];

/** Those that an import does not replace. */
const KEPT = /newer|another program|garbage/;

for (const [what, spoil, reason] of UNUSABLE) {
  Deno.test(`openStore refuses ${what}, and leaves it`, async () => {
    using folder = new Folder();
    await folder.fill(entries("01310100"));
    spoil(folder.file);
    const before = readFileSync(folder.file);
    await using opened = await Opened.open({ path: folder.path });
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

  if (KEPT.test(what)) {
    Deno.test(`Store.stage refuses to replace ${what}`, async () => {
      using folder = new Folder();
      await folder.fill(entries("01310100"));
      spoil(folder.file);
      const before = readFileSync(folder.file);
      await using opened = await Opened.open({ path: folder.path });
      await assertRejects(
        () => opened.store.stage("test"),
        DatabaseError,
        `Cannot import into "${folder.path}": `,
      );
      assertEquals(readFileSync(folder.file), before);
      assertEquals(folder.names(), ["cep.db", "seed.lock"]);
    });
  } else {
    Deno.test(`Store.stage replaces ${what}`, async () => {
      using folder = new Folder();
      await folder.fill(entries("01310100"));
      spoil(folder.file);
      await using opened = await Opened.open({ path: folder.path });
      const staging = await opened.store.stage("test");
      assertEquals(staging.present, undefined);
      await publish(staging, []);
      assertEquals((await opened.store.release())?.totalCeps, 0);
    });
  }
}

Deno.test("openStore answers from the last release when its file is spoilt, and logs that once", async () => {
  await Promise.all(UNUSABLE.map(async ([what, spoil, reason]) => {
    using folder = new Folder();
    await folder.fill(entries("01310100"));
    const directory = new Watched(folder.path);
    await using reader = await Opened.openIn(directory);
    const before = await contentOf(reader.store);
    folder.replace((path) => {
      copyFileSync(folder.file, path);
      spoil(path);
    });
    for (let time = 0; time < 2; time++) await directory.looks(4);
    assertEquals(await contentOf(reader.store), before, what);
    const [error, ...more] = reader.log.entries;
    assertEquals([error?.level, more], ["error", []], what);
    assertStringIncludes(
      `${error!.properties["error"]}`,
      `Cannot open database "${folder.file}": ${reason}`,
    );

    using source = new Folder();
    await source.fill(entries("01310200"));
    folder.replace((path) => copyFileSync(source.file, path));
    await reader.log.hears(NOTICED);
    assertEquals(await cepsOf(reader.store), ["01310200"], what);
  }));
});

Deno.test("openStore is not troubled by a file that goes while it looks", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const directory = new class extends Watched {
    override async present(): Promise<ReleaseFile | undefined> {
      const file = await super.present();
      // Gone between being found and being opened.
      rmSync(folder.file, { force: true });
      return file;
    }
  }(folder.path);
  await using reader = await Opened.openIn(directory);
  await directory.looks(4);
  assertEquals(await reader.store.release(), undefined);
  assertEquals(reader.log.entries, []);
});

Deno.test({
  name: "openStore closes a file that it refuses",
  ignore: !existsSync("/proc/self/fd"),
  async fn() {
    using folder = new Folder();
    await writeRelease(folder.file);
    alter(folder.file, "DROP TABLE release");
    const before = openFiles(folder.file);
    for (let time = 0; time < 3; time++) {
      await using opened = await Opened.open({ path: folder.path });
      await assertRejects(() => opened.store.release(), DatabaseError);
    }
    assert(openFiles(folder.file) <= before);
  },
});

/** How often this process has a file open, where Linux tells. */
function openFiles(path: string): number {
  return readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(join("/proc/self/fd", name)) === path;
    } catch {
      return false; // That of the directory itself.
    }
  }).length;
}

Deno.test("openStore answers by query where the snapshot is damaged, and logs it", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const bytes = readFileSync(folder.file);
  const [part] = folder.query("SELECT bytes FROM snapshot WHERE part = 1") as [
    { bytes: Uint8Array },
  ];
  const at = bytes.indexOf(part.bytes);
  assert(at > 0 && part.bytes.length > 0);
  bytes[at + part.bytes.length - 1]! ^= 1;
  writeFileSync(folder.file, bytes);
  await using opened = await Opened.open({ path: folder.path });
  assertEquals(opened.log.entries, [{
    level: "warn",
    message: "Snapshot refused, records are answered by queries",
    properties: { error: "Cannot read snapshot: its checksum is wrong" },
  }]);
  const rendered = await opened.store.findJson("01310100");
  assertEquals(rendered?.fromMemory, false);
  assertStringIncludes(rendered!.json, "Rua das Flores 01310100");
});

const SNAPSHOTS: readonly [what: string, sql: string][] = [
  ["has no parts", "DELETE FROM snapshot"],
  ["lacks a part", "DELETE FROM snapshot WHERE part = 2"],
  [
    "has a part more",
    "INSERT INTO snapshot (bytes) SELECT bytes FROM snapshot LIMIT 1",
  ],
  ["has no header", "UPDATE release SET snapshot = ''"],
  ["has a header of nothing", "UPDATE release SET snapshot = 'null'"],
  ["has another header", `UPDATE release SET snapshot = '{"version":1}'`],
  [
    "is of another version",
    "UPDATE release SET snapshot = json_set(snapshot, '$.version', 99)",
  ],
  [
    "claims a billion records",
    "UPDATE release SET snapshot = json_set(snapshot, '$.records', 1e9)",
  ],
  ["is in no table", "DROP TABLE snapshot"],
];

for (const [what, sql] of SNAPSHOTS) {
  Deno.test(`openStore answers by query where the snapshot ${what}`, async () => {
    using folder = new Folder();
    await folder.fill(entries("01310100"));
    alter(folder.file, sql);
    await using opened = await Opened.open({ path: folder.path });
    assertEquals(opened.log.at("warn").length, 1);
    const rendered = await opened.store.findJson("01310100");
    assertEquals(rendered?.fromMemory, false);
    assertEquals(JSON.parse(rendered!.json).cep, "01310100");
  });
}

Deno.test("openStore serves a read-only directory with the one file in it, and writes nothing", async () => {
  using source = new Folder();
  using folder = new Folder();
  await source.fill(entries("01310100"));
  copyFileSync(source.file, folder.file);
  const directory = new Watched(folder.path);
  chmodSync(folder.file, 0o444);
  chmodSync(folder.path, 0o555);
  try {
    const { mtimeMs } = statSync(folder.path);
    await using opened = await Opened.openIn(directory);
    await directory.looks();
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
  name: "Store.stage in a read-only directory fails and names the file",
  ignore: process.platform === "win32" || process.getuid?.() === 0,
  async fn() {
    using folder = new Folder();
    chmodSync(folder.path, 0o555);
    try {
      await using opened = await Opened.open({ path: folder.path });
      await assertRejects(
        () => opened.store.stage("test"),
        DatabaseError,
        "Cannot write the database: ",
      );
    } finally {
      chmodSync(folder.path, 0o755);
    }
  },
});

const NO_DIRECTORIES: readonly [what: string, below: string][] = [
  ["a file", ""],
  ["below a file", "data"],
];

for (const [what, below] of NO_DIRECTORIES) {
  Deno.test(`Store fails where the directory is ${what}`, async () => {
    using folder = new Folder();
    const file = join(folder.path, "file");
    writeFileSync(file, "kept");
    await using opened = await Opened.open({ path: join(file, below) });
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

Deno.test("openStore rejects calls where a directory has the file's place", async () => {
  using folder = new Folder();
  mkdirSync(folder.file);
  await using opened = await Opened.open({ path: folder.path });
  for (const call of [opened.store.release(), opened.store.stage("test")]) {
    await assertRejects(() => call, DatabaseError);
  }
  assertEquals(readdirSync(folder.file), []);
});
