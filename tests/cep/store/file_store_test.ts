/** Store in a folder, and releases that other stores put there. */
import { assert, assertEquals } from "@std/assert";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { openStoreIn } from "../../../cep/store/file_store.ts";
import { openStore } from "../../../cep/store/mod.ts";
import {
  ReleaseDirectory,
  type ReleaseFile,
} from "../../../cep/store/release_directory.ts";
import { CapturingLogger } from "../_logger.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { cepsOf, OpenedStore } from "../_stores.ts";
import { within } from "../_within.ts";
import { entries, FACTS, fill } from "./_release.ts";
import { NOTICED, WatchedDirectory } from "./_watched.ts";

Deno.test("openStore opens the release of an earlier store, a single file", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  await using second = await OpenedStore.open({ path: folder.path });
  assertEquals(await cepsOf(second.store), ["01310100"]);
  // Only later releases are logged.
  assertEquals(second.log.entries, []);
});

// deno-fmt-ignore
const NAMES = [
  "with blanks", "100%41", "a?b", "a#b", "a&mode=rw", "d'água", "ção", "file:x",
];

for (const name of NAMES) {
  Deno.test({
    name: `openStore accepts a folder named "${name}"`,
    ignore: process.platform === "win32" && /[?:]/.test(name),
    async fn() {
      using folder = new ReleaseFolder();
      const path = join(folder.path, name);
      await using opened = await OpenedStore.open({ path });
      await fill(opened.store, entries("01310100"));
      assertEquals(await cepsOf(opened.store), ["01310100"]);
      assertEquals(readdirSync(path).sort(), ["cep.db", "seed.lock"]);
      assertEquals(readdirSync(folder.path), [name]);
    },
  });
}

Deno.test("openStore does not create a folder", async () => {
  using folder = new ReleaseFolder();
  const path = join(folder.path, "data");
  await using opened = await OpenedStore.open({ path });
  assertEquals(await opened.store.release(), undefined);
  assertEquals(folder.names(), []);
});

Deno.test("Store notices an import of another store by itself", async () => {
  using folder = new ReleaseFolder();
  const log = new CapturingLogger();
  const reader = await openStore({ path: folder.path, logger: log });
  await using writer = await OpenedStore.open({ path: folder.path });
  for (const [i, cep] of ["01310100", "01310200"].entries()) {
    await fill(writer.store, entries(cep));
    const { properties } = await log.logged(NOTICED, i + 1);
    const release = await writer.store.release();
    assertEquals(properties, {
      release: release?.id.toString(16).padStart(8, "0"),
      dne_version: FACTS.dneVersion,
      seeded_at: FACTS.seededAt,
      total_ceps: 1,
    });
    assertEquals(await reader.release(), release);
    assertEquals(await cepsOf(reader), [cep]);
    assert((await reader.findJson(cep))?.fromMemory);
  }
  // A store does not log its own imports.
  assertEquals(writer.log.entries, []);
  await reader.close();
});

Deno.test("Store notices a release with an earlier time", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  await using reader = await OpenedStore.open({ path: folder.path });
  await using writer = await OpenedStore.open({ path: folder.path });
  await fill(writer.store, entries("01310200"), {
    seededAt: "2025-04-15T11:00:00.000Z",
  });
  utimesSync(folder.file, 1, 1);
  await reader.log.logged(NOTICED);
  assertEquals(await cepsOf(reader.store), ["01310200"]);
});

Deno.test("Store notices a release that was copied into its folder", async () => {
  using source = new ReleaseFolder();
  using folder = new ReleaseFolder();
  await source.fill(entries("01310200"));
  await folder.fill(entries("01310100"));
  await using reader = await OpenedStore.open({ path: folder.path });
  folder.replace((path) => copyFileSync(source.file, path));
  await reader.log.logged(NOTICED);
  assertEquals(await cepsOf(reader.store), ["01310200"]);
});

Deno.test("Store notices a release in a folder that was deleted and created again", async () => {
  using folder = new ReleaseFolder();
  const path = join(folder.path, "data");
  await using reader = await OpenedStore.open({ path });
  for (const [i, cep] of ["01310100", "01310200", "01310300"].entries()) {
    await using writer = await OpenedStore.open({ path });
    await fill(writer.store, entries(cep));
    await reader.log.logged(NOTICED, i + 1);
    assertEquals(await cepsOf(reader.store), [cep]);
    rmSync(path, { recursive: true });
    assertEquals(await cepsOf(reader.store), [cep]);
  }
});

Deno.test("Store serves the last release while its folder is missing", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  const directory = new WatchedDirectory(folder.path);
  await using reader = await OpenedStore.openIn(directory);
  rmSync(folder.path, { recursive: true });
  await directory.looked();
  assertEquals(await cepsOf(reader.store), ["01310100"]);
  assertEquals(reader.log.entries, []);
});

/**
 * Directory as on Windows: an open file can be neither replaced nor renamed.
 */
class WindowsDirectory extends ReleaseDirectory {
  constructor(path: string) {
    super(path, {
      rename: async (from, to) => {
        if (existsSync(to)) {
          const code = "EPERM";
          throw Object.assign(new Error(`${code}: rename`), { code });
        }
        await Promise.resolve(renameSync(from, to));
      },
    });
  }
}

Deno.test("Store notices a release with the next number", async () => {
  using folder = new ReleaseFolder();
  await using writer = await OpenedStore.openIn(
    new WindowsDirectory(folder.path),
  );
  await using reader = await OpenedStore.open({ path: folder.path });
  const files = ["cep.db", "cep-2.db", "cep-3.db"];
  for (const [i, file] of files.entries()) {
    const cep = `0131010${i}`;
    await fill(writer.store, entries(cep));
    assertEquals(folder.names(), [file, "seed.lock"]);
    assertEquals(await cepsOf(writer.store), [cep]);
    await reader.log.logged(NOTICED, i + 1);
    assertEquals(await cepsOf(reader.store), [cep]);
  }
});

/** Directory whose content can be read only while its gate is open. */
class GatedDirectory extends ReleaseDirectory {
  #gate = Promise.resolve();
  #arrived = Promise.withResolvers<void>();

  override async current(): Promise<ReleaseFile | undefined> {
    this.#arrived.resolve();
    await this.#gate;
    return await super.current();
  }

  /**
   * Closes the gate, and waits for a poll. Returns a function that opens it.
   */
  async close(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    this.#arrived = Promise.withResolvers<void>();
    await within("a look for a release", this.#arrived.promise);
    return resolve;
  }
}

Deno.test("Store.close waits for a poll in progress", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries("01310100"));
  const directory = new GatedDirectory(folder.path);
  await using reader = await OpenedStore.openIn(directory);
  const openGate = await directory.close();
  let isClosed = false;
  const closed = reader.store.close().then(() => isClosed = true);
  await setImmediate();
  assertEquals(isClosed, false);
  openGate();
  await closed;
});

Deno.test("Store notices releases although its logger throws", async () => {
  using folder = new ReleaseFolder();
  const fail = () => {
    throw new Error("disk full");
  };
  const logger = { debug: fail, info: fail, warn: fail, error: fail };
  const directory = new WatchedDirectory(folder.path);
  const reader = await openStoreIn(directory, { logger, lookMs: 10 });
  for (const cep of ["01310100", "01310200"]) {
    await folder.fill(entries(cep));
    await directory.looked(4);
    assertEquals(await cepsOf(reader), [cep]);
  }
  await reader.close();
});
