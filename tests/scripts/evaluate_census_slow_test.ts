/** Agreement of a generated CNEFE with its reader and its DNE. */
import { assert, assertEquals } from "@std/assert";
import type { CensusRow } from "../../cep/record/census.ts";
import {
  compareWithTruth,
  evaluatePair,
  isComplete,
} from "../../scripts/evaluate_census.ts";
import type { CodeFacts } from "../../scripts/generate_cnefe/truth.ts";

Deno.test("readCensus reads what the generator wrote", async () => {
  const pair = await evaluatePair({ rows: 30_000, streets: 2000, seed: 11 });
  const { reader, kinds, sources } = pair;
  assertEquals(reader.differences, []);
  assert(isComplete(reader), JSON.stringify(reader));
  assert(reader.codes > 2000);
  assertEquals(sources.cnefe, reader.codes);
  // A mistaken CEP may be that of another street, or fit by chance.
  const { renamed = 0, split = 0, moved = 0, wrong = 0 } = kinds;
  assert(sources.otherStreet <= renamed + split + wrong, JSON.stringify(pair));
  assert(sources.otherStreet >= renamed / 2, JSON.stringify(pair));
  assert(sources.otherMunicipality <= moved + wrong, JSON.stringify(pair));
  assert(sources.same / sources.both > 0.95, JSON.stringify(pair));
});

const FACTS: CodeFacts = {
  cep: "01001000",
  kind: "same",
  ibge: "3550308",
  addresses: 5,
  street: "LARGO DA SE",
  streetAddresses: 3,
  streets: 2,
  isTie: false,
};
const ROW: CensusRow = {
  cep: "01001000",
  ibge: "3550308",
  locality: "Sé",
  point: null,
  addresses: 5,
  streets: [
    { type: "Largo", name: "da Sé", addresses: 3, odd: null, even: null },
  ],
  streetCount: 2,
  file: "35_SP.csv",
};

const DIFFERENCES: readonly [name: string, row: Partial<CensusRow>][] = [
  ["municipality", { ibge: "3304557" }],
  ["number of addresses", { addresses: 4 }],
  ["number of streets", { streetCount: 1 }],
  ["street", { streets: [{ ...ROW.streets[0]!, name: "da Luz" }] }],
  ["missing street", { streets: [] }],
];

Deno.test("compareWithTruth accepts a row that agrees", () => {
  assert(isComplete(compareWithTruth([[ROW]], [FACTS])));
});

for (const [name, change] of DIFFERENCES) {
  Deno.test(`compareWithTruth reports another ${name}`, () => {
    const agreement = compareWithTruth([[{ ...ROW, ...change }]], [FACTS]);
    assert(!isComplete(agreement));
    assertEquals(agreement.differences.length, 1);
  });
}

Deno.test("compareWithTruth reports a row that is missing or too many", () => {
  assert(!isComplete(compareWithTruth([], [FACTS])));
  const more = { ...ROW, cep: "01001001" };
  assert(!isComplete(compareWithTruth([[ROW, more]], [FACTS])));
});

Deno.test("compareWithTruth accepts any of equally frequent streets", () => {
  const streets = [{ ...ROW.streets[0]!, name: "da Luz" }];
  const facts = { ...FACTS, isTie: true };
  assert(isComplete(compareWithTruth([[{ ...ROW, streets }]], [facts])));
});
