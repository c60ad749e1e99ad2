/** Replica of a primary. The cluster tests have real ones. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Connection } from "../../../cep/release/connection.ts";
import { connect } from "../../../cep/release/local_connection.ts";
import { copyRelease } from "../../../cep/store/follow/copy_release.ts";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import { DatabaseError, UnreachableError } from "../../../cep/store/store.ts";
import { TABLES } from "../../../cep/release/schema.ts";
import { Process } from "../_process.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { seedFiles, seedSample } from "../_seeding.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { HALTED, haltingReplica } from "./_halting_replica.ts";
import { FilePrimary, OpenedReplica } from "./_primary.ts";
import { alter, censusRow, entries, fill } from "./_release.ts";

const TIME = Date.parse("2026-02-03T04:05:06.000Z");

/** Primary with the small DNE, and an empty folder for a replica. */
class Scene implements AsyncDisposable {
  private constructor(
    readonly primary: FilePrimary,
    readonly folder: ReleaseFolder,
  ) {}

  static async make(): Promise<Scene> {
    const primary = await FilePrimary.open();
    await seedFiles(primary.store);
    return new Scene(primary, new ReleaseFolder());
  }

  open(
    options: Parameters<typeof OpenedReplica.open>[2] = {},
  ): Promise<OpenedReplica> {
    return OpenedReplica.open(this.folder.path, this.primary, options);
  }

  /** Checks that a replica answers as the primary does. */
  async check({ store }: OpenedReplica): Promise<void> {
    assertEquals(await contentOf(store), await contentOf(this.primary.store));
    const { error } = store.freshness()!;
    assertEquals(error, undefined);
  }

  /** Names of the files that a copy keeps. */
  names(): string[] {
    return this.folder.names();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.primary[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}

const FILES = ["cep.db", "replica.sync", "seed.lock"];

Deno.test("ReplicaStore copies every table of the primary", async () => {
  await using scene = await Scene.make();
  await seedSample(scene.primary.store);
  await using replica = await scene.open();
  assertEquals(await replica.store.release(), undefined);
  await replica.store.sync();
  await scene.check(replica);
  assertEquals(scene.names(), FILES);
  const release = await scene.primary.current();
  const source = await release!.connect();
  const copy = new DatabaseSync(scene.folder.file, { readOnly: true });
  for (const name of Object.keys(TABLES)) {
    const select = await source.prepare(`SELECT * FROM ${name}`);
    const rows = copy.prepare(`SELECT * FROM ${name}`).all();
    assertEquals(
      rows.map((row) => Object.values(row)),
      (await select.all()).map((row) =>
        row.map((value) =>
          typeof value === "object" && value !== null
            ? Uint8Array.from(value)
            : value
        )
      ),
      name,
    );
  }
  copy.close();
});

Deno.test("ReplicaStore answers from its file without the primary, and says how old it is", async () => {
  await using scene = await Scene.make();
  await using first = await scene.open({ now: () => TIME });
  await first.store.sync();
  scene.primary.away = new Error("it is away");
  await using second = await scene.open();
  await second.store.sync();
  const syncedAt = new Date(TIME).toISOString();
  assertEquals(second.store.freshness(), { syncedAt, error: "it is away" });
  assertEquals(await contentOf(second.store), await contentOf(first.store));
});

Deno.test("ReplicaStore knows the time of the last sync after a restart, to the millisecond", async () => {
  await using scene = await Scene.make();
  for (let i = 0; i < 20; i++) {
    const now = () => TIME + i * 50_001;
    await using first = await scene.open({ now });
    await first.store.sync();
    await using second = await scene.open();
    assertEquals(second.store.freshness(), {
      syncedAt: new Date(now()).toISOString(),
    });
  }
});

Deno.test("ReplicaStore without data and without a primary is empty", async () => {
  await using scene = await Scene.make();
  scene.primary.away = new Error("it is away");
  await using replica = await scene.open();
  await replica.store.sync();
  assertEquals(await replica.store.release(), undefined);
  assertEquals(replica.store.freshness(), {
    syncedAt: null,
    error: "it is away",
  });
  scene.primary.away = undefined;
  await replica.store.sync();
  await scene.check(replica);
});

Deno.test("ReplicaStore keeps its data if the primary has no release", async () => {
  await using scene = await Scene.make();
  await using replica = await scene.open();
  await replica.store.sync();
  const content = await contentOf(replica.store);
  await using empty = await FilePrimary.open();
  await using second = await OpenedReplica.open(scene.folder.path, empty);
  await second.store.sync();
  assertEquals(await contentOf(second.store), content);
  assertEquals(
    second.store.freshness()?.error,
    "the primary has no release; import the DNE or the CNEFE with MODE=seed",
  );
});

Deno.test("ReplicaStore keeps its data if the primary is lost at any query of a copy, and then copies", async () => {
  await using scene = await Scene.make();
  await fill(scene.primary.store, entries("01310100"));
  await using replica = await scene.open();
  await replica.store.sync();
  const queries = scene.primary.queries;
  assert(queries > 10);
  for (let lost = 1; lost <= queries; lost += 5) {
    await fill(scene.primary.store, entries(`013101${10 + lost}`));
    const before = await contentOf(replica.store);
    scene.primary.queries = 0;
    scene.primary.onQuery = (n) => {
      if (n === lost) {
        scene.primary.away = new UnreachableError(`lost at query ${n}`);
      }
    };
    await replica.store.sync();
    assertEquals(replica.store.freshness()?.error, `lost at query ${lost}`);
    assertEquals(await contentOf(replica.store), before);
    assertEquals(scene.names(), FILES);
    scene.primary.away = undefined;
    scene.primary.onQuery = () => {};
    await replica.store.sync();
    await scene.check(replica);
  }
});

Deno.test("ReplicaStore discards the copy of a release that is replaced during the copy", async () => {
  await using scene = await Scene.make();
  await using replica = await scene.open();
  scene.primary.onQuery = async (n) => {
    if (n === 10) await fill(scene.primary.store, entries("01310100"));
  };
  await replica.store.sync();
  assertEquals(await replica.store.release(), undefined);
  assertEquals(
    replica.store.freshness()?.error,
    "the primary has a new release",
  );
  await replica.store.sync();
  await scene.check(replica);
});

Deno.test("ReplicaStore discards a copy with too few rows", async () => {
  await using scene = await Scene.make();
  await using replica = await scene.open();
  const { current } = scene.primary;
  scene.primary.current = async () => {
    const found = await current.call(scene.primary);
    return {
      ...found!,
      async connect() {
        const connection = await found!.connect();
        return {
          ...connection,
          async prepare(sql: string) {
            const statement = await connection.prepare(sql);
            if (!/FROM cep\b/.test(sql)) return statement;
            return {
              ...statement,
              all: async (values) => {
                const [[json, ...others] = []] = await statement.all(values);
                const rows: unknown[] = JSON.parse(json as string);
                return [[JSON.stringify(rows.slice(1)), ...others]];
              },
            };
          },
        };
      },
    };
  };
  await replica.store.sync();
  assertMatch(
    replica.store.freshness()?.error!,
    /^Cannot use the copy of release [0-9a-f]{8}: it has \d CEPs of LOG_\w+\.TXT, but the release has \d$/,
  );
  assertEquals(await replica.store.release(), undefined);
  assertEquals(scene.names(), ["seed.lock"]);
});

for (
  const [part, error] of [
    ["snapshot", "Cannot read snapshot: its checksum does not match"],
    ["busca", "Cannot read search index: its checksum does not match"],
    ["pontos", "Cannot read points: their checksum does not match"],
  ] as const
) {
  Deno.test(`ReplicaStore refuses a release whose ${part} has zeros, and copies it again later and later`, async () => {
    await using scene = await Scene.make();
    let now = TIME;
    await using replica = await scene.open({ now: () => now });
    await replica.store.sync();
    const before = await contentOf(replica.store);
    const census = [censusRow("01310100")];
    await fill(scene.primary.store, entries("01310100"), {}, census);
    const file = join(scene.primary.path, "cep.db");
    alter(file, `UPDATE ${part} SET bytes = zeroblob(length(bytes))`);
    const copies: number[] = [];
    now += 60_000;
    for (let poll = 0; poll < 12; poll++) {
      scene.primary.queries = 0;
      await replica.store.sync();
      if (scene.primary.queries > 0) copies.push(poll);
      const { syncedAt, error: found } = replica.store.freshness()!;
      assertEquals(syncedAt, new Date(TIME).toISOString());
      assertMatch(found!, new RegExp(`^Cannot use the copy of .*: ${error}$`));
    }
    assertEquals(copies, [0, 2, 5, 10]);
    assertEquals(await contentOf(replica.store), before);
    assertEquals(scene.names(), FILES);
    assertEquals(replica.log.at("error").length, 1);
    // Another release is not kept waiting.
    await fill(scene.primary.store, entries("01310200"));
    await replica.store.sync();
    await scene.check(replica);
  });
}

for (const part of ["snapshot", "busca"]) {
  Deno.test(`ReplicaStore replaces its copy if the ${part} of it has zeros`, async () => {
    await using scene = await Scene.make();
    await using first = await scene.open();
    await first.store.sync();
    await first.store.close();
    alter(
      scene.folder.file,
      `UPDATE ${part} SET bytes = zeroblob(length(bytes))`,
    );
    await using second = await scene.open();
    assertEquals(second.store.missingParts().length, 1);
    await second.store.sync();
    assertEquals(second.store.missingParts(), []);
    await scene.check(second);
  });
}

Deno.test("ReplicaStore does not try at each sync to publish a copy that the disk refuses", async () => {
  await using scene = await Scene.make();
  let renames = 0;
  const directory = new ReleaseDirectory(scene.folder.path, {
    rename() {
      renames++;
      return Promise.reject(new Error("the disk is full"));
    },
  });
  await using replica = await scene.open({ directory });
  for (let poll = 0; poll < 5; poll++) {
    await replica.store.sync();
    assertMatch(replica.store.freshness()?.error!, /the disk is full/);
  }
  assertEquals(renames, 2);
});

Deno.test("ReplicaStore does not know the time of a last sync in the future", async () => {
  await using scene = await Scene.make();
  await using first = await scene.open({ now: () => TIME });
  await first.store.sync();
  await using second = await scene.open({ now: () => TIME - 1 });
  assertEquals(second.store.freshness(), { syncedAt: null });
});

Deno.test("ReplicaStore imports into the primary", async () => {
  await using scene = await Scene.make();
  await using replica = await scene.open();
  await fill(replica.store, entries("01310100"));
  assertEquals((await scene.primary.store.release())?.totalCeps, 1);
  await replica.store.sync();
  await scene.check(replica);
});

Deno.test("ReplicaStore.close ends a copy, and leaves no file of it", async () => {
  await using scene = await Scene.make();
  const replica = await scene.open();
  const halted = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  scene.primary.onQuery = async (n) => {
    if (n !== 5) return;
    halted.resolve();
    await goOn.promise;
  };
  replica.store.follow();
  await halted.promise;
  const closed = replica.store.close();
  goOn.resolve();
  await closed;
  assertEquals(readdirSync(scene.folder.path), ["seed.lock"]);
  assertEquals(replica.log.at("error"), []);
});

const STEPS = [1, 2, 10, 25, "before the rename", "after the rename"] as const;

for (const step of STEPS) {
  const where = typeof step === "number" ? `before query ${step}` : step;
  const data = step === "after the rename" ? "new" : "old";
  Deno.test(`ReplicaStore killed ${where} leaves the ${data} data, and the next sync succeeds`, async () => {
    await using scene = await Scene.make();
    await using replica = await scene.open();
    await replica.store.sync();
    const before = await contentOf(replica.store);
    await fill(scene.primary.store, entries("01310100"));
    await using halting = Process.start(haltingReplica({
      primary: scene.primary.path,
      replica: scene.folder.path,
      step,
    }));
    await halting.logged(HALTED);
    halting.kill("SIGKILL");
    assertEquals((await halting.end()).signal, "SIGKILL");

    await using opened = await OpenedStore.open({ path: scene.folder.path });
    const after = data === "old"
      ? before
      : await contentOf(scene.primary.store);
    assertEquals(await contentOf(opened.store), after);
    const left = scene.names().filter((name) => !FILES.includes(name));
    assert(left.length <= 1, left.join());
    await replica.store.sync();
    await scene.check(replica);
    await fill(scene.primary.store, entries("01310200"));
    await replica.store.sync();
    await scene.check(replica);
    assertEquals(scene.names(), FILES);
  });
}

/** Rows of a page, whose number a server may repeat for ever. */
const ROWS = 2000;

Deno.test("copyRelease ends a copy whose pages do not end", async () => {
  let row = 0;
  const source: Connection = {
    table: (name) => name,
    prepare: (sql) =>
      Promise.resolve({
        get: () => undefined,
        all: () => {
          if (!sql.includes("FROM faixa_uf ")) {
            return Promise.resolve([["[]", 0]]);
          }
          if (row > 100 * ROWS) throw new Error("too many pages");
          const rows = Array.from(
            { length: ROWS },
            () => [`${row}`, ++row, row],
          );
          return Promise.resolve([[JSON.stringify(rows), ROWS, "SP", row]]);
        },
      }),
    close() {},
  };
  const target = await connect(":memory:");
  await assertRejects(
    () => copyRelease(source, target, new AbortController().signal, 1_000_000),
    DatabaseError,
    "Cannot copy the release: it has more than 1000000 bytes",
  );
  assert(row <= 30 * ROWS, `${row}`);
  target.close();
});
