/** Static site of a release, and its client. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type CepClient,
  CepError,
  createCepClient,
} from "../../../../cep/client/mod.ts";
import { createHandler } from "../../../../cep/http/handler.ts";
import type { Manifest } from "../../../../cep/export/static/layout.ts";
import { writeSite } from "../../../../cep/export/static/write_site.ts";
import { openStore, type Store } from "../../../../cep/store/mod.ts";
import { CapturingLogger } from "../../_logger.ts";
import { fakeStore } from "../../_records.ts";
import { seedSample } from "../../_seeding.ts";
import { OpenedStore } from "../../_stores.ts";
import { entries, fill } from "../../store/_release.ts";

const SITE = "https://cdn.test/cep/";

/** Folder in memory. */
class MemoryFolder {
  readonly files = new Map<string, string>();
  /** Paths in the order in which they were written. */
  paths: string[] = [];
  #old = new Set<string>();

  write(path: string, text: string): Promise<boolean> {
    const isNew = this.files.get(path) !== text;
    this.#old.delete(path);
    if (isNew) this.paths.push(path);
    this.files.set(path, text);
    return Promise.resolve(isNew);
  }

  removeOthers(): Promise<number> {
    const old = [...this.#old];
    for (const path of old) this.files.delete(path);
    this.#old = new Set(this.files.keys());
    return Promise.resolve(old.length);
  }

  /** Begins another export. */
  reopen(): void {
    this.#old = new Set(this.files.keys());
    this.paths = [];
  }

  /** Client of the site in this folder. */
  client(): CepClient {
    return createCepClient({
      staticSite: SITE,
      fetch: (url) => {
        const text = this.files.get(url.slice(SITE.length));
        return Promise.resolve(
          new Response(text ?? "", { status: text === undefined ? 404 : 200 }),
        );
      },
    });
  }
}

Deno.test("writeSite writes nothing before the first import", async () => {
  await using opened = await OpenedStore.inMemory();
  const folder = new MemoryFolder();
  assertEquals(await writeSite(opened.store, folder), undefined);
  assertEquals(folder.files.size, 0);
});

Deno.test("writeSite writes each prefix, and the manifest last", async () => {
  await using opened = await OpenedStore.inMemory();
  await fill(opened.store, entries("01310100", "01310200", "20040020"));
  const folder = new MemoryFolder();
  const report = await writeSite(opened.store, folder);
  const release = await opened.store.release();
  assertEquals(
    folder.paths.filter((path) => path.startsWith("cep/")),
    ["cep/01310.json", "cep/20040.json"],
  );
  assertEquals(folder.paths.at(-1), "manifest.json");
  const { files } = folder;
  assertEquals(report, {
    records: 3,
    files: files.size,
    written: files.size,
    removed: 0,
  });
  const manifest: Manifest = JSON.parse(files.get("manifest.json")!);
  const { prefixos, ...facts } = manifest;
  assertEquals(facts, {
    formato: 1,
    release: release!.id.toString(16).padStart(8, "0"),
    dne_version: release!.dneVersion,
    seeded_at: release!.seededAt,
    total_ceps: 3,
  });
  assertEquals(prefixos.length, 16_668);
});

Deno.test("writeSite of another release writes and removes only files that differ", async () => {
  await using opened = await OpenedStore.inMemory();
  await fill(opened.store, entries("01310100", "20040020", "30130010"));
  const folder = new MemoryFolder();
  await writeSite(opened.store, folder);
  folder.reopen();
  await fill(opened.store, entries("01310100", "20040021", "40000001"));
  const report = await writeSite(opened.store, folder);
  assertEquals(folder.paths, [
    "cep/20040.json",
    "cep/40000.json",
    "manifest.json",
  ]);
  assertEquals([report?.written, report?.removed], [3, 1]);
  assertEquals(folder.files.has("cep/30130.json"), false);
});

Deno.test("writeSite reads places and records of one release", async () => {
  await using first = await OpenedStore.inMemory();
  await using second = await OpenedStore.inMemory();
  await fill(first.store, entries("01310100"));
  await fill(second.store, entries("20040020"));
  // A release is published between the two calls.
  const opened = [first, second, second, second].map(({ store }) => store);
  const folder = new MemoryFolder();
  const report = await writeSite(
    fakeStore({
      gazetteer: () => opened.shift()!.gazetteer(),
      dump: () => opened.shift()!.dump(),
    }),
    folder,
  );
  assertEquals(report?.records, 1);
  assertEquals(folder.files.has("cep/20040.json"), true);
});

Deno.test("a client of the static site returns the answers of the server", async (t) => {
  const store: Store = await openStore({
    path: ":memory:",
    logger: new CapturingLogger(),
  });
  await seedSample(store);
  const folder = new MemoryFolder();
  await writeSite(store, folder);
  const handler = createHandler({
    store,
    config: { rateLimit: false },
    logger: new CapturingLogger(),
  });
  const server = createCepClient({
    baseUrl: "https://cep.test",
    fetch: async (url, init) => await handler(new Request(url, init)),
  });
  const site = folder.client();
  const records = (await Array.fromAsync(store.scan())).flat();

  await t.step("batch returns every record", async () => {
    const ceps = records.map(({ cep }) => cep);
    const [ours, theirs] = [await site.batch(ceps), await server.batch(ceps)];
    assertEquals(ours.map(({ address }) => address), records);
    assertEquals(theirs, ours);
  });

  await t.step("find returns undefined for unknown CEPs", async () => {
    for (const cep of ["01310999", "99999999", "00000000"]) {
      assertEquals(await site.find(cep), undefined);
      assertEquals(await server.find(cep), undefined);
    }
  });

  await t.step("the places are the same", async () => {
    const states = await site.states();
    assertEquals(states, await server.states());
    assertEquals(states.length, 27);
    for (const { sigla } of states) {
      const municipalities = await site.municipalities(sigla);
      assertEquals(municipalities, await server.municipalities(sigla));
      assert(municipalities.length > 0);
      for (const { codigo_ibge: ibge } of municipalities.slice(0, 2)) {
        assertEquals(
          await site.municipality(ibge),
          await server.municipality(ibge),
        );
        assertEquals(await site.districts(ibge), await server.districts(ibge));
        assertEquals(
          await site.neighbourhoods(ibge),
          await server.neighbourhoods(ibge),
        );
      }
    }
  });

  await t.step("unknown places are reported alike", async () => {
    for (const client of [site, server]) {
      const { code } = await assertRejects(
        () => client.municipality("9999999"),
        CepError,
      );
      assertEquals(code, "place_not_found");
    }
  });

  await t.step("searchAll finds records on the server", async () => {
    const query = { q: "paulista", uf: "SP", limite: 2 };
    const found = await Array.fromAsync(server.searchAll(query));
    assert(found.some(({ cep }) => cep === "01310100"));
  });

  await t.step("match and history are answered by the server", async () => {
    const { cep } = await server.match("Avenida Paulista, São Paulo/SP");
    assertEquals(cep?.slice(0, 5), "01310");
    assertEquals(await server.history("01310100"), []);
  });

  await store.close();
});
