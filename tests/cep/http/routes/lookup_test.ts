import { assertEquals, assertMatch } from "@std/assert";
import type { Address } from "../../../../cep/address.ts";
import type { Rendered } from "../../../../cep/store/store.ts";
import {
  address,
  addresses,
  fakeStore,
  recordsStore,
  RELEASE,
  Service,
} from "../../_server.ts";

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
  const store = recordsStore();
  await using service = await Service.open({ store });
  const etags = new Set<string>();
  for (let i = 0; i < 5; i++) {
    store.publish([OLD]);
    etags.add(await etagOf(service));
  }
  assertEquals(etags.size, 5);
});

for (const id of [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 32 - 1]) {
  Deno.test(`lookup gives a short ETag for the release ${id}`, async () => {
    await using service = await Service.open({ store: storeOf({ id }) });
    assertMatch(await etagOf(service), /^"[0-9a-z]{1,7}01900001"$/);
  });
}

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

Deno.test("lookup answers 304 with what a cache has to know", async () => {
  await using service = await Service.open({ records: [OLD] });
  const full = await service.ask(PATH);
  const response = await service.ask(PATH, {
    headers: { "if-none-match": "*" },
  });
  assertEquals(response.status, 304);
  assertEquals(response.body, null);
  assertEquals([...response.headers], [
    ["access-control-allow-origin", "*"],
    ["cache-control", "max-age=300"],
    ["etag", full.headers.get("etag")],
  ]);
  await full.body?.cancel();
});

Deno.test("lookup answers a record with few headers", async () => {
  await using service = await Service.open({ records: [OLD] });
  const response = await service.ask(PATH, { from: "192.0.2.1" });
  const { byteLength } = await response.arrayBuffer();
  assertEquals([...response.headers], [
    ["access-control-allow-origin", "*"],
    ["cache-control", "max-age=300"],
    ["content-length", `${byteLength}`],
    ["content-type", "application/json"],
    ["etag", response.headers.get("etag")],
  ]);
});

Deno.test("lookup lets only the client keep what names its request", async () => {
  await using service = await Service.open({ records: [OLD] });
  for (const method of ["GET", "HEAD"]) {
    for (const known of ["*", '"another"']) {
      const response = await service.ask(PATH, {
        method,
        headers: { "x-request-id": "r-1", "if-none-match": known },
      });
      assertEquals(response.headers.get("x-request-id"), "r-1");
      assertEquals(
        response.headers.get("cache-control"),
        "private, max-age=300",
      );
      await response.body?.cancel();
    }
  }
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
  const store = recordsStore([OLD]);
  await using service = await Service.open({ store });
  const etag = await etagOf(service);
  store.publish([NEW]);
  const response = await service.ask(PATH, {
    headers: { "if-none-match": etag },
  });
  assertEquals(response.status, 200);
  assertEquals(await response.json(), NEW);
});

Deno.test("lookup answers the new record after an import", async () => {
  const store = recordsStore([OLD, address({ cep: "01900002" })]);
  await using service = await Service.open({ store });
  assertEquals(await recordAt(service), OLD);
  store.publish([NEW, address({ cep: "01900003" })]);
  assertEquals(await recordAt(service), NEW);
  assertEquals(await statusOf(service, "/cep/01900002"), 404);
  assertEquals(await statusOf(service, "/cep/01900003"), 200);
});

Deno.test("lookup asks the store once, by the eight digits", async () => {
  const asked: string[] = [];
  const store = fakeStore({
    findJson(cep) {
      asked.push(cep);
      return Promise.resolve(rendered());
    },
  });
  await using service = await Service.open({ store });
  const forms = ["01900001", "01900-001", "01.900-001", "01900%2D001"];
  for (const form of forms) {
    assertEquals(await statusOf(service, `/cep/${form}`), 200);
  }
  assertEquals(asked, forms.map(() => "01900001"));
});

for (const [release, status] of [[RELEASE, 404], [undefined, 503]] as const) {
  const of = release ? "a release" : "an empty database";
  Deno.test(`lookup answers ${status} to a code that ${of} does not have`, async () => {
    const store = fakeStore({
      findJson: () => Promise.resolve(undefined),
      release: () => Promise.resolve(release),
    });
    await using service = await Service.open({ store });
    assertEquals(await statusOf(service), status);
  });
}

Deno.test("lookup does not ask the store for anything but a code", async () => {
  await using service = await Service.open({ store: fakeStore() });
  assertEquals(await statusOf(service, "/cep/x"), 400);
  assertEquals(await statusOf(service, "/cep"), 400);
  assertEquals(service.logger.entries, []);
});

Deno.test("lookup answers each of many requests at once its own record", async () => {
  const records = addresses(1_900_000, 300);
  await using service = await Service.open({ records });
  const asked = [...records, ...records.toReversed()];
  const answered = await Promise.all(asked.map(async ({ cep }) => {
    const response = await service.ask(`/cep/${cep}`);
    return await response.json();
  }));
  assertEquals(answered, asked);
});

Deno.test("lookup names each record by the release that it is from", async () => {
  let id = 0;
  const store = fakeStore({
    findJson: () => Promise.resolve(rendered({ id: id++ % 20 })),
  });
  await using service = await Service.open({ store });
  const tags = new Set<string>();
  for (let i = 0; i < 60; i++) tags.add(await etagOf(service));
  assertEquals(tags.size, 20);
});

function rendered(release: Partial<Rendered["release"]> = {}): Rendered {
  return {
    json: JSON.stringify(OLD),
    release: { ...RELEASE, ...release },
    fromMemory: false,
  };
}

/** A store that has one record of a release. */
function storeOf(release: Partial<Rendered["release"]>) {
  return fakeStore({ findJson: () => Promise.resolve(rendered(release)) });
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
