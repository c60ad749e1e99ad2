import { assert, assertEquals } from "@std/assert";
import {
  type IndexArrays,
  STRETCH_KINDS,
} from "../../../cep/search/index_layout.ts";
import { Stretches } from "../../../cep/search/stretches.ts";
import {
  parseComplement,
  type StreetNumber,
} from "../../../cep/record/street_number.ts";

/** Complements of one street, of which the earlier come first for 985. */
const COMPLEMENTS = [
  "de 985 ao 985",
  "de 801 a 999 - lado ímpar",
  "de 801/802 a 999/1000",
  "de 1 a 2001 - lado ímpar",
  "de 401 ao fim - lado ímpar",
  "lado ímpar",
  "",
];

const NUMBER: StreetNumber = { value: 985, unit: "number" };

function stretchesOf(complements: readonly string[]): Stretches {
  const rows = complements.flatMap((text, record) =>
    parseComplement(text).map((stretch) => ({ record, ...stretch }))
  );
  const arrays: Partial<IndexArrays> = {
    stretchRecords: Uint32Array.from(rows, ({ record }) => record),
    stretchFrom: Uint32Array.from(rows, ({ from }) => from),
    stretchTo: Uint32Array.from(rows, ({ to }) => to),
    stretchKinds: Uint8Array.from(
      rows,
      ({ side, unit }) => STRETCH_KINDS.indexOf(`${side} ${unit}`),
    ),
    seenNumbers: new Uint16Array(),
    rarities: new Uint8Array(),
  };
  return new Stretches(arrays as IndexArrays);
}

Deno.test("Stretches.fit is least for the narrowest stretch", () => {
  const stretches = stretchesOf(COMPLEMENTS);
  const scores = COMPLEMENTS.map((_, i) => stretches.fit(i, NUMBER));
  assertEquals(scores, scores.toSorted((a, b) => a - b));
  assertEquals(new Set(scores).size, scores.length, scores.join());
});

for (const complement of ["lado par", "até 983", "de 986 ao fim"]) {
  Deno.test(`Stretches.fit is infinite for 985 in "${complement}"`, () => {
    assertEquals(stretchesOf([complement]).fit(0, NUMBER), Infinity);
  });
}

Deno.test("Stretches.fit of a stretch in metres is that of none", () => {
  const stretches = stretchesOf(["do km 1,000 ao km 2,000", ""]);
  const none = stretches.fit(1, NUMBER);
  assertEquals(stretches.fit(0, NUMBER), none);
  assert(none < Infinity);
});
