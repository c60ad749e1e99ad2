/** The store in a directory: its file, other processes, and what may be wrong. */
import { assert, assertEquals, assertRejects } from "@std/assert";
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
import { openStoreIn } from "../../../cep/store/embedded.ts";
import { DatabaseError } from "../../../cep/store/mod.ts";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import { alter, cepsOf, entries, FACTS, fill, Opened } from "./_release.ts";
import { Folder, NOTICED, Watched } from "./_folder.ts";

Deno.test("openStore finds what an earlier process imported, in one file", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  await using second = await Opened.open({ path: folder.path });
  assertEquals(await cepsOf(second.store), ["01310100"]);
  // A server tells of it by itself.
  assertEquals(second.log.entries, []);
});

// deno-fmt-ignore
const NAMES = [
  "with blanks", "100%41", "a?b", "a#b", "a&mode=rw", "d'água", "ção", "file:x",
];

for (const name of NAMES) {
  Deno.test({
    name: `openStore takes a directory "${name}"`,
    ignore: process.platform === "win32" && /[?:]/.test(name),
    async fn() {
      using folder = new Folder();
      const path = join(folder.path, name);
      await using opened = await Opened.open({ path });
      await fill(opened.store, entries("01310100"));
      assertEquals(await cepsOf(opened.store), ["01310100"]);
      assertEquals(readdirSync(path).sort(), ["cep.db", "seed.lock"]);
      assertEquals(readdirSync(folder.path), [name]);
    },
  });
}

Deno.test("openStore writes nothing", async () => {
  using folder = new Folder();
  const path = join(folder.path, "data");
  await using opened = await Opened.open({ path });
  assertEquals(await opened.store.release(), undefined);
  assertEquals(folder.names(), []);
});

Deno.test("Store.find has a renamed neighbourhood by one row", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100", "01310200"));
  alter(folder.file, "UPDATE bairro SET nome = 'Água Nova' WHERE bai_nu = 1");
  await using opened = await Opened.open({
    path: folder.path,
    snapshot: false,
  });
  for await (const page of opened.store.scan()) {
    assertEquals(page.map(({ bairro }) => bairro), ["Água Nova", "Água Nova"]);
  }
  assertEquals((await opened.store.find("01310200"))?.bairro, "Água Nova");
});

Deno.test("openStore notices another store's import within a second", async () => {
  using folder = new Folder();
  await using reader = await Opened.open({ path: folder.path });
  await using writer = await Opened.open({ path: folder.path });
  for (const [i, cep] of ["01310100", "01310200"].entries()) {
    await fill(writer.store, entries(cep));
    const { properties } = await reader.log.hears(NOTICED, i + 1);
    const release = await writer.store.release();
    assertEquals(properties, {
      release: release?.id.toString(16).padStart(8, "0"),
      dne_version: FACTS.dneVersion,
      seeded_at: FACTS.seededAt,
      total_ceps: 1,
    });
    assertEquals(await reader.store.release(), release);
    assertEquals(await cepsOf(reader.store), [cep]);
    assert((await reader.store.findJson(cep))?.fromMemory);
  }
  // Its own import is no news.
  assertEquals(writer.log.entries, []);
});

Deno.test("openStore notices a release whatever clocks and times of files tell", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  await using reader = await Opened.open({ path: folder.path });
  await using writer = await Opened.open({ path: folder.path });
  await fill(writer.store, entries("01310200"), {
    seededAt: "2025-04-15T11:00:00.000Z",
  });
  utimesSync(folder.file, 1, 1);
  await reader.log.hears(NOTICED);
  assertEquals(await cepsOf(reader.store), ["01310200"]);
});

Deno.test("openStore notices a release that was copied into its place", async () => {
  using source = new Folder();
  using folder = new Folder();
  await source.fill(entries("01310200"));
  await folder.fill(entries("01310100"));
  await using reader = await Opened.open({ path: folder.path });
  folder.replace((path) => copyFileSync(source.file, path));
  await reader.log.hears(NOTICED);
  assertEquals(await cepsOf(reader.store), ["01310200"]);
});

Deno.test("openStore notices a directory that was deleted and seeded anew", async () => {
  using folder = new Folder();
  const path = join(folder.path, "data");
  await using reader = await Opened.open({ path });
  for (const [i, cep] of ["01310100", "01310200", "01310300"].entries()) {
    await using writer = await Opened.open({ path });
    await fill(writer.store, entries(cep));
    await reader.log.hears(NOTICED, i + 1);
    assertEquals(await cepsOf(reader.store), [cep]);
    rmSync(path, { recursive: true });
    assertEquals(await cepsOf(reader.store), [cep]);
  }
});

Deno.test("openStore answers from the last release while its directory is gone", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const directory = new Watched(folder.path);
  await using reader = await Opened.openIn(directory);
  rmSync(folder.path, { recursive: true });
  await directory.looks();
  assertEquals(await cepsOf(reader.store), ["01310100"]);
  assertEquals(reader.log.entries, []);
});

/** Where a file that is open can be neither replaced nor renamed. */
class Stubborn extends ReleaseDirectory {
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

Deno.test("openStore takes to a release of the next number", async () => {
  using folder = new Folder();
  await using writer = await Opened.openIn(new Stubborn(folder.path));
  await using reader = await Opened.open({ path: folder.path });
  const files = ["cep.db", "cep-2.db", "cep-3.db"];
  for (const [i, file] of files.entries()) {
    const cep = `0131010${i}`;
    await fill(writer.store, entries(cep));
    assertEquals(folder.names(), [file, "seed.lock"]);
    assertEquals(await cepsOf(writer.store), [cep]);
    await reader.log.hears(NOTICED, i + 1);
    assertEquals(await cepsOf(reader.store), [cep]);
  }
});

Deno.test("Store.close waits for a look that is under way", async () => {
  using folder = new Folder();
  await folder.fill(entries("01310100"));
  const directory = new Watched(folder.path);
  await using reader = await Opened.openIn(directory);
  await folder.fill(entries("01310200"));
  await Promise.all([directory.present(), reader.store.close()]);
  await assertRejects(() => reader.store.release(), DatabaseError);
});

Deno.test("openStore notices releases although its logger throws", async () => {
  using folder = new Folder();
  const fail = () => {
    throw new Error("disk full");
  };
  const logger = { debug: fail, info: fail, warn: fail, error: fail };
  const directory = new Watched(folder.path);
  const reader = await openStoreIn(directory, { logger });
  for (const cep of ["01310100", "01310200"]) {
    await folder.fill(entries(cep));
    await directory.looks(4);
    assertEquals(await cepsOf(reader), [cep]);
  }
  await reader.close();
});
