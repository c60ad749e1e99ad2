import { assertEquals } from "@std/assert";
import { describeError } from "../../../../cep/http/errors.ts";
import {
  DatabaseError,
  type NearestQuery,
} from "../../../../cep/store/store.ts";
import { address, fakeStore, recordsStore, RELEASE } from "../../_records.ts";
import { Service } from "../../_service.ts";

const PLACE = { latitude: -23.5, longitude: -46.6 };
const NEAR = address({ cep: "01310100", ...PLACE });
const FAR = address({ cep: "01310200", ...PLACE, logradouro: 'Rua "A"' });
const QUERY = "/proximos?lat=-23.5&lng=-46.6";

interface Opened extends AsyncDisposable {
  readonly service: Service;
  readonly queries: NearestQuery[];
}

/** Opens a service of two records. */
async function open(): Promise<Opened> {
  const queries: NearestQuery[] = [];
  const store = fakeStore({
    nearest(query) {
      queries.push(query);
      const data = [
        { cep: NEAR.cep, json: JSON.stringify(NEAR), distance: 0.4 },
        { cep: FAR.cep, json: JSON.stringify(FAR), distance: 1234.5 },
      ];
      const release = { ...RELEASE, sources: ["cnefe"] } as const;
      return Promise.resolve({ release, data: data.slice(0, query.limit) });
    },
  });
  const service = await Service.open({ store, config: { cacheSeconds: 60 } });
  return {
    service,
    queries,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function ask(path: string) {
  await using opened = await open();
  const response = await opened.service.ask(path);
  const { status, headers } = response;
  return {
    status,
    headers,
    body: await response.json(),
    query: opened.queries[0],
  };
}

Deno.test("nearest returns records with their distances in whole metres", async () => {
  const { status, headers, body } = await ask(QUERY);
  assertEquals(status, 200);
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(headers.get("cache-control"), "max-age=60");
  assertEquals(body, {
    total: null,
    data: [{ ...NEAR, distancia_m: 0 }, { ...FAR, distancia_m: 1235 }],
    cursor: null,
  });
});

Deno.test("nearest returns a FeatureCollection on request, longitude first", async () => {
  const { status, headers, body } = await ask(`${QUERY}&formato=geojson`);
  assertEquals(status, 200);
  assertEquals(headers.get("content-type"), "application/geo+json");
  assertEquals(headers.get("cache-control"), "max-age=60");
  const geometry = { type: "Point", coordinates: [-46.6, -23.5] };
  assertEquals(body, {
    type: "FeatureCollection",
    features: [
      { type: "Feature", geometry, properties: { ...NEAR, distancia_m: 0 } },
      { type: "Feature", geometry, properties: { ...FAR, distancia_m: 1235 } },
    ],
  });
});

/** Allowed parameters, and the query of the store. */
const QUERIES: readonly (readonly [query: string, ...numbers: number[]])[] = [
  ["lat=-23.5&lng=-46.6", -23.5, -46.6, 10],
  ["lat=-23.5&lng=-46.6&limite=1", -23.5, -46.6, 1],
  ["lat=-23.5&lng=-46.6&limite=100", -23.5, -46.6, 100],
  ["lat=0&lng=0", 0, 0, 10],
  ["lat=-0&lng=.5", -0, 0.5, 10],
  ["lat=90&lng=-180", 90, -180, 10],
  ["lat=-90.&lng=180.000000", -90, 180, 10],
  ["lat=%20-23.5&lng=+46.6", -23.5, 46.6, 10],
  ["lat=%2B1&lng=1&lat=2", 1, 1, 10],
  ["lat=48.8566&lng=2.3522", 48.8566, 2.3522, 10],
  ["lat=-23.5&lng=-46.6&formato=json", -23.5, -46.6, 10],
];

for (const [query, latitude, longitude, limit] of QUERIES) {
  Deno.test(`nearest accepts ?${query}`, async () => {
    const found = await ask(`/proximos?${query}`);
    assertEquals(found.status, 200);
    assertEquals(found.query as unknown, { latitude, longitude, limit });
  });
}

const MISSING = "informe os graus, como ";
const COMMA = "use ponto em vez de vírgula, como ";
const NO_NUMBER = "deve ser um número em graus, como ";
const LAT = "-23.56168";
const LNG = "-46.65598";

/** Refused parameters, and the parameter and the reason of the answer. */
const REFUSALS: readonly (readonly [
  query: string,
  parametro: string,
  motivo: string,
])[] = [
  ["", "lat", MISSING + LAT],
  ["lng=1", "lat", MISSING + LAT],
  ["lat=1", "lng", MISSING + LNG],
  ["lat=&lng=1", "lat", MISSING + LAT],
  ["lat=%20&lng=1", "lat", MISSING + LAT],
  ["lat=-23,5&lng=-46,6", "lat", COMMA + LAT],
  ["lat=-23.5&lng=-46,6", "lng", COMMA + LNG],
  ["lat=x&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=NaN&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=Infinity&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=1e1&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=0x1&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=1.2.3&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=.&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=--1&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=23%C2%B033&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=%D9%A1&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=1%00&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=1;drop&lng=1", "lat", NO_NUMBER + LAT],
  [`lat=${"1".repeat(5000)}&lng=1`, "lat", NO_NUMBER + LAT],
  [`lat=1.${"1".repeat(5000)}&lng=1`, "lat", NO_NUMBER + LAT],
  ["lat=90.0001&lng=1", "lat", "deve estar entre -90 e 90 graus"],
  ["lat=-235617&lng=1", "lat", NO_NUMBER + LAT],
  ["lat=1&lng=180.1", "lng", "deve estar entre -180 e 180 graus"],
  ["lat=1&lng=-999", "lng", "deve estar entre -180 e 180 graus"],
  ["lat=1&lng=1&limite=0", "limite", "deve ser um número inteiro de 1 a 100"],
  ["lat=1&lng=1&limite=101", "limite", "deve ser um número inteiro de 1 a 100"],
  ["lat=1&lng=1&limite=1.5", "limite", "deve ser um número inteiro de 1 a 100"],
  ["lat=1&lng=1&formato=kml", "formato", "deve ser json ou geojson"],
  ["lat=1&lng=1&formato=", "formato", "deve ser json ou geojson"],
  ["lat=1&lng=1&formato=GeoJSON", "formato", "deve ser json ou geojson"],
];

for (const [query, parametro, motivo] of REFUSALS) {
  Deno.test(`nearest refuses ?${query.slice(0, 40)}`, async () => {
    const { status, body, query: asked } = await ask(`/proximos?${query}`);
    assertEquals(status, 400);
    const details = { parametro, motivo };
    assertEquals(body, describeError("parameter_invalid", details).body);
    assertEquals(asked, undefined);
  });
}

Deno.test("nearest returns an error for a CNEFE without coordinates", async () => {
  const empty = { release: { ...RELEASE, sources: ["cnefe"] as const } };
  const store = recordsStore([NEAR], {
    nearest: () => Promise.resolve({ ...empty, data: [] }),
  });
  await using service = await Service.open({ store });
  const response = await service.ask(QUERY);
  assertEquals(response.status, 404);
  assertEquals((await response.json()).code, "census_missing");
});

Deno.test("nearest returns 503 before an import, and for damaged points", async () => {
  const damaged = recordsStore([NEAR], {
    nearest: () => Promise.reject(new DatabaseError("damaged")),
  });
  for (const store of [recordsStore(), damaged]) {
    await using service = await Service.open({ store });
    const response = await service.ask(QUERY);
    assertEquals(response.status, 503);
    assertEquals(response.headers.get("retry-after"), "5");
    assertEquals((await response.json()).code, "database_not_ready");
  }
});

Deno.test("nearest counts as one request", async () => {
  await using opened = await open();
  const response = await opened.service.ask(QUERY, {
    from: "192.0.2.1",
    headers: { "x-request-id": "a" },
  });
  await response.body?.cancel();
  assertEquals(response.headers.get("ratelimit"), '"default";r=119;t=9');
});
