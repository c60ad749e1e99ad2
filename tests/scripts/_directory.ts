/** A generated DNE in memory, and what holds for each. */
import { assert, assertEquals } from "@std/assert";
import { generate, type GenerateOptions } from "../../scripts/generate_dne.ts";
import { STATE_FACTS } from "../../scripts/generate_dne/locality.ts";

/** Columns of a row. */
export type Row = readonly string[];

/** Files of a DNE, by name without extension. */
export class Directory {
  readonly bytes = new Map<string, number[]>();
  readonly rows = new Map<string, Row[]>();

  constructor(options: GenerateOptions) {
    for (const { name, chunk } of generate(options)) {
      const bytes = this.bytes.get(name.replace(/\.TXT$/, "")) ?? [];
      for (const byte of chunk) bytes.push(byte);
      this.bytes.set(name.replace(/\.TXT$/, ""), bytes);
    }
    for (const [name, bytes] of this.bytes) {
      const lines = this.text(bytes).split("\r\n").slice(0, -1);
      this.rows.set(name, lines.map((line) => line.split("@")));
    }
  }

  text(bytes: number[]): string {
    return new TextDecoder("iso-8859-1").decode(Uint8Array.from(bytes));
  }

  of(name: string): Row[] {
    if (name !== "LOG_LOGRADOURO") return this.rows.get(name) ?? [];
    return STATE_FACTS.flatMap(({ uf }) => this.of(`LOG_LOGRADOURO_${uf}`));
  }

  /** Returns the values of a column. */
  column(name: string, index: number): string[] {
    return this.of(name).map((row) => row[index] ?? "");
  }

  byNumber(name: string): Map<string, Row> {
    return new Map(this.of(name).map((row) => [row[0] ?? "", row]));
  }
}

/** Sources of CEPs: file, column and allowed last three digits. */
export const SOURCES: readonly [string, number, (suffix: number) => boolean][] =
  [
    ["LOG_LOCALIDADE", 3, (suffix) => suffix < 900],
    ["LOG_LOGRADOURO", 7, (suffix) => suffix < 900],
    ["LOG_GRANDE_USUARIO", 7, (suffix) => suffix >= 900 && suffix < 960],
    [
      "LOG_UNID_OPER",
      7,
      (suffix) => (suffix >= 970 && suffix < 990) || suffix === 999,
    ],
    ["LOG_CPC", 5, (suffix) => suffix >= 990 && suffix < 999],
  ];

/** References: file, column, and the file whose first column has the number. */
const REFERENCES: readonly [string, number, string][] = [
  ["LOG_LOCALIDADE", 6, "LOG_LOCALIDADE"],
  ["LOG_BAIRRO", 2, "LOG_LOCALIDADE"],
  ["LOG_LOGRADOURO", 2, "LOG_LOCALIDADE"],
  ["LOG_LOGRADOURO", 3, "LOG_BAIRRO"],
  ["LOG_LOGRADOURO", 4, "LOG_BAIRRO"],
  ["LOG_GRANDE_USUARIO", 2, "LOG_LOCALIDADE"],
  ["LOG_GRANDE_USUARIO", 3, "LOG_BAIRRO"],
  ["LOG_GRANDE_USUARIO", 4, "LOG_LOGRADOURO"],
  ["LOG_UNID_OPER", 2, "LOG_LOCALIDADE"],
  ["LOG_UNID_OPER", 3, "LOG_BAIRRO"],
  ["LOG_UNID_OPER", 4, "LOG_LOGRADOURO"],
  ["LOG_CPC", 2, "LOG_LOCALIDADE"],
  ["LOG_VAR_LOC", 0, "LOG_LOCALIDADE"],
  ["LOG_VAR_BAI", 0, "LOG_BAIRRO"],
  ["LOG_VAR_LOG", 0, "LOG_LOGRADOURO"],
  ["LOG_NUM_SEC", 0, "LOG_LOGRADOURO"],
  ["LOG_FAIXA_LOCALIDADE", 0, "LOG_LOCALIDADE"],
  ["LOG_FAIXA_BAIRRO", 0, "LOG_BAIRRO"],
  ["LOG_FAIXA_UOP", 0, "LOG_UNID_OPER"],
  ["LOG_FAIXA_CPC", 0, "LOG_CPC"],
];

/** Tests what holds for every DNE. */
export function testDirectory(name: string, directory: Directory): void {
  Deno.test(`generate writes existing numbers to the columns of ${name}`, () => {
    for (const [file, column, target] of REFERENCES) {
      const known = directory.byNumber(target);
      const dangling = directory.column(file, column).filter((number) =>
        number !== "" && !known.has(number)
      );
      assertEquals(dangling, [], `${file} ${column}`);
    }
  });

  Deno.test(`generate repeats no CEP in ${name}`, () => {
    const seen = new Set<string>();
    for (const [file, column, belongs] of SOURCES) {
      for (const cep of directory.column(file, column)) {
        if (cep === "") continue;
        assert(/^\d{8}$/.test(cep) && !seen.has(cep), `${file} ${cep}`);
        assert(belongs(Number(cep.slice(5))), `${file} ${cep}`);
        seen.add(cep);
      }
    }
  });
}
