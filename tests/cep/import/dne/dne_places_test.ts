import { assertEquals } from "@std/assert";
import type { Locality, Neighbourhood } from "../../../../cep/record/entry.ts";
import { DnePlaces } from "../../../../cep/import/dne/dne_places.ts";

function locality(number: number, fields: Partial<Locality> = {}): Locality {
  return {
    number,
    uf: "SP",
    name: `Cidade ${number}`,
    cep: "",
    situation: "1",
    type: "M",
    parent: null,
    ibge: "3550308",
    abbreviation: "",
    ...fields,
  };
}

function neighbourhood(
  number: number,
  locality: number,
  name: string,
): Neighbourhood {
  return { number, uf: "SP", locality, name, abbreviation: "" };
}

const PLACES = new DnePlaces(
  [
    // A district has the IBGE code of its municipality.
    locality(8, { type: "D", parent: 9 }),
    locality(9),
    locality(10, { ibge: "3599999" }),
    locality(11, { ibge: "" }),
  ],
  [
    neighbourhood(1, 9, "Vila D'Água"),
    neighbourhood(2, 9, "VILA D'AGUA"),
    neighbourhood(3, 10, "Centro"),
    neighbourhood(4, 8, "Distrito"),
  ],
);

for (
  const [name, ibge, text, expected] of [
    ["a neighbourhood by its folded name", "3550308", "VILA D AGUA", 1],
    ["the first of two neighbourhoods", "3550308", "vila dagua", 1],
    ["no neighbourhood of another municipality", "3550308", "Centro", null],
    ["no neighbourhood of a district", "3550308", "Distrito", null],
    ["no neighbourhood without a locality", "3550308", "", null],
  ] as const
) {
  Deno.test(`DnePlaces finds ${name}`, () => {
    assertEquals(PLACES.find({ ibge, locality: text }), {
      uf: "SP",
      locality: 9,
      neighbourhood: expected,
    });
  });
}

for (const ibge of ["3500000", ""]) {
  Deno.test(`DnePlaces does not find the municipality "${ibge}"`, () => {
    assertEquals(PLACES.find({ ibge, locality: "Centro" }), undefined);
  });
}
