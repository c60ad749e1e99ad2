import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { join } from "node:path";
import { lookup } from "../../../cep/http/lookup.ts";
import { openStore } from "../../../cep/store/mod.ts";
import type { Address } from "../../../cep/address.ts";
import { TempDirectory, writeDirectory } from "../_fixtures.ts";
import {
  address,
  addresses,
  exchange,
  fakeStore,
  publish,
  RELEASE,
  runSeed,
  Service,
} from "../_server.ts";

const PATH = "/cep/01900001";
const OLD = address({ logradouro: "Rua Velha" });
const NEW = address({ logradouro: "Rua Nova" });

Deno.test("lookup gives a record a strong ETag", async () => {
  await using service = await Service.open({ records: [OLD] });
  assertMatch(await etagOf(service), /^"[0-9a-z]+"$/);
});

Deno.test("lookup gives a record the same ETag again and again", async () => {
  await using service = await Service.open({ records: [OLD] });
  const etag = await etagOf(service);
  assertEquals(await etagOf(service), etag);
  assertEquals(await etagOf(service, "/cep/01900-001/"), etag);
});

Deno.test("lookup gives a record the same ETag without a cache", async () => {
  await using service = await Service.open({ records: [OLD] });
  const uncached = await Service.open({
    store: service.store,
    config: { cacheRecords: 0 },
  });
  const etag = await etagOf(service);
  assertEquals(await etagOf(uncached), etag);
  assertEquals(await etagOf(uncached), etag);
});

Deno.test("lookup gives every record an ETag of its own", async () => {
  const records = addresses(1_900_000, 50);
  await using service = await Service.open({ records });
  const etags = new Set<string>();
  for (const { cep } of records) {
    etags.add(await etagOf(service, `/cep/${cep}`));
  }
  assertEquals(etags.size, 50);
});

Deno.test("lookup gives a record another ETag with every import", async () => {
  await using service = await Service.open();
  const etags = new Set<string>();
  for (let i = 0; i < 5; i++) {
    await publish(service.store, [OLD]);
    etags.add(await etagOf(service));
  }
  assertEquals(etags.size, 5);
});

const CONDITIONS: readonly (readonly [
  what: string,
  value: (etag: string) => string,
  status: number,
])[] = [
  ["the ETag", (etag) => etag, 304],
  ["the ETag, weak", (etag) => `W/${etag}`, 304],
  ["a list with the ETag", (etag) => `"a", ${etag}, "b"`, 304],
  ["a list with the ETag, weak", (etag) => `"a",W/${etag}`, 304],
  ["any", () => "*", 304],
  ["another ETag", () => '"another"', 200],
  ["another ETag, weak", () => 'W/"another"', 200],
  ["a list of others", () => '"a", "b"', 200],
  ["the ETag without its quotes", (etag) => etag.slice(1, -1), 200],
  ["nothing", () => "", 200],
  ["half a quote", () => '"', 200],
];

for (const [what, value, status] of CONDITIONS) {
  Deno.test(`lookup answers ${status} to If-None-Match with ${what}`, async () => {
    await using service = await Service.open({ records: [OLD] });
    const etag = await etagOf(service);
    for (const method of ["GET", "HEAD"]) {
      const response = await service.ask(PATH, {
        method,
        headers: { "if-none-match": value(etag) },
      });
      assertEquals(response.status, status);
      assertEquals(response.headers.get("etag"), etag);
      assertEquals(response.headers.get("cache-control"), "max-age=300");
      const body = await response.text();
      assertEquals(
        body,
        status === 200 && method === "GET" ? JSON.stringify(OLD) : "",
      );
    }
  });
}

Deno.test("lookup answers 304 without a body or its headers", async () => {
  await using service = await Service.open({ records: [OLD] });
  const response = await service.ask(PATH, {
    headers: { "if-none-match": "*" },
  });
  assertEquals(response.status, 304);
  assertEquals(response.body, null);
  assertEquals(response.headers.get("content-type"), null);
  assertEquals(response.headers.get("content-length"), null);
});

Deno.test("lookup answers 404 to If-None-Match of a code that is not there", async () => {
  await using service = await Service.open({ records: [OLD] });
  const response = await service.ask("/cep/99999999", {
    headers: { "if-none-match": "*" },
  });
  assertEquals(response.status, 404);
  assertEquals(response.headers.get("etag"), null);
  await response.body?.cancel();
});

Deno.test("lookup answers the new record to the ETag of the old one", async () => {
  await using service = await Service.open({ records: [OLD] });
  const etag = await etagOf(service);
  await publish(service.store, [NEW]);
  const response = await service.ask(PATH, {
    headers: { "if-none-match": etag },
  });
  assertEquals(response.status, 200);
  assertEquals(await response.json(), NEW);
});

for (const cacheRecords of [0, 1, 100]) {
  Deno.test(`lookup answers the new record after an import, ${cacheRecords} kept`, async () => {
    await using service = await Service.open({
      records: [OLD, address({ cep: "01900002" })],
      config: { cacheRecords },
    });
    assertEquals(await recordAt(service), OLD);
    assertEquals(await recordAt(service), OLD);
    await publish(service.store, [NEW, address({ cep: "01900003" })]);
    assertEquals(await recordAt(service), NEW);
    assertEquals(await statusOf(service, "/cep/01900002"), 404);
    assertEquals(await statusOf(service, "/cep/01900003"), 200);
  });
}

Deno.test("lookup asks the store once for a record that it keeps", async () => {
  const found: string[] = [];
  const routes = lookup({
    store: counting(found),
    cacheRecords: 10,
    cacheSeconds: 0,
  });
  for (let i = 0; i < 3; i++) await answer(routes, "01900001");
  assertEquals(found, ["01900001"]);
});

Deno.test("lookup asks the store each time when it keeps none", async () => {
  const found: string[] = [];
  const count = { hits: 0, misses: 0 };
  const routes = lookup(
    { store: counting(found), cacheRecords: 0, cacheSeconds: 0 },
    count,
  );
  for (let i = 0; i < 3; i++) await answer(routes, "01900001");
  assertEquals(found.length, 3);
  assertEquals(count, { hits: 0, misses: 3 });
});

Deno.test("lookup keeps as many records as set", async () => {
  const found: string[] = [];
  const count = { hits: 0, misses: 0 };
  const routes = lookup(
    { store: counting(found), cacheRecords: 2, cacheSeconds: 0 },
    count,
  );
  for (const cep of ["00000001", "00000002", "00000003", "00000001"]) {
    await answer(routes, cep);
  }
  assertEquals(count, { hits: 0, misses: 4 });
  await answer(routes, "00000003");
  assertEquals(count, { hits: 1, misses: 4 });
});

Deno.test("lookup keeps one record for all written forms", async () => {
  const found: string[] = [];
  const routes = lookup({
    store: counting(found),
    cacheRecords: 10,
    cacheSeconds: 0,
  });
  for (const form of ["01900001", "01900-001", "01.900-001", "01900%2D001"]) {
    await answer(routes, form);
  }
  assertEquals(found, ["01900001"]);
});

Deno.test("lookup asks the store again for a code that was not there", async () => {
  const found: string[] = [];
  const store = fakeStore({
    release: () => Promise.resolve(RELEASE),
    find(cep) {
      found.push(cep);
      return Promise.resolve(undefined);
    },
  });
  await using service = await Service.open({ store });
  assertEquals(await statusOf(service), 404);
  assertEquals(await statusOf(service), 404);
  assertEquals(found.length, 2);
});

Deno.test("lookup keeps nothing that failed", async () => {
  let calls = 0;
  const store = fakeStore({
    release: () => Promise.resolve(RELEASE),
    find: () =>
      calls++ === 0 ? Promise.reject(new Error("boom")) : Promise.resolve(OLD),
  });
  await using service = await Service.open({ store });
  assertEquals(await statusOf(service), 500);
  assertEquals(await recordAt(service), OLD);
});

Deno.test("lookup does not ask the store for what is no code", async () => {
  await using service = await Service.open({ store: fakeStore() });
  assertEquals(await statusOf(service, "/cep/x"), 400);
  assertEquals(await statusOf(service, "/cep"), 400);
  assertEquals(service.logger.entries, []);
});

Deno.test("lookup does not keep a record that an import overtook", async () => {
  let release = RELEASE;
  let record: Address = OLD;
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let first = true;
  const store = fakeStore({
    release: () => Promise.resolve(release),
    async find({ length }) {
      assertEquals(length, 8);
      const now = record;
      if (first) {
        first = false;
        asked.resolve();
        await gate.promise;
      }
      return now;
    },
  });
  await using service = await Service.open({ store });
  const slow = recordAt(service);
  await asked.promise;
  [release, record] = [{ ...RELEASE, id: 2 }, NEW];
  assertEquals(await recordAt(service), NEW);
  gate.resolve();
  const streets = [OLD, NEW].map(({ logradouro }) => logradouro);
  assertEquals(streets.includes((await slow).logradouro), true);
  assertEquals(await recordAt(service), NEW);
});

Deno.test("lookup never gives two records one ETag while an import is not noticed yet", async () => {
  using directory = new TempDirectory();
  const path = join(directory.path, "data");
  writeDirectory(join(directory.path, "dne"));
  await runSeed(path, join(directory.path, "dne"));
  // To this store no time passes, so that it does not look for an import.
  const store = await openStore({ path, now: () => 0 });
  const importer = await openStore({ path });
  try {
    await using service = await Service.open({
      store,
      config: { cacheRecords: 0 },
    });
    const before = await service.ask(PATH);
    await publish(importer, [NEW]);
    const after = await service.ask(PATH);
    const records = [await before.json(), await after.json()];
    const etags = [before, after].map(({ headers }) => headers.get("etag"));
    assertEquals(
      etags[0] === etags[1],
      records[0].logradouro === records[1].logradouro,
    );
  } finally {
    await importer.close();
    await store.close();
  }
});

Deno.test("lookup answers each of many that ask at once its own record", async () => {
  const records = addresses(1_900_000, 300);
  await using service = await Service.open({
    records,
    config: { cacheRecords: 10 },
  });
  const asked = [...records, ...records.toReversed()];
  const answered = await Promise.all(asked.map(async ({ cep }) => {
    const response = await service.ask(`/cep/${cep}`);
    return await response.json();
  }));
  assertEquals(answered, asked);
});

Deno.test("lookup tells apart the tags of neighbouring releases and codes", async () => {
  const tags = new Set<string>();
  for (let id = 0; id < 20; id++) {
    const routes = lookup({
      store: counting([], { ...RELEASE, id }),
      cacheRecords: 0,
      cacheSeconds: 0,
    });
    tags.add((await answer(routes, "01900001"))["etag"] ?? "");
  }
  assertEquals(tags.size, 20);
  assertNotEquals([...tags][0], "");
});

type Routes = ReturnType<typeof lookup>;

async function answer(
  routes: Routes,
  param: string,
): Promise<Record<string, string>> {
  const route = routes.find(({ pattern }) => pattern === "/cep/:cep")!;
  const it = exchange({ route, param });
  assertEquals((await route.handle(it)).status, 200);
  return it.headers;
}

/** A store that has every code and notes what it is asked for. */
function counting(found: string[], release = RELEASE) {
  return fakeStore({
    release: () => Promise.resolve(release),
    find(cep) {
      found.push(cep);
      return Promise.resolve(address({ cep }));
    },
  });
}

async function etagOf(service: Service, path = PATH): Promise<string> {
  const response = await service.ask(path);
  assertEquals(response.status, 200);
  await response.body?.cancel();
  return response.headers.get("etag") ?? "";
}

async function recordAt(service: Service): Promise<Address> {
  const response = await service.ask(PATH);
  assertEquals(response.status, 200);
  return await response.json();
}

async function statusOf(service: Service, path = PATH): Promise<number> {
  const response = await service.ask(path);
  await response.body?.cancel();
  return response.status;
}
