import { assertEquals, assertMatch } from "@std/assert";
import { describeError } from "../../../../cep/http/errors.ts";
import type { Address } from "../../../../cep/record/address.ts";
import { createHandler } from "../../../../cep/http/handler.ts";
import type { Rendered } from "../../../../cep/store/store.ts";
import {
  address,
  addresses,
  fakeStore,
  recordsStore,
  RELEASE,
} from "../../_records.ts";
import { Service } from "../../_service.ts";

const PATH = "/cep/01900001";
const OLD = address({ logradouro: "Rua Velha" });
const NEW = address({ logradouro: "Rua Nova" });

const WRITTEN = [
  "01900001",
  "01900-001",
  "01.900-001",
  "01900%20001",
  "%2001900001%20",
  "01900%C2%A0001",
];

for (const suffix of ["", "/historico", "/censo"]) {
  for (const written of WRITTEN) {
    Deno.test(`GET /cep/${written}${suffix} reads the CEP`, async () => {
      await using service = await Service.open({ records: [OLD] });
      const response = await service.ask(`/cep/${written}${suffix}`);
      await response.body?.cancel();
      // Without a census, its addresses are missing.
      assertEquals(response.status, suffix === "/censo" ? 404 : 200);
    });
  }

  for (
    const [text, motivo] of [
      ["1900001", "se falta o zero inicial, informe 01900-001"],
      ["019O0-00l", "troque as letras por dígitos: 01900-001"],
      ["01900%E2%80%93001", "informe 01900-001"],
      ["01900001%0A", "informe 01900-001"],
      ["01900001%2F", "informe 01900-001"],
      ["190000", undefined],
    ]
  ) {
    Deno.test(`GET /cep/${text}${suffix} says what to do`, async () => {
      await using service = await Service.open({ records: [OLD] });
      const response = await service.ask(`/cep/${text}${suffix}`);
      assertEquals(response.status, 400);
      const details = motivo === undefined ? {} : { motivo };
      const { body } = describeError("cep_invalid", details);
      assertEquals(await response.json(), body);
    });
  }
}

Deno.test("lookup sends a distinct ETag with every record", async () => {
  const records = addresses(1_900_000, 50);
  await using service = await Service.open({ records });
  const etags = new Set<string>();
  for (const { cep } of records) {
    etags.add(await etagOf(service, `/cep/${cep}`));
  }
  assertEquals(etags.size, 50);
});

Deno.test("lookup sends another ETag with a record after every import", async () => {
  const store = recordsStore();
  await using service = await Service.open({ store });
  const etags = new Set<string>();
  for (let i = 0; i < 5; i++) {
    store.publish([OLD]);
    etags.add(await etagOf(service));
  }
  assertEquals(etags.size, 5);
});

for (const path of [PATH, "/ws/01900001/json", "/api/cep/v2/01900001"]) {
  Deno.test(`${path} has another ETag with another version of the program`, async () => {
    const etags = new Set<string | null>();
    for (const version of ["1.2.3", "1.2.4"]) {
      const handler = createHandler({
        store: storeOf({ id: 1 }),
        build: { version, commit: "", repo: "" },
      });
      const response = await handler(new Request(`http://localhost${path}`));
      await response.body?.cancel();
      etags.add(response.headers.get("etag"));
    }
    assertEquals(etags.size, 2);
  });
}

for (const id of [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 32 - 1]) {
  Deno.test(`lookup sends a short ETag for the release ${id}`, async () => {
    await using service = await Service.open({ store: storeOf({ id }) });
    assertMatch(await etagOf(service), /^"[0-9a-z]{1,7}"$/);
  });
}

const CONDITIONS: readonly (readonly [
  name: string,
  value: (etag: string) => string,
  status: number,
])[] = [
  ["the ETag", (etag) => etag, 304],
  ["the weak ETag", (etag) => `W/${etag}`, 304],
  ["a list with the ETag", (etag) => `"a", ${etag}, "b"`, 304],
  ["a list with the weak ETag", (etag) => `"a",W/${etag}`, 304],
  ["*", () => "*", 304],
  ["another ETag", () => '"another"', 200],
  ["another weak ETag", () => 'W/"another"', 200],
  ["a list of others", () => '"a", "b"', 200],
  ["the ETag without its quotes", (etag) => etag.slice(1, -1), 200],
  ["an empty value", () => "", 200],
  ["half a quote", () => '"', 200],
];

for (const [name, value, status] of CONDITIONS) {
  Deno.test(`lookup returns ${status} for If-None-Match with ${name}`, async () => {
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

Deno.test("lookup returns 304 with the headers that a cache needs (RFC 9110, 15.4.5)", async () => {
  await using service = await Service.open({ records: [OLD] });
  const full = await service.ask(PATH);
  const response = await service.ask(PATH, {
    headers: { "if-none-match": "*" },
  });
  assertEquals(response.status, 304);
  assertEquals(response.body, null);
  for (const name of ["cache-control", "etag", "vary"]) {
    assertEquals(response.headers.get(name), full.headers.get(name), name);
  }
  for (const name of ["content-length", "content-type"]) {
    assertEquals(response.headers.get(name), null, name);
  }
  await full.body?.cancel();
});

Deno.test("lookup returns a record without headers about the client", async () => {
  await using service = await Service.open({ records: [OLD] });
  const response = await service.ask(PATH, { from: "192.0.2.1" });
  const { byteLength } = await response.arrayBuffer();
  assertEquals(response.headers.get("content-length"), `${byteLength}`);
  assertEquals(response.headers.get("content-type"), "application/json");
  const personal = [
    "access-control-expose-headers",
    "ratelimit",
    "vary",
    "x-request-id",
  ];
  assertEquals(personal.filter((name) => response.headers.has(name)), []);
});

Deno.test("lookup returns 200 for the ETag of an older release", async () => {
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

Deno.test("lookup calls the store once, with the eight digits", async () => {
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

function rendered(release: Partial<Rendered["release"]> = {}): Rendered {
  return {
    json: JSON.stringify(OLD),
    release: { ...RELEASE, ...release },
    fromMemory: false,
  };
}

/** Store of one record. */
function storeOf(release: Partial<Rendered["release"]>) {
  return fakeStore({ findJson: () => Promise.resolve(rendered(release)) });
}

async function etagOf(service: Service, path = PATH): Promise<string> {
  const response = await service.ask(path);
  assertEquals(response.status, 200);
  await response.body?.cancel();
  return response.headers.get("etag") ?? "";
}

async function statusOf(service: Service, path = PATH): Promise<number> {
  const response = await service.ask(path);
  await response.body?.cancel();
  return response.status;
}

const PLACED = address({ latitude: -23.56168, longitude: -46.6559 });

/** Records, and the geometries of their Features. */
const GEOMETRIES: readonly (readonly [record: Address, geometry: unknown])[] = [
  [PLACED, { type: "Point", coordinates: [-46.6559, -23.56168] }],
  [address(), null],
];

for (const [record, geometry] of GEOMETRIES) {
  Deno.test(`lookup returns a Feature on request with the geometry ${JSON.stringify(geometry)}`, async () => {
    await using service = await Service.open({ records: [record] });
    const response = await service.ask(`${PATH}?formato=geojson`);
    assertEquals(response.status, 200);
    assertEquals(
      response.headers.get("content-type"),
      "application/geo+json",
    );
    assertMatch(response.headers.get("etag") ?? "", /^"[0-9a-z]+"$/);
    assertEquals(await response.json(), {
      type: "Feature",
      geometry,
      properties: record,
    });
  });
}

for (const path of [PATH, "/cep/99999999"]) {
  Deno.test(`lookup refuses an unknown format of ${path}`, async () => {
    await using service = await Service.open({ records: [PLACED] });
    const response = await service.ask(`${path}?formato=kml`);
    assertEquals(response.status, 400);
    const { code, parametro } = await response.json();
    assertEquals([code, parametro], ["parameter_invalid", "formato"]);
  });
}
