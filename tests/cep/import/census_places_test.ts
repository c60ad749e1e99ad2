import { assertEquals } from "@std/assert";
import {
  isForeignCode,
  mainStreet,
  OwnPlaces,
  type PlacedRow,
  toCensusEntry,
} from "../../../cep/import/census_places.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { repeat, SAO_PAULO, seedBoth } from "./_both.ts";
import { censusRow } from "../store/_release.ts";

for (
  const [cep, ibge, addresses, expected] of [
    ["13317000", "3509502", 1, false],
    ["31317000", "3509502", 1, true],
    ["31317000", "3509502", 9, true],
    ["31317000", "3509502", 10, false],
    ["59225000", "2500577", 10, false],
    ["00500000", "3509502", 1, true],
    ["73700000", "5221601", 1, false],
    ["73699999", "5221601", 1, true],
  ] as const
) {
  Deno.test(`isForeignCode is ${expected} for ${cep} with ${addresses} in ${ibge}`, () => {
    assertEquals(isForeignCode({ cep, ibge, addresses }), expected);
  });
}

/** Addresses of São Paulo with CEPs of Minas Gerais and Rio de Janeiro. */
const MISREAD = [
  ...SAO_PAULO["35_SP.csv"] as [],
  ...repeat(9, {
    COD_MUNICIPIO: "3550308",
    CEP: "31317000",
    DSC_LOCALIDADE: "ENGANO",
  }),
  ...repeat(10, {
    COD_MUNICIPIO: "3550308",
    CEP: "23900000",
    DSC_LOCALIDADE: "DIVISA",
  }),
];

Deno.test("seed leaves out CEPs of another state with few addresses", async () => {
  await using opened = await OpenedStore.inMemory();
  const { store } = opened;
  const { ceps, census } = await seedBoth(store, {
    cnefe: { "35_SP.csv": MISREAD },
  });
  assertEquals([ceps, census?.foreign, census?.outsideState], [3, 1, 2]);
  assertEquals(
    census?.files.map(({ codes, stored, foreign }) => [codes, stored, foreign]),
    [[4, 3, 1]],
  );
  const { records } = await contentOf(store);
  assertEquals(records.map(({ cep, bairro }) => [cep, bairro]), [
    ["01001000", "República"],
    ["01310100", "Bela Vista"],
    ["23900000", "Divisa"],
  ]);
  assertEquals(await store.find("31317000"), undefined);
  assertEquals((await store.census("31317000"))?.row?.addresses, 9);
});

Deno.test("seed leaves out CEPs of another state that the DNE lacks", async () => {
  await using opened = await OpenedStore.inMemory();
  const { census } = await seedBoth(opened.store, {
    dne: {},
    cnefe: {
      "35_SP.csv": repeat(1, { COD_MUNICIPIO: "3599901", CEP: "31317000" }),
    },
  });
  assertEquals([census?.stored, census?.foreign], [0, 1]);
});

const PLACE = { uf: "SP", locality: 7, neighbourhood: 3 };

Deno.test("toCensusEntry makes an entry of the street and the place of a row", () => {
  assertEquals(toCensusEntry(censusRow("01310100"), PLACE, 5), {
    ...PLACE,
    cep: "01310100",
    number: 1310100,
    streetType: "Rua",
    typeInName: true,
    street: "das Flores",
    complement: "",
    name: "",
    origin: "cnefe",
    file: "35_SP.csv",
    order: 5,
  });
});

const street = (addresses: number) => ({
  type: "Rua",
  name: `de ${addresses}`,
  addresses,
  odd: null,
  even: null,
});

for (
  const [name, total, streets, expected] of [
    ["a street with all addresses", 10, [10], 10],
    ["a street with half of the addresses", 10, [5, 4], 5],
    ["no street with less than half of the addresses", 11, [5, 4], undefined],
    ["no street without one", 10, [], undefined],
  ] as const
) {
  Deno.test(`mainStreet returns ${name}`, () => {
    const row = { addresses: total, streets: streets.map(street) };
    assertEquals(mainStreet(row)?.addresses, expected);
  });
}

Deno.test("toCensusEntry leaves out the street of a general CEP", () => {
  const row = censusRow("13500000", { addresses: 1000 });
  const { street, streetType } = toCensusEntry(row, PLACE, 1);
  assertEquals([streetType, street], ["", ""]);
});

const NAMES = new Map([["3550308", "São Paulo"], ["2927408", "Salvador"]]);

function placesOf(...rows: readonly (readonly [string, string])[]): OwnPlaces {
  const places = new OwnPlaces(NAMES);
  for (const [ibge, locality] of rows) places.add(placed(ibge, locality));
  return places;
}

/** Returns a row with a street, or without one. */
function placed(
  ibge: string,
  locality: string,
  { addresses = 10, onStreet = 10 } = {},
): PlacedRow {
  const street = { type: "Rua", name: "A", odd: null, even: null };
  return {
    ibge,
    locality,
    addresses,
    streets: [{ ...street, addresses: onStreet }],
  };
}

Deno.test("OwnPlaces numbers municipalities by their IBGE codes", () => {
  const { localities } = placesOf(
    ["3550308", "Bela Vista"],
    ["2927408", ""],
    ["3550308", ""],
  );
  assertEquals(localities, [
    {
      number: 3550308,
      uf: "SP",
      name: "São Paulo",
      cep: "",
      situation: "0",
      type: "M",
      parent: null,
      ibge: "3550308",
      abbreviation: "",
    },
    {
      number: 2927408,
      uf: "BA",
      name: "Salvador",
      cep: "",
      situation: "0",
      type: "M",
      parent: null,
      ibge: "2927408",
      abbreviation: "",
    },
  ]);
});

Deno.test("OwnPlaces numbers the neighbourhoods of each municipality once", () => {
  const { neighbourhoods } = placesOf(
    ["3550308", "Centro"],
    ["3550308", "Centro"],
    ["2927408", "Centro"],
    ["2927408", ""],
  );
  assertEquals(neighbourhoods, [
    {
      number: 1,
      uf: "SP",
      locality: 3550308,
      name: "Centro",
      abbreviation: "",
    },
    {
      number: 2,
      uf: "BA",
      locality: 2927408,
      name: "Centro",
      abbreviation: "",
    },
  ]);
});

Deno.test("OwnPlaces finds the places of the rows that were added", () => {
  const places = placesOf(["3550308", "Centro"], ["1100015", "Centro"]);
  assertEquals(places.find(placed("3550308", "Centro")), {
    uf: "SP",
    locality: 3550308,
    neighbourhood: 1,
  });
  assertEquals(
    places.find(placed("3550308", ""))?.neighbourhood,
    null,
  );
});

Deno.test("OwnPlaces leaves out a municipality that is unknown", () => {
  const places = placesOf(["1100015", "Centro"]);
  assertEquals([places.localities, places.neighbourhoods], [[], []]);
  assertEquals(places.find(placed("1100015", "Centro")), undefined);
});

for (
  const [name, addresses, onStreet, expected] of [
    ["no neighbourhood for the general CEP of a town", 30, 10, null],
    ["the neighbourhood of a CEP with a main street", 30, 15, 1],
    ["the neighbourhood of a village in a larger municipality", 19, 9, 1],
  ] as const
) {
  Deno.test(`OwnPlaces finds ${name}`, () => {
    const places = placesOf(["3550308", "Centro"], ["3550308", "Centro"]);
    const row = placed("3550308", "Centro", { addresses, onStreet });
    places.add(row);
    assertEquals(places.find(row)?.neighbourhood, expected);
  });
}
