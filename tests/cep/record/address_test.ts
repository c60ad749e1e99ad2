import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  formatCep,
  parseCep,
  readCep,
  STATES,
} from "../../../cep/record/address.ts";
import { CODE_UNIT } from "../_characters.ts";

const FIXED = { seed: 20260101, numRuns: 500 };

const ACCEPTED = [
  "01310100",
  "01310-100",
  "01.310-100",
  "01310 100",
  "01.310 100",
  "01310 - 100",
  "01310\u00A0100",
  " 01310100",
  "01310-100\u00A0",
  "\t01310100\t",
];

for (const text of ACCEPTED) {
  Deno.test(`parseCep reads "${text}"`, () => {
    assertEquals(parseCep(text), "01310100");
  });
}

const REFUSED: readonly (readonly [name: string, text: string])[] = [
  ["an empty text", ""],
  ["seven digits", "1310100"],
  ["nine digits", "013101000"],
  ["two digits after the hyphen", "01310-10"],
  ["four digits after the hyphen", "01310-1000"],
  ["a letter", "0131010a"],
  ["a letter O instead of zero", "O1310100"],
  ["a trailing line end", "01310100\n"],
  ["a line end in place of the hyphen", "01310\n100"],
  ["a second line", "01310100\n01310100"],
  ["a space after four digits", "0131 0100"],
  ["a space after six digits", "013101 00"],
  ["an en dash instead of the hyphen", "01310–100"],
  ["a soft hyphen", "01310\u00AD100"],
  ["a hyphen after four digits", "0131-0100"],
  ["a leading hyphen", "-01310100"],
  ["a trailing hyphen", "01310100-"],
  ["two hyphens", "01310--100"],
  ["a dot without the hyphen", "01.310100"],
  ["a dot instead of the hyphen", "01310.100"],
  ["two dots", "01.310.100"],
  ["a dot after three digits", "013.10-100"],
  ["a sign", "+1310100"],
  ["an exponent", "1e310100"],
  ["a hexadecimal number", "0x131010"],
  ["a trailing dot", "1310100."],
  ["a null character", "01310100\0"],
  ["a byte order mark", "\uFEFF01310100"],
  ["Arabic-Indic digits", "٠١٣١٠١٠٠"],
  ["one Arabic-Indic digit", "0131010٠"],
  ["extended Arabic-Indic digits", "۰۱۳۱۰۱۰۰"],
  ["Devanagari digits", "०१३१०१००"],
  ["full-width digits", "０１３１０１００"],
  ["mathematical digits", "𝟎𝟏𝟑𝟏𝟎𝟏𝟎𝟎"],
  ["superscript digits", "⁰¹³¹⁰¹⁰⁰"],
];

for (const [name, text] of REFUSED) {
  Deno.test(`parseCep refuses ${name}`, () => {
    assertEquals(parseCep(text), undefined);
  });
}

const NEARLY_CEPS = fc.oneof(
  fc.string({ unit: CODE_UNIT, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 9 }),
  fc.string({
    unit: fc.constantFrom(..."0123456789.- ٠۰०０a\n"),
    minLength: 8,
    maxLength: 10,
  }),
);

Deno.test("parseCep returns the eight digits of a text, or undefined", () => {
  fc.assert(
    fc.property(NEARLY_CEPS, (text) => {
      const cep = parseCep(text);
      if (cep === undefined) return;
      assertEquals(/^[0-9]{8}$/.test(cep), true);
      assertEquals(cep, text.replaceAll(/[^0-9]/g, ""));
      assertEquals(/^[\d .-]*$/.test(text), true);
      assertEquals(parseCep(formatCep(cep)), cep);
    }),
    FIXED,
  );
});

const CEPS = fc.string({
  unit: fc.constantFrom(..."0123456789"),
  minLength: 8,
  maxLength: 8,
});

Deno.test("parseCep reads every CEP in every written form", () => {
  fc.assert(
    fc.property(CEPS, (cep) => {
      const [head, middle, tail] = [
        cep.slice(0, 2),
        cep.slice(2, 5),
        cep.slice(5),
      ];
      const forms = [cep, formatCep(cep), `${head}.${middle}-${tail}`];
      assertEquals(forms.map(parseCep), [cep, cep, cep]);
    }),
    FIXED,
  );
});

for (
  const [value, cep] of [
    ["01310-100", "01310100"],
    [1310100, "01310100"],
    [89010025, "89010025"],
    ["1310100", undefined],
    [131010, undefined],
    [100000000, undefined],
    [1310100.5, undefined],
    [-1310100, undefined],
    [NaN, undefined],
    [["01310100"], undefined],
    [{}, undefined],
    [null, undefined],
    [undefined, undefined],
  ]
) {
  Deno.test(`readCep reads ${JSON.stringify(value)}`, () => {
    assertEquals(readCep(value), cep);
  });
}

Deno.test("parseCep reads long blanks in linear time", () => {
  assertEquals(parseCep(`01310${" ".repeat(1e6)}x`), undefined);
  assertEquals(parseCep(`${" ".repeat(1e6)}x`), undefined);
});

Deno.test("formatCep puts the hyphen after the fifth digit", () => {
  assertEquals(formatCep("01310100"), "01310-100");
});

Deno.test("STATES lists each of the 27 states once", () => {
  assertEquals(STATES.length, 27);
  assertEquals(new Set(STATES).size, 27);
  assertEquals(STATES.filter((uf) => !/^[A-Z]{2}$/.test(uf)), []);
});
