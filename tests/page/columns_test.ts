/** Columns that the page guesses. */
import { assertEquals } from "@std/assert";
import { guessParts } from "../../page/columns.js";
import { TABLES } from "../cep/tables/_column_tables.ts";

for (const [name, [present, columns]] of Object.entries(TABLES)) {
  Deno.test(`guessParts finds ${name}, as MODE=match does`, () => {
    const expected = present.map((column) =>
      Object.keys(columns).find((part) =>
        [columns[part]].flat().includes(column)
      ) ?? ""
    );
    assertEquals(guessParts(present, []), expected);
  });
}
