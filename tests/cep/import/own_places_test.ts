import { assertEquals } from "@std/assert";
import {
  OwnPlaces,
  type PlacedRow,
} from "../../../cep/import/census_places.ts";

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
