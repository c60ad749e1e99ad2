import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { joinCells, splitCells } from "../../../cep/tables/csv.ts";
import {
  MAX_ROW,
  type Row,
  RowReader,
} from "../../../cep/tables/row_reader.ts";

const FIXED = { seed: 20260101, numRuns: 500 };

/** Reads rows from a text in chunks of a size. */
function read(text: string, delimiter?: string, size = text.length): Row[] {
  const reader = new RowReader(delimiter);
  const rows: Row[] = [];
  for (let i = 0; i < text.length; i += size) {
    rows.push(...reader.push(text.slice(i, i + size)));
  }
  return [...rows, ...reader.end()];
}

const good = (raw: string): Row => ({ raw });
const quotes = (raw: string): Row => ({ raw, fault: "quotes" });

const TEXTS: readonly (readonly [name: string, text: string, rows: Row[]])[] = [
  ["an empty text", "", []],
  ["empty lines", "\n\r\n \n", [good("\n"), good("\r\n"), good(" \n")]],
  ["a text without a line end", "a,b", [good("a,b")]],
  ["LF and CRLF", "a\r\nb\nc", [good("a\r\n"), good("b\n"), good("c")]],
  ["a line end in quotes", '"a\nb",c\nd\n', [good('"a\nb",c\n'), good("d\n")]],
  ["quotes in quotes", '"a""\n",b\nc', [good('"a""\n",b\n'), good("c")]],
  ["quotes within a cell", 'Rua "A" 1,b\nc\n', [
    good('Rua "A" 1,b\n'),
    good("c\n"),
  ]],
  ["a CRLF after quotes", '"a"\r\n"b"\r\n', [good('"a"\r\n'), good('"b"\r\n')]],
  ["a letter after quotes", '"a"b,c\nd\n', [quotes('"a"b,c\n'), good("d\n")]],
  ["a quote that another row closes", '1,"a\n2,"b"\n3,c\n', [
    quotes('1,"a\n'),
    good('2,"b"\n'),
    good("3,c\n"),
  ]],
  ["a quote that nothing closes", '1,"a\n2,b\n3,c', [
    quotes('1,"a\n'),
    good("2,b\n"),
    good("3,c"),
  ]],
  ["an empty cell in quotes", '"",""\n', [good('"",""\n')]],
];

for (const [name, text, rows] of TEXTS) {
  Deno.test(`RowReader reads ${name} in chunks of any size`, () => {
    for (let size = 1; size <= text.length + 1; size++) {
      assertEquals(read(text, ",", size), rows);
    }
  });
}

Deno.test("RowReader of lines ignores quotes", () => {
  assertEquals(read('{"a":"\n"}\n'), [good('{"a":"\n'), good('"}\n')]);
});

Deno.test("RowReader skips a row above the limit without keeping it", () => {
  const reader = new RowReader(",");
  const rows = [...reader.push("a\n")];
  const chunk = "x".repeat(1 << 16);
  for (let i = 0; i < 100; i++) rows.push(...reader.push(chunk));
  rows.push(...reader.push("x\nb\n"));
  assertEquals(rows, [
    good("a\n"),
    { raw: "x".repeat(100), fault: "length" },
    good("b\n"),
  ]);
});

Deno.test("RowReader gives up a quote after the limit", () => {
  const line = `${"x".repeat(999)}\n`;
  const text = `"${line.repeat(1 + MAX_ROW / 1000)}`;
  const rows = read(text, ",", 1 << 16);
  assertEquals(rows[0], quotes(`"${line}`));
  assertEquals(rows.slice(1).every(({ raw }) => raw === line), true);
  assertEquals(rows.length, 1 + MAX_ROW / 1000 | 0);
});

const CELL = fc.array(
  fc.constantFrom("a", "Ç", '"', ",", ";", "\n", "\r\n", " ", "\t", "🏠"),
  { maxLength: 6 },
).map((parts) => parts.join(""));

Deno.test("splitCells and RowReader read what joinCells writes", () => {
  const table = fc.array(fc.array(CELL, { minLength: 2, maxLength: 4 }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      table,
      fc.constantFrom(",", ";", "\t", "|"),
      fc.constantFrom("\n", "\r\n"),
      fc.integer({ min: 1, max: 20 }),
      (cells, delimiter, end, size) => {
        const text = cells.map((row) => joinCells(row, delimiter) + end)
          .join("");
        const rows = read(text, delimiter, size);
        assertEquals(rows.map((row) => splitCells(row, delimiter)), cells);
      },
    ),
    FIXED,
  );
});

Deno.test("RowReader keeps every character of any text", () => {
  fc.assert(
    fc.property(
      fc.array(CELL, { maxLength: 20 }).map((it) => it.join("")),
      fc.integer({ min: 1, max: 20 }),
      (text, size) => {
        const whole = read(text, ",");
        assertEquals(read(text, ",", size), whole);
        assertEquals(whole.map(({ raw }) => raw).join(""), text);
      },
    ),
    FIXED,
  );
});
