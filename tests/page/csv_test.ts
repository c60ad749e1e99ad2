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
    ['a,b\n1,"never closed\n2', [["a", "b"], ["1", "never closed\n2"]]],
    ['a,b\n"1"x,2\n', [["a", "b"], ["1x", "2"]]],
    ["a,b\n\n\r\n1,2\n\n", [["a", "b"], ["1", "2"]]],
    ["endereco\nrua a, 1; casa\n", [["endereco"], ["rua a, 1; casa"]]],
    ['"a;b",c\n1,2\n', [["a;b", "c"], ["1", "2"]]],
    ["", []],
    ["\n", []],
    ['"', []],
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
    fc.constantFrom(";", ",", "\t", "|"),
    (rows, delimiter) => {
      const text = formatCsv(rows, delimiter);
      assertEquals(text.charCodeAt(0), 0xFEFF);
      assertEquals(parseCsv(text.slice(1), delimiter), rows);
    },
  ));
});

Deno.test("findDelimiter ignores delimiters in quotes", () => {
  assertEquals(findDelimiter('"a,b,c";d\n1,2,3,4,5'), ";");
  assertEquals(findDelimiter("endereco\na,b"), "");
});

Deno.test("decode reads UTF-8 with and without a mark, and Latin-1", () => {
  assertEquals(decode(new TextEncoder().encode("\ufeffé")), "é");
  assertEquals(decode(new TextEncoder().encode("é")), "é");
  assertEquals(decode(Uint8Array.of(0xE9, 0x96)), "é–");
});
