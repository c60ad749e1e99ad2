import { assert, assertEquals } from "@std/assert";
import { MIN_ROWS } from "../../scripts/generate_dne.ts";
import {
  FIRST_SHAPE_NUMBER,
  parseShape,
} from "../../scripts/generate_dne/shapes.ts";
import { Directory, testDirectory } from "./_directory.ts";

const OPTIONS = { rows: MIN_ROWS, seed: 7 };
const plain = new Directory(OPTIONS);
const shaped = new Directory({ ...OPTIONS, shapes: true });

testDirectory("a DNE with shapes", shaped);

Deno.test("generate adds shapes without changing other rows", () => {
  for (const [name, rows] of plain.rows) {
    // The municipalities that shapes add take their CEPs from others.
    if (name === "LOG_FAIXA_LOCALIDADE") continue;
    const kept = shaped.of(name).filter(([nu]) =>
      !(Number(nu) >= FIRST_SHAPE_NUMBER)
    );
    assertEquals(kept.slice(0, rows.length), rows, name);
  }
  assert(shaped.of("LOG_LOGRADOURO").length > MIN_ROWS + 100);
});

Deno.test("generate adds shapes within the range of their municipality", () => {
  const localities = shaped.byNumber("LOG_LOCALIDADE");
  const ranges = shaped.of("LOG_FAIXA_LOCALIDADE").filter((row) =>
    row[3] === "T"
  );
  for (const row of shaped.of("LOG_LOGRADOURO")) {
    const nu = localities.get(row[2]!)![6] || row[2];
    const owners = ranges.filter(([, first = "", last = ""]) =>
      first <= row[7]! && row[7]! <= last
    );
    assertEquals(owners.map((range) => range[0]), [nu], `${row}`);
  }
});

/** Shapes: the city, and the street as written. */
const SHAPES: readonly [string, string][] = [
  ["Brasília", "SQS 308 Bloco A"],
  ["Brasília", "SHIN QI 9 Conjunto 5"],
  ["Brasília", "EQS 509/510"],
  ["Palmas", "1103 Sul Alameda 9"],
  ["Goiânia", "Rua C-149"],
  ["Goiânia", "Rua 13-A"],
  ["Belo Horizonte", "Rua São Geraldo 3"],
  ["Salvador", "Travessa Quatro 2"],
  ["Chapecó", "Rua Uruguai - E"],
  ["Floriano", "Rua Sete de Setembro"],
];

for (const [city, street] of SHAPES) {
  Deno.test(`generate adds ${street} in ${city}`, () => {
    const localities = shaped.byNumber("LOG_LOCALIDADE");
    const found = shaped.of("LOG_LOGRADOURO").some((row) =>
      localities.get(row[2]!)![2] === city &&
      (row[9] === "S" ? `${row[8]} ${row[5]}` : row[5]) === street
    );
    assert(found);
  });
}

Deno.test("generate adds towns of one name in several states", () => {
  const towns = shaped.of("LOG_LOCALIDADE").filter((row) => row[5] === "M");
  for (const name of ["Bom Jesus", "Planalto", "Santa Luzia"]) {
    assert(towns.filter((row) => row[2] === name).length > 1, name);
  }
});

/** Shapes as written, with the columns that they stand for. */
const PARSED: readonly [string, Partial<ReturnType<typeof parseShape>>][] = [
  ["EQS 509/510", {
    type: "Quadra",
    name: "EQS 509/510",
    typeIsWritten: false,
  }],
  ["SCEN Trecho 3 Lote 1", { type: "Trecho", typeIsWritten: false }],
  ["Rua Uruguai - E", { type: "Rua", name: "Uruguai - E", complement: "" }],
  ["Rua 1 (Lot Farol)", { name: "1", complement: "(Lot Farol)" }],
  ["QNM 12 Comércio", { name: "QNM 12", complement: "Comércio" }],
  ["Rua A - até 697 - lado ímpar", { section: ["1", "697", "I"] }],
  ["Rua A - de 232 ao fim - lado par", { section: ["232", "99998", "P"] }],
  ["Rua A - até 499/500", { section: ["1", "500", "A"] }],
  ["Rodovia A - do km 10,000 ao km 11,000", {
    section: ["10,000", "11,000", "A"],
  }],
  ["Rua A < Rua B | Rua C", { name: "A", others: ["Rua B", "Rua C"] }],
];

for (const [text, expected] of PARSED) {
  Deno.test(`parseShape reads "${text}"`, () => {
    const parsed = parseShape(text);
    const compared = Object.keys(expected).map((key) => [
      key,
      parsed[key as keyof typeof parsed],
    ]);
    assertEquals(Object.fromEntries(compared), expected);
  });
}
