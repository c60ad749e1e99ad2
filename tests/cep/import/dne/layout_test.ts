import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  COLUMNS,
  type Family,
  isOptional,
  OPTIONAL_FILES,
  parseRow,
  RejectedRow,
  REQUIRED_FILES,
} from "../../../../cep/import/dne/layout.ts";
import { LATIN1 } from "../../_characters.ts";

/** Numbers of columns in the layout document of Correios. */
const COUNTS: readonly [family: Family, columns: number][] = [
  ["LOG_LOCALIDADE", 9],
  ["LOG_BAIRRO", 5],
  ["LOG_LOGRADOURO", 11],
  ["LOG_GRANDE_USUARIO", 9],
  ["LOG_UNID_OPER", 10],
  ["LOG_CPC", 6],
  ["LOG_FAIXA_UF", 3],
  ["LOG_FAIXA_LOCALIDADE", 4],
  ["LOG_FAIXA_BAIRRO", 3],
  ["LOG_FAIXA_CPC", 3],
  ["LOG_FAIXA_UOP", 3],
  ["LOG_VAR_LOC", 3],
  ["LOG_VAR_BAI", 3],
  ["LOG_VAR_LOG", 4],
  ["LOG_NUM_SEC", 4],
];

Deno.test("COLUMNS has every family", () => {
  assertEquals(
    Object.keys(COLUMNS).toSorted(),
    COUNTS.map(([family]) => family).toSorted(),
  );
});

const BLANK = fc.constantFrom("", " ", "   ", "\t", "\xA0", "\r");

function fields(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `field ${i + 1}`);
}

for (const [family, count] of COUNTS) {
  Deno.test(`parseRow reads the ${count} columns of ${family}`, () => {
    const row = parseRow(family, fields(count).join("@"));
    assertEquals(Object.keys(row), [...COLUMNS[family]]);
    assertEquals(Object.values(row), fields(count));
  });

  Deno.test(`parseRow reads a line of ${family} with empty columns`, () => {
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

  Deno.test(`parseRow splits any line of ${family} or refuses its number of columns`, () => {
    const text = fc.string({ unit: LATIN1, maxLength: 12 })
      .map((it) => it.replaceAll(/[@\0]/g, ""));
    const padded = fc.tuple(BLANK, text, BLANK).map((parts) => parts.join(""));
    const values = fc.array(padded, {
      minLength: count - 1,
      maxLength: count + 1,
    });
    const line = fc.oneof(
      { weight: 4, arbitrary: values.map((values) => values.join("@")) },
      fc.string({ unit: LATIN1 }).map((it) => it.replaceAll("\0", "")),
    );
    fc.assert(fc.property(line, (line) => {
      const expected = line.split("@").map((field) => field.trim());
      if (expected.length === count) {
        assertEquals(Object.values(parseRow(family, line)), expected);
      } else {
        const detail = `${expected.length} instead of ${count}`;
        assertThrows(() => parseRow(family, line), RejectedRow, detail);
      }
    }));
  });
}

const FIELDS: readonly [name: string, field: string, expected: string][] = [
  ["padding after a value", "R das Flores            ", "R das Flores"],
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

Deno.test("parseRow splits at a separator inside quotes", () => {
  assertThrows(
    () => parseRow("LOG_CPC", '1@AC@2@"Bar @ Mar"@Rua B@69900990'),
    RejectedRow,
    "7 instead of 6",
  );
});

const WITH_NUL: readonly [name: string, line: string][] = [
  ["at the beginning", "\x001@AC@2@Posto A@Rua B@69900990"],
  ["inside a text", "1@AC@2@Posto\0 A@Rua B@69900990"],
  ["at the end", "1@AC@2@Posto A@Rua B@69900990\0"],
  ["in a line of too few columns", "\0"],
];

for (const [name, line] of WITH_NUL) {
  Deno.test(`parseRow refuses a NUL character ${name}`, () => {
    const error = assertThrows(() => parseRow("LOG_CPC", line), RejectedRow);
    assertEquals(error.reason, "NUL character");
  });
}

Deno.test("parseRow returns a new row for each line", () => {
  const first = parseRow("LOG_CPC", "1@AC@2@Posto A@Rua B@69900990");
  parseRow("LOG_CPC", "2@SP@3@Posto C@Rua D@01900990");
  assertEquals(Object.values(first).join("@"), "1@AC@2@Posto A@Rua B@69900990");
});

Deno.test("REQUIRED_FILES lists the 32 files in the order of import", () => {
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

Deno.test("OPTIONAL_FILES lists the nine files", () => {
  assertEquals(OPTIONAL_FILES.map(({ name }) => name), [
    "LOG_FAIXA_UF.TXT",
    "LOG_FAIXA_LOCALIDADE.TXT",
    "LOG_FAIXA_BAIRRO.TXT",
    "LOG_FAIXA_CPC.TXT",
    "LOG_FAIXA_UOP.TXT",
    "LOG_VAR_LOC.TXT",
    "LOG_VAR_BAI.TXT",
    "LOG_VAR_LOG.TXT",
    "LOG_NUM_SEC.TXT",
  ]);
  assert(OPTIONAL_FILES.every(isOptional));
  assert(!REQUIRED_FILES.some(isOptional));
});
