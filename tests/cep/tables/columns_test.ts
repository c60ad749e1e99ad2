import { assertEquals, assertThrows } from "@std/assert";
import { parseConfig } from "../../../cep/settings/config.ts";
import {
  chooseColumns,
  collectAddress,
  TableError,
} from "../../../cep/tables/columns.ts";
import { TABLES } from "./_column_tables.ts";
import { findDelimiter, NO_DELIMITER } from "../../../cep/tables/csv.ts";

for (const [name, [present, columns]] of Object.entries(TABLES)) {
  Deno.test(`chooseColumns finds ${name}`, () => {
    assertEquals(chooseColumns({}, present), columns);
  });
}

Deno.test("chooseColumns uses only the columns given", () => {
  const given = { endereco: "obs" };
  assertEquals(chooseColumns(given, ["obs", "cep"]), given);
});

Deno.test("chooseColumns refuses a given column that is missing", () => {
  assertThrows(
    () => chooseColumns({ cep: "CEP" }, ["id", "cep"]),
    TableError,
    'Cannot find the column "CEP": the columns are "id", "cep"',
  );
});

Deno.test("chooseColumns refuses a table without known columns", () => {
  assertThrows(
    () => chooseColumns({}, ["a,b"]),
    TableError,
    'Cannot find addresses in the columns "a,b": name them in MATCH_COLUMNS',
  );
});

Deno.test("collectAddress separates free text from parts", () => {
  const cells: Record<string, string> = { a: "Rua A, 5", b: "01310-100" };
  assertEquals(
    collectAddress({ endereco: "a", cep: "b" }, (name) => cells[name]!),
    { text: "Rua A, 5", known: { cep: "01310-100" } },
  );
});

Deno.test("collectAddress joins the columns of one part", () => {
  const cells: Record<string, string> = { a: "R", b: "Uruguai", c: "" };
  assertEquals(
    collectAddress(
      { logradouro: ["a", "b"], endereco: ["c", "b"] },
      (name) => cells[name]!,
    ),
    { text: "Uruguai", known: { logradouro: "R Uruguai" } },
  );
});

const HEADERS: readonly (readonly [header: string, delimiter: string])[] = [
  ["id;endereco;cep", ";"],
  ["id,endereco,cep", ","],
  ["id\tendereco", "\t"],
  ["id|endereco", "|"],
  ['"a;b;c",d', ","],
  ["endereco", NO_DELIMITER],
  ["", NO_DELIMITER],
];

for (const [header, delimiter] of HEADERS) {
  Deno.test(`findDelimiter finds ${JSON.stringify(delimiter)} in ${JSON.stringify(header)}`, () => {
    assertEquals(findDelimiter(header, true), delimiter);
  });
}

Deno.test("MATCH_COLUMNS names columns, which may contain spaces", () => {
  const { matchColumns } = parseConfig({
    MATCH_COLUMNS: "logradouro=Tipo, logradouro=Nome da rua, cep = CEP=1",
  });
  assertEquals(matchColumns, {
    logradouro: ["Tipo", "Nome da rua"],
    cep: ["CEP=1"],
  });
});
