import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Address, FIELDS } from "../../../cep/record/address.ts";
import { CSV_HEADER, toCsvLine } from "../../../cep/export/csv.ts";
import { EMPTY_ADDRESS } from "../_records.ts";
import { CODE_POINT } from "../_characters.ts";

const NAMES = Object.keys(FIELDS);

/** Parses CSV by RFC 4180, section 2. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain = "", end] of text.matchAll(field)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

for (
  const [value, written] of [
    ["Rua A", "Rua A"],
    ["", ""],
    ["Rua A, 9", '"Rua A, 9"'],
    ['Rua "A"', '"Rua ""A"""'],
    ["Rua\nA", '"Rua\nA"'],
    ["Rua\rA", '"Rua\rA"'],
    [" Rua A ", " Rua A "],
    ["Praça da Sé", "Praça da Sé"],
    // Formulas of spreadsheets are not altered.
    ["=1+1", "=1+1"],
    ["@SUM(A1)", "@SUM(A1)"],
  ] as const
) {
  Deno.test(`toCsvLine writes ${JSON.stringify(value)} as ${JSON.stringify(written)}`, () => {
    const line = toCsvLine({ ...EMPTY_ADDRESS, logradouro: value });
    const rest = ",".repeat(NAMES.length - 2);
    assertEquals(line, `,${written}${rest}\r\n`);
  });
}

Deno.test("toCsvLine writes any values so that a parser returns them", () => {
  const values = fc.array(
    fc.oneof(
      fc.constantFrom('"', ",", "\r\n", '""', "\n", "'", ";"),
      fc.string({ unit: CODE_POINT }),
    ),
    { minLength: NAMES.length, maxLength: NAMES.length },
  );
  fc.assert(fc.property(fc.array(values), (rows) => {
    const lines = rows.map((row) =>
      toCsvLine(
        Object.fromEntries(
          NAMES.map((name, i) => [name, row[i]]),
        ) as unknown as Address,
      )
    );
    assertEquals(parseCsv(CSV_HEADER + lines.join("")), [NAMES, ...rows]);
  }));
});
