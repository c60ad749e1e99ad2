import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  ReleaseDirectory,
  type ReleaseDirectoryOptions,
} from "../../../cep/store/release_directory.ts";
import { DatabaseError } from "../../../cep/store/store.ts";
import { alter, writeRelease } from "./_release.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

/** Directory with files, and release files to publish. */
class Scene implements Disposable {
  readonly #temp = new TemporaryFolder();
  readonly directory: ReleaseDirectory;

  constructor(options?: ReleaseDirectoryOptions) {
    this.directory = new ReleaseDirectory(this.#temp.path, options);
  }

  path(name: string): string {
    return join(this.directory.path, name);
  }

  write(...names: readonly string[]): void {
    for (const name of names) writeFileSync(this.path(name), name);
  }

  names(): string[] {
    return readdirSync(this.directory.path).sort();
  }

  /** Name of the current file. */
  async current(): Promise<string | undefined> {
    const file = await this.directory.current();
    return file && basename(file.path);
  }

  /**
   * Writes a release file; without a name, one that is ready to be published.
   */
  async makeRelease(name?: string): Promise<string> {
    const path = name ? this.path(name) : this.directory.newPath();
    await writeRelease(path);
    return path;
  }

  [Symbol.dispose](): void {
    this.#temp[Symbol.dispose]();
  }
}

const PRESENT: readonly [names: string[], present: string | undefined][] = [
  [[], undefined],
  [["cep.db"], "cep.db"],
  [["cep-2.db"], "cep-2.db"],
  [["cep.db", "cep-2.db"], "cep-2.db"],
  [["cep-10.db", "cep-2.db", "cep-9.db", "cep.db"], "cep-10.db"],
  [["cep.db", "cep-1.db"], "cep.db"],
  [["cep.db", "cep-02.db", "cep-0.db"], "cep.db"],
  [["cep.db", "cep-1234567890.db", "cep-1e3.db", "cep--3.db"], "cep.db"],
  [["cep.db", "cep-2.db.bak", "old-cep-3.db", "cep-4.db-wal"], "cep.db"],
  [["cep-x.db", "other.db", "seed.lock", "cep.db-wal"], undefined],
  [["cep-11111111-2222-3333-4444-555555555555.building"], undefined],
];

for (const [names, present] of PRESENT) {
  Deno.test(`ReleaseDirectory.current finds ${present} among [${names}]`, async () => {
    using scene = new Scene();
    scene.write(...names);
    assertEquals(await scene.current(), present);
  });
}

Deno.test("ReleaseDirectory.current returns undefined for a missing folder", async () => {
  using temp = new TemporaryFolder();
  for (const path of [join(temp.path, "none"), join(temp.path, "a", "b")]) {
    assertEquals(await new ReleaseDirectory(path).current(), undefined);
  }
});

const CHANGES: readonly [name: string, change: (path: string) => void][] = [
  ["has grown", (path) => writeFileSync(path, "more", { flag: "a" })],
  ["was touched", (path) => utimesSync(path, 1, 1)],
  ["was overwritten with the same number of bytes", (path) => {
    writeFileSync(path, "other!");
    utimesSync(path, 1, 1);
  }],
  ["was replaced", (path) => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  }],
];

for (const [name, change] of CHANGES) {
  Deno.test(`ReleaseDirectory.current returns another mark after the file ${name}`, async () => {
    using scene = new Scene();
    scene.write("cep.db");
    const before = await scene.directory.current();
    assertEquals(await scene.directory.current(), before);
    change(scene.path("cep.db"));
    const after = await scene.directory.current();
    assertEquals(after?.path, before?.path);
    assert(after?.mark !== before?.mark);
  });
}

const PUBLISHED: readonly [present: string[], published: string][] = [
  [[], "cep.db"],
  [["cep.db"], "cep.db"],
  [["cep-2.db"], "cep-2.db"],
  [["cep.db", "cep-2.db", "cep-10.db"], "cep-10.db"],
];

for (const [present, published] of PUBLISHED) {
  Deno.test(`ReleaseDirectory.publish replaces [${present}] with ${published}`, async () => {
    using scene = new Scene();
    for (const name of present) await scene.makeRelease(name);
    const path = await scene.makeRelease();
    const bytes = readFileSync(path);
    await scene.directory.publish(path);
    assertEquals(scene.names(), [published]);
    assertEquals(readFileSync(scene.path(published)), bytes);
  });
}

/** Rename that first fails with each of these codes, as on Windows. */
function failing(codes: readonly string[]) {
  const left = [...codes];
  return async (from: string, to: string): Promise<void> => {
    const code = left.shift();
    if (code) throw Object.assign(new Error(`${code}: rename`), { code });
    await rename(from, to);
  };
}

for (const code of ["EPERM", "EBUSY", "EACCES"]) {
  Deno.test(`ReleaseDirectory.publish takes the next number if rename fails with ${code}`, async () => {
    using scene = new Scene({ rename: failing([code]) });
    await scene.makeRelease("cep.db");
    const path = await scene.makeRelease();
    const bytes = readFileSync(path);
    await scene.directory.publish(path);
    assertEquals(scene.names(), ["cep-2.db"]);
    assertEquals(readFileSync(scene.path("cep-2.db")), bytes);

    // The number does not change if rename succeeds.
    await scene.directory.publish(await scene.makeRelease());
    assertEquals(scene.names(), ["cep-2.db"]);
  });
}

Deno.test("ReleaseDirectory.publish counts from 9 to 10", async () => {
  using scene = new Scene({ rename: failing(["EBUSY"]) });
  await scene.makeRelease("cep-9.db");
  await scene.directory.publish(await scene.makeRelease());
  assertEquals(scene.names(), ["cep-10.db"]);
});

const FAILING: readonly (readonly string[])[] = [
  ["ENOSPC"],
  ["EBUSY", "ENOSPC"],
  ["EPERM", "EPERM"],
];

for (const codes of FAILING) {
  Deno.test(`ReleaseDirectory.publish leaves the current file if rename fails with ${codes}`, async () => {
    using scene = new Scene({ rename: failing(codes) });
    await scene.makeRelease("cep.db");
    const before = readFileSync(scene.path("cep.db"));
    const path = await scene.makeRelease();
    await assertRejects(
      () => scene.directory.publish(path),
      Error,
      codes.at(-1),
    );
    // No copy remains; the caller discards its file.
    assertEquals(scene.names(), [basename(path), "cep.db"].sort());
    assertEquals(readFileSync(scene.path("cep.db")), before);
  });
}

Deno.test("ReleaseDirectory.publish removes the write-ahead log of the first edition", async () => {
  using scene = new Scene();
  await scene.makeRelease("cep.db");
  scene.write("cep.db-wal", "cep.db-shm", "cep.db-journal", "other.db-wal");
  await scene.directory.publish(await scene.makeRelease());
  assertEquals(scene.names(), ["cep.db", "other.db-wal"]);
});

const KEPT: readonly [name: string, write: (path: string) => unknown][] = [
  ["a foreign", (path) => writeFileSync(path, "Not a database.\n")],
  ["another program's", (path) => alter(path, "CREATE TABLE cep (cep)")],
  ["a newer version's", async (path) => {
    await writeRelease(path);
    alter(path, "PRAGMA user_version = 99");
  }],
];

for (const [whose, write] of KEPT) {
  Deno.test(`ReleaseDirectory.publish leaves ${whose} file with a lower number`, async () => {
    using scene = new Scene();
    await write(scene.path("cep.db"));
    scene.write("cep.db-wal");
    const before = readFileSync(scene.path("cep.db"));
    await scene.makeRelease("cep-2.db");
    await scene.makeRelease("cep-3.db");
    await scene.directory.publish(await scene.makeRelease());
    assertEquals(scene.names(), ["cep-3.db", "cep.db", "cep.db-wal"]);
    assertEquals(readFileSync(scene.path("cep.db")), before);
  });

  Deno.test(`ReleaseDirectory.lock refuses ${whose} current file and leaves it`, async () => {
    using scene = new Scene();
    const path = scene.path("cep.db");
    await write(path);
    const before = readFileSync(path);
    const error = await assertRejects(
      () => scene.directory.lock("test"),
      DatabaseError,
      `Cannot import into "${scene.directory.path}": "${path}" `,
    );
    assert(
      error.message.endsWith(
        whose === "a newer version's"
          ? "was written by a newer version of this program; install " +
            "that version, or set DB_PATH to another folder"
          : "is not a database of this program; set DB_PATH to another " +
            "folder",
      ),
      error.message,
    );
    assertEquals(readFileSync(path), before);
    assertEquals(scene.names(), ["cep.db"]);
  });
}

const REPLACED: readonly [name: string, write: (path: string) => unknown][] = [
  ["an empty file", (path) => writeFileSync(path, "")],
  ["a release of an older version", async (path) => {
    await writeRelease(path);
    alter(path, "PRAGMA user_version = 1");
  }],
  ["half a release", async (path) => {
    await writeRelease(path);
    truncateSync(path, statSync(path).size / 2);
  }],
];

for (const [name, write] of REPLACED) {
  Deno.test(`ReleaseDirectory.lock lets an import replace ${name}`, async () => {
    using scene = new Scene();
    await write(scene.path("cep.db"));
    await (await scene.directory.lock("test"))();
  });
}

Deno.test("ReleaseDirectory.lock creates the folder and its parents", async () => {
  using temp = new TemporaryFolder();
  const directory = new ReleaseDirectory(join(temp.path, "a", "b"));
  await (await directory.lock("test"))();
  assertEquals(readdirSync(directory.path), ["seed.lock"]);
});

Deno.test("ReleaseDirectory.lock removes only leftovers of imports", async () => {
  using scene = new Scene();
  const { directory } = scene;
  const kept = ["cep-7.building", "cep.building", "x.building", "notes.txt"];
  scene.write(...kept);
  for (let i = 0; i < 3; i++) writeFileSync(directory.newPath(), "half");
  const unlock = await directory.lock("test");
  assertEquals(scene.names(), [...kept, "seed.lock"].sort());
  await unlock();
});

Deno.test("ReleaseDirectory.lock ignores a leftover that cannot be removed", async () => {
  using scene = new Scene();
  const path = scene.directory.newPath();
  // Like an open file on Windows, a folder cannot be removed as a file.
  mkdirSync(path);
  await (await scene.directory.lock("test"))();
  assertEquals(scene.names(), [basename(path), "seed.lock"]);
});

Deno.test("ReleaseDirectory.newPath returns another path each time, never that of a release", async () => {
  using scene = new Scene();
  const paths = Array.from({ length: 50 }, () => scene.directory.newPath());
  assertEquals(new Set(paths).size, 50);
  for (const path of paths) writeFileSync(path, "");
  assertEquals(await scene.current(), undefined);
});

Deno.test("ReleaseDirectory.discard frees the space of an open file", async () => {
  using scene = new Scene();
  const path = await scene.makeRelease();
  const handle = await open(path);
  try {
    assert((await handle.stat()).size > 0);
    await scene.directory.discard(path);
    assertEquals((await handle.stat()).size, 0);
  } finally {
    await handle.close();
  }
  assertEquals(scene.names(), []);
});

Deno.test("ReleaseDirectory.discard ignores a missing file or folder", async () => {
  using scene = new Scene();
  const path = scene.directory.newPath();
  await scene.directory.discard(path);
  rmSync(scene.directory.path, { recursive: true });
  await scene.directory.discard(path);
});
