import { assertEquals } from "@std/assert";
import type { Locality, Place } from "../../../cep/record/entry.ts";
import { Places } from "../../../cep/record/places.ts";

function locality(number: number, fields: Partial<Locality>): Locality {
  return {
    number,
    uf: "SP",
    name: "",
    cep: "",
    situation: "0",
    type: "M",
    parent: null,
    ibge: "",
    abbreviation: "",
    ...fields,
  };
}

/** Localities, districts before their municipalities, and a neighbourhood. */
function prepare(): Places {
  const places = new Places();
  const localities = [
    locality(10, { name: "Ponte Alta", parent: 1 }),
    locality(12, { name: "Boa Vista", parent: 1, ibge: "3599912" }),
    locality(13, { name: "Ilha", parent: 2 }),
    locality(14, { name: "Porto", parent: 2, ibge: "3599914" }),
    locality(15, { name: "Fim", parent: 99 }),
    locality(16, { name: "Fundo", parent: 99, ibge: "3599916" }),
    locality(1, { name: "Vila Grande", ibge: "3599901" }),
    locality(2, { name: "Recente" }),
  ];
  for (const it of localities) places.localities.set(it.number, it);
  places.neighbourhoods.set(5, {
    number: 5,
    uf: "SP",
    locality: 1,
    name: "Centro",
    abbreviation: "",
  });
  return places;
}

const PLACES: readonly [
  name: string,
  locality: number,
  neighbourhood: number | null,
  place: Place,
][] = [
  ["a municipality", 1, null, {
    neighbourhood: "",
    district: "",
    municipality: "Vila Grande",
    ibge: "3599901",
  }],
  ["a neighbourhood", 1, 5, {
    neighbourhood: "Centro",
    district: "",
    municipality: "Vila Grande",
    ibge: "3599901",
  }],
  ["an unknown neighbourhood", 1, 98, {
    neighbourhood: "",
    district: "",
    municipality: "Vila Grande",
    ibge: "3599901",
  }],
  ["a district", 10, null, {
    neighbourhood: "",
    district: "Ponte Alta",
    municipality: "Vila Grande",
    ibge: "3599901",
  }],
  ["a neighbourhood of a district", 10, 5, {
    neighbourhood: "Centro",
    district: "Ponte Alta",
    municipality: "Vila Grande",
    ibge: "3599901",
  }],
  ["a district with its own IBGE code", 12, null, {
    neighbourhood: "",
    district: "Boa Vista",
    municipality: "Vila Grande",
    ibge: "3599901",
  }],
  ["a municipality without an IBGE code", 2, null, {
    neighbourhood: "",
    district: "",
    municipality: "Recente",
    ibge: "",
  }],
  ["a district of a municipality without an IBGE code", 13, null, {
    neighbourhood: "",
    district: "Ilha",
    municipality: "Recente",
    ibge: "",
  }],
  ["a district with an IBGE code in a municipality without one", 14, null, {
    neighbourhood: "",
    district: "Porto",
    municipality: "Recente",
    ibge: "3599914",
  }],
  ["a district of an unknown municipality", 15, null, {
    neighbourhood: "",
    district: "Fim",
    municipality: "",
    ibge: "",
  }],
  ["a district with an IBGE code of an unknown municipality", 16, null, {
    neighbourhood: "",
    district: "Fundo",
    municipality: "",
    ibge: "3599916",
  }],
  ["an unknown locality", 98, null, {
    neighbourhood: "",
    district: "",
    municipality: "",
    ibge: "",
  }],
  ["a neighbourhood of an unknown locality", 98, 5, {
    neighbourhood: "Centro",
    district: "",
    municipality: "",
    ibge: "",
  }],
];

for (const [name, number, neighbourhood, expected] of PLACES) {
  Deno.test(`Places.find returns the names of ${name}`, () => {
    const places = prepare();
    assertEquals(places.find(number, neighbourhood), expected);
    assertEquals(places.find(number, neighbourhood), expected, "again");
  });
}

Deno.test("Places.find distinguishes two neighbourhoods of one locality", () => {
  const places = prepare();
  places.neighbourhoods.set(6, {
    number: 6,
    uf: "SP",
    locality: 1,
    name: "Aurora",
    abbreviation: "",
  });
  assertEquals(
    [5, 6, null].map((number) => places.find(1, number).neighbourhood),
    ["Centro", "Aurora", ""],
  );
});
