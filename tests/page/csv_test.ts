/** Tables as the page reads and writes them. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { decode, findDelimiter, formatCsv, parseCsv } from "../../page/csv.js";

for (
  const [text, expected] of [
    ["a,b\n1,2\n", [["a", "b"], ["1", "2"]]],
    ["a;b\r\n1;2", [["a", "b"], ["1", "2"]]],
    ["a\tb\r1\t2\r", [["a", "b"], ["1", "2"]]],
    ["a|b\n1|\n", [["a", "b"], ["1", ""]]],
    ["a,b\n1,", [["a", "b"], ["1", ""]]],
    ['a,b\n"1,""x""\r\n2",3\n', [["a", "b"], ['1,"x"\r\n2', "3"]]],
    ['a,b\n"",""\n', [["a", "b"], ["", ""]]],
    ['"a\nb";c\n1,2;3\n', [["a\nb", "c"], ["1,2", "3"]]],
    ['a"b;c\n1;2\n', [['a"b', "c"], ["1", "2"]]],
    ['a,b\n1,"never closed\n2', [["a", "b"], ["1", '"never closed'], ["2"]]],
    // The quote of the second row has its pair in the third one.
    [
      'a;b\n1;"Rua Zumbi\n2;"São José, 10"\n3;""\n',
      [["a", "b"], ["1", '"Rua Zumbi'], ["2", "São José, 10"], ["3", ""]],
    ],
    ['a;b\n1;"x\n2;y"z\n', [["a", "b"], ["1", '"x'], ["2", 'y"z']]],
    ['a,b\n"1"x,2\n', [["a", "b"], ["1x", "2"]]],
    ["a,b\n\n\r\n1,2\n\n", [["a", "b"], [], [], ["1", "2"], []]],
    ["endereco\nrua a, 1; casa\n", [["endereco"], ["rua a, 1; casa"]]],
    ['"a;b",c\n1,2\n', [["a;b", "c"], ["1", "2"]]],
    ["", []],
    ["\n", [[]]],
    ['"', [['"']]],
  ] as const
) {
  Deno.test(`parseCsv parses ${JSON.stringify(text)}`, () => {
    assertEquals(parseCsv(text), expected);
  });
}

Deno.test("parseCsv reads what formatCsv writes", () => {
  const cell = fc.string({ unit: fc.constantFrom(...'a ;,"\r\n\t|é') });
  fc.assert(fc.property(
    fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }),
    (rows) => {
      const text = formatCsv(rows);
      assertEquals(text.charCodeAt(0), 0xFEFF);
      const harmless = rows.map((row) =>
        row.map((it) => /^[\t\r]/.test(it) ? `'${it}` : it)
      );
      assertEquals(parseCsv(text.slice(1), ";"), harmless);
    },
  ));
});

for (
  const [value, expected] of [
    [0.93, "0,93"],
    [1, "1"],
    ["=1+1", "'=1+1"],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"],
    ["+55 11 98765-4321", "'+55 11 98765-4321"],
    ["-23,55", "-23,55"],
    ["+5511987654321", "+5511987654321"],
    ["QNM 12 Conjunto A", "QNM 12 Conjunto A"],
  ] as const
) {
  Deno.test(`formatCsv writes ${JSON.stringify(value)} as ${expected}`, () => {
    assertEquals(formatCsv([[value]]), `\ufeff${expected}\r\n`);
  });
}

Deno.test("findDelimiter ignores delimiters in quotes", () => {
  assertEquals(findDelimiter('"a,b,c";d\n1,2,3,4,5'), ";");
  assertEquals(findDelimiter("endereco\na,b"), "");
  assertEquals(findDelimiter("\n\na;b\n"), ";");
});

Deno.test("decode reads UTF-8 with and without a mark, UTF-16 and Latin-1", () => {
  assertEquals(decode(new TextEncoder().encode("\ufeffé")), "é");
  assertEquals(decode(new TextEncoder().encode("é")), "é");
  assertEquals(decode(Uint8Array.of(0xE9, 0x96)), "é–");
  assertEquals(decode(Uint8Array.of(0xFF, 0xFE, 0xE9, 0)), "é");
});
