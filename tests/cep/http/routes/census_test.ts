import { assertEquals, assertStringIncludes } from "@std/assert";
import { describeError } from "../../../../cep/http/errors.ts";
import type { CensusRow } from "../../../../cep/record/census.ts";
import type { Release } from "../../../../cep/store/store.ts";
import { address, recordsStore, RELEASE } from "../../_records.ts";
import { samplePlaces } from "../../_sample_places.ts";
import { Service } from "../../_service.ts";
import { censusRow } from "../../store/_release.ts";

const COUNTED: Release = { ...RELEASE, sources: ["dne", "cnefe"] };
const CEP = "01900001";
const PATH = `/cep/${CEP}/censo`;

/** Opens a service of one record, and the row of its CEP. */
function open(row?: CensusRow): Promise<Service> {
  return Service.open({
    store: recordsStore([address({ cep: CEP })], {
      gazetteer: samplePlaces,
      census: (cep) =>
        Promise.resolve({
          release: COUNTED,
          row: row?.cep === cep ? row : undefined,
        }),
    }),
    config: { cacheSeconds: 60 },
  });
}

async function ask(path: string, row?: CensusRow) {
  await using service = await open(row);
  const response = await service.ask(path);
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}

const ROW = censusRow(CEP, { ibge: "3550308" });

const BODY = {
  cep: CEP,
  localidade: "Vila D'Água",
  cidade: "São Paulo",
  uf: "SP",
  codigo_ibge: "3550308",
  latitude: -23.56168,
  longitude: -46.65598,
  raio_m: 312,
  enderecos: 187,
  total_logradouros: 2,
  logradouros: [
    {
      logradouro: "Rua das Flores",
      tipo_logradouro: "Rua",
      enderecos: 150,
      participacao: 0.802,
      impares: { inicio: 1, fim: 99 },
      pares: { inicio: 2, fim: 980 },
    },
    {
      logradouro: "Beco",
      tipo_logradouro: "",
      enderecos: 7,
      participacao: 0.037,
      impares: null,
      pares: { inicio: 4, fim: 4 },
    },
  ],
  nome_origem: "35_SP.csv",
};

for (const cep of [CEP, "01900-001", "01.900-001"]) {
  Deno.test(`census returns the addresses of ${cep}`, async () => {
    const { status, headers, body } = await ask(`/cep/${cep}/censo`, ROW);
    assertEquals(status, 200);
    assertEquals(headers.get("content-type"), "application/json");
    assertEquals(headers.get("cache-control"), "max-age=60");
    assertEquals(body, BODY);
  });
}

Deno.test("census returns null without a place", async () => {
  const row = { ...ROW, point: null, streets: [], streetCount: 0 };
  const { body } = await ask(PATH, row);
  assertEquals(body, {
    ...BODY,
    latitude: null,
    longitude: null,
    raio_m: null,
    total_logradouros: 0,
    logradouros: [],
  });
});

Deno.test("census returns the state of a municipality that the DNE lacks", async () => {
  const { body } = await ask(PATH, { ...ROW, ibge: "5101837" });
  assertEquals([body.cidade, body.uf], ["", "MT"]);
});

Deno.test("census returns a Feature on request, longitude first", async () => {
  const { status, headers, body } = await ask(`${PATH}?formato=geojson`, ROW);
  assertEquals(status, 200);
  assertEquals(headers.get("content-type"), "application/geo+json");
  assertEquals(body, {
    type: "Feature",
    geometry: { type: "Point", coordinates: [-46.65598, -23.56168] },
    properties: BODY,
  });
});

Deno.test("census returns a Feature without a geometry for one without a place", async () => {
  const row = { ...ROW, point: null };
  const { body } = await ask(`${PATH}?formato=geojson`, row);
  assertEquals(body.geometry, null);
});

/** Requests without an answer, and their status and code. */
const FAILURES:
  readonly (readonly [path: string, status: number, code: string])[] = [
    ["/cep/x/censo", 400, "cep_invalid"],
    [`${PATH}?formato=kml`, 400, "parameter_invalid"],
    [PATH, 404, "census_not_found"],
    ["/cep/99999999/censo", 404, "cep_not_found"],
  ];

for (const [path, status, code] of FAILURES) {
  Deno.test(`census returns ${code} for ${path}`, async () => {
    const { status: found, body } = await ask(path);
    assertEquals([found, body.code], [status, code]);
  });
}

Deno.test("census logs the setting for data without the CNEFE", async () => {
  await using service = await Service.open({ records: [address()] });
  for (const path of [PATH, "/cep/99999999/censo"]) {
    const response = await service.ask(path);
    assertEquals(response.status, 404);
    assertEquals(await response.json(), describeError("census_missing").body);
  }
  const [{ message } = { message: "" }, ...others] = service.logger.entries;
  assertStringIncludes(message, "CNEFE_PATH");
  assertEquals(others, []);
});
