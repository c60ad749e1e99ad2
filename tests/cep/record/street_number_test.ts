import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  containsNumber,
  parseComplement,
  parseSection,
  parseStreetNumber,
  type Side,
  STREET_END,
  type StreetNumber,
  type Stretch,
  type Unit,
} from "../../../cep/record/street_number.ts";
import { CODE_UNIT } from "../_characters.ts";

const FIXED = { seed: 20260101, numRuns: 500 };

type Row = readonly [from: number, to: number, side: Side, unit?: Unit];

const stretch = ([from, to, side, unit = "number"]: Row): Stretch => ({
  from,
  to,
  side,
  unit,
});

const COMPLEMENTS: readonly (readonly [text: string, ...stretches: Row[]])[] = [
  ["até 697 - lado ímpar", [1, 697, "I"]],
  ["- até 697 - lado ímpar", [1, 697, "I"]],
  ["de 232 a 790 - lado par", [232, 790, "P"]],
  ["de 302 ao fim  - lado par", [302, STREET_END, "P"]],
  ["de 4121/4122 a 7799/7800", [4121, 7800, "A"]],
  ["de 1001/1002 ao fim", [1001, STREET_END, "A"]],
  ["até 999/1000", [1, 1000, "A"]],
  ["até 999/1000 - lado par", [2, 1000, "P"]],
  ["até 999/1000 - lado ímpar", [1, 999, "I"]],
  ["de 500/501 a 1200", [500, 1200, "A"]],
  ["de 10 a 20", [10, 20, "A"]],
  ["de 1.001 a 2.000", [1001, 2000, "A"]],
  ["lado par", [2, STREET_END, "P"]],
  ["lado ímpar", [1, STREET_END, "I"]],
  ["LADO IMPAR", [1, STREET_END, "I"]],
  ["lado direito", [1, STREET_END, "D"]],
  ["lado esquerdo", [1, STREET_END, "E"]],
  ["do km 10,000 ao km 11,000", [10_000, 11_000, "A", "metre"]],
  ["do km 1,4 ao km 3 - lado par", [1400, 3000, "P", "metre"]],
  ["até km 34,999", [0, 34_999, "A", "metre"]],
  ["do km 35,000 ao fim", [35_000, STREET_END, "A", "metre"]],
  ["(Zona Norte) - de 5180 a 5794 - lado p", [5180, 5794, "P"]],
  ["de 2 a 40 - lado par (Vila Nova)", [2, 40, "P"]],
  ["Bloco 2 - lado par", [2, STREET_END, "P"]],
  // The numbers of the sides differ.
  ["de 301/302 a 799/498", [301, 799, "I"], [302, 498, "P"]],
  ["até 999/500", [1, 999, "I"], [2, 500, "P"]],
  ["de 1001/200 ao fim", [1001, STREET_END, "I"], [200, STREET_END, "P"]],
  // No stretch.
  [""],
  ["Comércio"],
  ["(Lot Vila Nova)"],
  ["(BR 900 Km 7,5)"],
  ["(Entre Quadras 3 a 8 Conjunto Novo"],
  ["Quadra 5"],
  ["1578"],
  ["de 790 a 232"],
  ["lado"],
  ["lado a lado"],
  ["até"],
  ["até o fim"],
];

for (const [text, ...stretches] of COMPLEMENTS) {
  Deno.test(`parseComplement reads "${text}"`, () => {
    assertEquals(parseComplement(text), stretches.map(stretch));
  });
}

const SECTIONS: readonly (readonly [
  first: string,
  last: string,
  side: string,
  stretch?: Row,
])[] = [
  ["2", "650", "P", [2, 650, "P"]],
  ["1", "540", "A", [1, 540, "A"]],
  ["1", "99999", "I", [1, STREET_END, "I"]],
  ["2", "99998", "P", [2, STREET_END, "P"]],
  ["2", "99999998", "P", [2, STREET_END, "P"]],
  ["9001", "9999", "A", [9001, 9999, "A"]],
  ["00300,000", "00310,500", "A", [300_000, 310_500, "A", "metre"]],
  ["90,000", "99999", "D", [90_000, STREET_END, "D", "metre"]],
  ["35,000", "99999,999", "E", [35_000, STREET_END, "E", "metre"]],
  ["1", "9", "X"],
  ["1", "9", ""],
  ["", "9", "A"],
  ["1", "", "A"],
  ["9", "1", "A"],
  ["-1", "9", "A"],
  ["1", "9,", "A"],
];

for (const [first, last, side, row] of SECTIONS) {
  Deno.test(`parseSection reads ${first}@${last}@${side}`, () => {
    assertEquals(
      parseSection({ first, last, side }),
      row && stretch(row),
    );
  });
}

const NUMBERS: readonly (readonly [
  text: string,
  number: readonly [value: number, unit?: Unit] | null | undefined,
])[] = [
  ["1578", [1578]],
  [" 1578 ", [1578]],
  ["1.578", [1578]],
  ["1.234.567", [1234567]],
  ["0123", [123]],
  ["1578A", [1578]],
  ["1578-A", [1578]],
  ["1578 B", [1578]],
  ["1578/1580", [1578]],
  ["1578-1580", [1578]],
  ["nº 1578", [1578]],
  ["n° 1578", [1578]],
  ["No. 1578", [1578]],
  ["n 1578", [1578]],
  ["número 1578", [1578]],
  ["１５７８", [1578]],
  ["km 34", [34_000, "metre"]],
  ["km 34,5", [34_500, "metre"]],
  ["KM 34.5", [34_500, "metre"]],
  ["km34,125", [34_125, "metre"]],
  ["km 34+500", [34_500, "metre"]],
  ["nº km 34", [34_000, "metre"]],
  ["s/n", null],
  ["S/Nº", null],
  ["s.n.", null],
  ["SN", null],
  ["s n", null],
  ["sem número", null],
  ["0", null],
  ["", undefined],
  ["-1", undefined],
  ["+1", undefined],
  ["1,5", undefined],
  ["1e3", undefined],
  ["1.5", undefined],
  ["abc", undefined],
  ["1234567890", undefined],
  ["km", undefined],
  ["km -1", undefined],
  ["*", undefined],
  ["1 OR 1=1", undefined],
  ["9".repeat(10_000), undefined],
];

for (const [text, row] of NUMBERS) {
  Deno.test(`parseStreetNumber reads "${text.slice(0, 20)}"`, () => {
    assertEquals(parseStreetNumber(text), row && number(...row));
  });
}

function number(value: number, unit: Unit = "number"): StreetNumber {
  return { value, unit };
}

const CONTAINED: readonly (readonly [
  row: Row,
  number: StreetNumber,
  contained: boolean | undefined,
])[] = [
  [[2, 10, "P"], number(2), true],
  [[2, 10, "P"], number(10), true],
  [[2, 10, "P"], number(12), false],
  [[2, 10, "P"], number(3), false],
  [[1, 9, "I"], number(3), true],
  [[1, 9, "I"], number(4), false],
  [[1, 10, "A"], number(4), true],
  [[1, 10, "D"], number(4), true],
  [[1, 10, "E"], number(11), false],
  [[11, STREET_END, "A"], number(999_999_999), true],
  [[10_000, 11_000, "P", "metre"], number(10_500, "metre"), true],
  [[10_000, 11_000, "A", "metre"], number(11_001, "metre"), false],
  [[10_000, 11_000, "A", "metre"], number(10_500), undefined],
  [[1, 10, "A"], number(5, "metre"), undefined],
];

for (const [row, { value, unit }, contained] of CONTAINED) {
  Deno.test(`containsNumber compares ${value} ${unit} with ${row}`, () => {
    assertEquals(containsNumber(stretch(row), { value, unit }), contained);
  });
}

Deno.test("parseComplement of a stretch contains exactly its numbers", () => {
  const limits = fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.nat(5000));
  fc.assert(
    fc.property(
      limits,
      fc.constantFrom("", " - lado par", " - lado ímpar"),
      fc.integer({ min: 1, max: 12_000 }),
      ([from, length], side, value) => {
        const to = from + length;
        const stretches = parseComplement(`de ${from} a ${to}${side}`);
        const expected = from <= value && value <= to &&
          (side.endsWith("ímpar")
            ? value % 2 === 1
            : side === "" || value % 2 === 0);
        assertEquals(
          stretches.some((it) => containsNumber(it, number(value))),
          expected,
        );
      },
    ),
    FIXED,
  );
});

Deno.test("parseComplement of adjacent stretches contains each number once", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 3000 }), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 8000 }),
      (cuts, value) => {
        const ends = cuts.toSorted((one, other) => one - other)
          .map((cut) => cut * 2);
        const texts = [
          `até ${ends[0]! - 1}/${ends[0]}`,
          ...ends.slice(1).map((end, i) =>
            `de ${ends[i]! + 1}/${ends[i]! + 2} a ${end - 1}/${end}`
          ),
          `de ${ends.at(-1)! + 1}/${ends.at(-1)! + 2} ao fim`,
        ];
        const holders = texts.filter((text) =>
          parseComplement(text).some((it) => containsNumber(it, number(value)))
        );
        assertEquals(holders.length, 1);
      },
    ),
    FIXED,
  );
});

Deno.test("parseComplement, parseSection and parseStreetNumber accept any text", () => {
  const text = fc.oneof(
    fc.string({ unit: CODE_UNIT, maxLength: 60 }),
    fc.array(
      fc.constantFrom(
        ..."de |do |a |ao fim|até |km |lado |par|ímpar| - |(|)|/|,|.|12|999999999|0|n|s/n|+|-"
          .split("|"),
      ),
      { maxLength: 20 },
    ).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, text, text, (first, last, side) => {
      const section = parseSection({ first, last, side });
      for (
        const it of [...parseComplement(first), ...section ? [section] : []]
      ) {
        assert(Number.isInteger(it.from) && it.from >= 0);
        assert(it.from <= it.to && it.to <= STREET_END);
      }
      const parsed = parseStreetNumber(first);
      if (parsed) assert(Number.isInteger(parsed.value) && parsed.value >= 0);
    }),
    FIXED,
  );
});
