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
import { TempDirectory } from "../_fixtures.ts";
import { alter, writeRelease } from "./_release.ts";

/** A directory, what is in it, and a file that is ready to be published. */
class Scene implements Disposable {
  readonly #temp = new TempDirectory();
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

  /** Name of the present file. */
  async present(): Promise<string | undefined> {
    const file = await this.directory.present();
    return file && basename(file.path);
  }

  /** Makes a release file; the path of one in the making without a name. */
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
  Deno.test(`ReleaseDirectory.present among [${names}] is ${present}`, async () => {
    using scene = new Scene();
    scene.write(...names);
    assertEquals(await scene.present(), present);
  });
}

Deno.test("ReleaseDirectory.present of a missing directory is undefined", async () => {
  using temp = new TempDirectory();
  for (const path of [join(temp.path, "none"), join(temp.path, "a", "b")]) {
    assertEquals(await new ReleaseDirectory(path).present(), undefined);
  }
});

const CHANGES: readonly [what: string, change: (path: string) => void][] = [
  ["has grown", (path) => writeFileSync(path, "more", { flag: "a" })],
  ["was touched", (path) => utimesSync(path, 1, 1)],
  ["was overwritten with as many bytes", (path) => {
    writeFileSync(path, "other!");
    utimesSync(path, 1, 1);
  }],
  ["was replaced", (path) => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  }],
];

for (const [what, change] of CHANGES) {
  Deno.test(`ReleaseDirectory.present has another mark when the file ${what}`, async () => {
    using scene = new Scene();
    scene.write("cep.db");
    const before = await scene.directory.present();
    assertEquals(await scene.directory.present(), before);
    change(scene.path("cep.db"));
    const after = await scene.directory.present();
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
  Deno.test(`ReleaseDirectory.publish beside [${present}] makes ${published} alone`, async () => {
    using scene = new Scene();
    for (const name of present) await scene.makeRelease(name);
    const path = await scene.makeRelease();
    const bytes = readFileSync(path);
    await scene.directory.publish(path);
    assertEquals(scene.names(), [published]);
    assertEquals(readFileSync(scene.path(published)), bytes);
  });
}

/** Fails the first renames as Windows does while a file is open. */
function failing(codes: readonly string[]) {
  const left = [...codes];
  return async (from: string, to: string): Promise<void> => {
    const code = left.shift();
    if (code) throw Object.assign(new Error(`${code}: rename`), { code });
    await rename(from, to);
  };
}

for (const code of ["EPERM", "EBUSY", "EACCES"]) {
  Deno.test(`ReleaseDirectory.publish takes the next number where rename fails with ${code}`, async () => {
    using scene = new Scene({ rename: failing([code]) });
    await scene.makeRelease("cep.db");
    const path = await scene.makeRelease();
    const bytes = readFileSync(path);
    await scene.directory.publish(path);
    assertEquals(scene.names(), ["cep-2.db"]);
    assertEquals(readFileSync(scene.path("cep-2.db")), bytes);

    // Where nothing stands in the way, the number stays.
    await scene.directory.publish(await scene.makeRelease());
    assertEquals(scene.names(), ["cep-2.db"]);
  });
}

Deno.test("ReleaseDirectory.publish counts on from 9 to 10", async () => {
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
  Deno.test(`ReleaseDirectory.publish where rename fails with ${codes} leaves the present file`, async () => {
    using scene = new Scene({ rename: failing(codes) });
    await scene.makeRelease("cep.db");
    const before = readFileSync(scene.path("cep.db"));
    const path = await scene.makeRelease();
    await assertRejects(
      () => scene.directory.publish(path),
      Error,
      codes.at(-1),
    );
    // The caller discards what it has made; no copy is left.
    assertEquals(scene.names(), [basename(path), "cep.db"].sort());
    assertEquals(readFileSync(scene.path("cep.db")), before);
  });
}

Deno.test("ReleaseDirectory.publish removes the log of the first edition", async () => {
  using scene = new Scene();
  await scene.makeRelease("cep.db");
  scene.write("cep.db-wal", "cep.db-shm", "cep.db-journal", "other.db-wal");
  await scene.directory.publish(await scene.makeRelease());
  assertEquals(scene.names(), ["cep.db", "other.db-wal"]);
});

const KEPT: readonly [what: string, write: (path: string) => unknown][] = [
  ["somebody else's", (path) => writeFileSync(path, "Not a database.\n")],
  ["another program's", (path) => alter(path, "CREATE TABLE cep (cep)")],
  ["a newer version's", async (path) => {
    await writeRelease(path);
    alter(path, "PRAGMA user_version = 99");
  }],
];

for (const [whose, write] of KEPT) {
  Deno.test(`ReleaseDirectory.publish leaves ${whose} file of a lower number`, async () => {
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

  Deno.test(`ReleaseDirectory.lock refuses ${whose} present file and leaves the directory`, async () => {
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
          ? "was written by a newer version of this program"
          : "is not a database of this program; set DB_PATH to another " +
            "directory",
      ),
      error.message,
    );
    assertEquals(readFileSync(path), before);
    assertEquals(scene.names(), ["cep.db"]);
  });
}

const REPLACED: readonly [what: string, write: (path: string) => unknown][] = [
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

for (const [what, write] of REPLACED) {
  Deno.test(`ReleaseDirectory.lock lets an import replace ${what}`, async () => {
    using scene = new Scene();
    await write(scene.path("cep.db"));
    await (await scene.directory.lock("test"))();
  });
}

Deno.test("ReleaseDirectory.lock makes the directory, with those above it", async () => {
  using temp = new TempDirectory();
  const directory = new ReleaseDirectory(join(temp.path, "a", "b"));
  await (await directory.lock("test"))();
  assertEquals(readdirSync(directory.path), ["seed.lock"]);
});

Deno.test("ReleaseDirectory.lock removes what imports have left, and nothing else", async () => {
  using scene = new Scene();
  const { directory } = scene;
  const kept = ["cep-7.building", "cep.building", "x.building", "notes.txt"];
  scene.write(...kept);
  for (let i = 0; i < 3; i++) writeFileSync(directory.newPath(), "half");
  const unlock = await directory.lock("test");
  assertEquals(scene.names(), [...kept, "seed.lock"].sort());
  await unlock();
});

Deno.test("ReleaseDirectory.lock goes on where a leftover cannot be removed", async () => {
  using scene = new Scene();
  const path = scene.directory.newPath();
  // A folder is not removed, and no more is a file that Windows has open.
  mkdirSync(path);
  await (await scene.directory.lock("test"))();
  assertEquals(scene.names(), [basename(path), "seed.lock"]);
});

Deno.test("ReleaseDirectory.newPath is another each time, and no release", async () => {
  using scene = new Scene();
  const paths = Array.from({ length: 50 }, () => scene.directory.newPath());
  assertEquals(new Set(paths).size, 50);
  for (const path of paths) writeFileSync(path, "");
  assertEquals(await scene.present(), undefined);
});

Deno.test("ReleaseDirectory.discard gives the space back while the file is open", async () => {
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

Deno.test("ReleaseDirectory.discard of what is gone does nothing", async () => {
  using scene = new Scene();
  const path = scene.directory.newPath();
  await scene.directory.discard(path);
  rmSync(scene.directory.path, { recursive: true });
  await scene.directory.discard(path);
});
