import { assertEquals } from "@std/assert";
import {
  mainStreet,
  toCensusEntry,
} from "../../../cep/import/census_places.ts";
import { censusRow } from "../store/_release.ts";

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
