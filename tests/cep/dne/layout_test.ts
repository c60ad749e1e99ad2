import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  COLUMNS,
  type Family,
  parseRow,
  RejectedRow,
  REQUIRED_FILES,
} from "../../../cep/dne/layout.ts";

/** As the layout document has them, apart from the sources. */
const COUNTS: readonly [family: Family, columns: number][] = [
  ["LOG_LOCALIDADE", 9],
  ["LOG_BAIRRO", 5],
  ["LOG_LOGRADOURO", 11],
  ["LOG_GRANDE_USUARIO", 9],
  ["LOG_UNID_OPER", 10],
  ["LOG_CPC", 6],
];

function fields(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `field ${i + 1}`);
}

for (const [family, count] of COUNTS) {
  Deno.test(`parseRow reads the ${count} columns of ${family}`, () => {
    const row = parseRow(family, fields(count).join("@"));
    assertEquals(Object.keys(row), [...COLUMNS[family]]);
    assertEquals(Object.values(row), fields(count));
  });

  Deno.test(`parseRow reads a line of ${family} without any value`, () => {
    const row = parseRow(family, "@".repeat(count - 1));
    assertEquals(Object.values(row), Array(count).fill(""));
  });

  for (const wrong of [1, count - 1, count + 1]) {
    Deno.test(`parseRow refuses ${wrong} columns in ${family}`, () => {
      const error = assertThrows(
        () => parseRow(family, fields(wrong).join("@")),
        RejectedRow,
        `Cannot use row: wrong column count, ${wrong} instead of ${count}`,
      );
      assertEquals(error.reason, "wrong column count");
      assertEquals(error.detail, `${wrong} instead of ${count}`);
    });
  }

  Deno.test(`parseRow gives back what was joined, trimmed, as ${family}`, () => {
    const blank = fc.constantFrom("", " ", "   ", "\t", "\xA0");
    const text = fc.stringMatching(/^[ -?A-~\xA0-\xFF]{0,40}$/);
    const field = fc.tuple(blank, text, blank).map((parts) => parts.join(""));
    const values = fc.array(field, { minLength: count, maxLength: count });
    fc.assert(fc.property(values, (values) => {
      const row = parseRow(family, values.join("@"));
      assertEquals(Object.values(row), values.map((value) => value.trim()));
    }));
  });
}

const FIELDS: readonly [name: string, field: string, expected: string][] = [
  ["padding behind a value", "R das Flores            ", "R das Flores"],
  ["blanks before a value", "  Estrada do Mel", "Estrada do Mel"],
  ["a value of blanks", "       ", ""],
  ["blanks inside a value", "a  b", "a  b"],
  ["quotes around a value", '"Aurora"', '"Aurora"'],
  ["quotes inside a value", 'Boca D"Água', 'Boca D"Água'],
  ["a single quote", '"', '"'],
  ["quotes that repeat", '""', '""'],
  ["a comma and a semicolon", "Rua A, 10; fundos", "Rua A, 10; fundos"],
  ["a backslash", "a\\b", "a\\b"],
  ["signs beyond ASCII", "4ª Três ` ´ °", "4ª Três ` ´ °"],
];

for (const [name, field, expected] of FIELDS) {
  Deno.test(`parseRow reads ${name}`, () => {
    const row = parseRow("LOG_CPC", `1@AC@2@${field}@${field}@69900990`);
    assertEquals(row, {
      CPC_NU: "1",
      UFE_SG: "AC",
      LOC_NU: "2",
      CPC_NO: expected,
      CPC_ENDERECO: expected,
      CEP: "69900990",
    });
  });
}

Deno.test("parseRow does not take quotes for a way to hide a separator", () => {
  assertThrows(
    () => parseRow("LOG_CPC", '1@AC@2@"Bar @ Mar"@Rua B@69900990'),
    RejectedRow,
    "7 instead of 6",
  );
});

Deno.test("REQUIRED_FILES has the 32 files in the order of import", () => {
  // deno-fmt-ignore
  const states = [
    "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO", "MA", "MG", "MS",
    "MT", "PA", "PB", "PE", "PI", "PR", "RJ", "RN", "RO", "RR", "RS", "SC",
    "SE", "SP", "TO",
  ];
  const names = REQUIRED_FILES.map(({ name }) => name);
  assertEquals(names.length, 32);
  assertEquals(names, [
    "LOG_LOCALIDADE.TXT",
    "LOG_BAIRRO.TXT",
    ...states.map((uf) => `LOG_LOGRADOURO_${uf}.TXT`),
    "LOG_GRANDE_USUARIO.TXT",
    "LOG_UNID_OPER.TXT",
    "LOG_CPC.TXT",
  ]);
});

Deno.test("REQUIRED_FILES gives each file the layout of its name", () => {
  for (const { name, family } of REQUIRED_FILES) {
    assertEquals(name.replace(/(_[A-Z]{2})?\.TXT$/, ""), family);
  }
});
