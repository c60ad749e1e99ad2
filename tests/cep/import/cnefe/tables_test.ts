/** Tables of numbers and texts. */
import { assertEquals } from "@std/assert";
import {
  PairTable,
  textAt,
  TextList,
  TextTable,
} from "../../../../cep/import/cnefe/tables.ts";
import { MAX_ROW_BYTES } from "../../../../cep/import/cnefe/rows.ts";
import { latin1 } from "../../_directory.ts";

Deno.test("PairTable numbers many pairs in their order", () => {
  const table = new PairTable();
  for (let turn = 0; turn < 2; turn++) {
    for (let i = 0; i < 10_000; i++) {
      assertEquals(table.indexOf(i % 100, i), i);
    }
  }
  assertEquals(table.size, 10_000);
});

Deno.test("TextTable numbers many texts in their order", () => {
  const table = new TextTable();
  for (let turn = 0; turn < 2; turn++) {
    for (let i = 0; i < 10_000; i++) {
      const bytes = latin1(`(${i})`);
      assertEquals(table.indexOf(bytes, 1, bytes.length - 1), i);
    }
  }
  assertEquals(table.at(9999), latin1("9999"));
});

Deno.test("TextList keeps texts and compares them", () => {
  const long = "\u20AC".repeat(MAX_ROW_BYTES);
  const texts = ["", "B", "A", "AB", "\xC1", long];
  const list = new TextList();
  const indexes = texts.map((text) => list.indexOf(text));
  assertEquals(indexes, [0, 1, 2, 3, 4, 5]);
  assertEquals(texts.map((text) => list.indexOf(text)), indexes);
  const kept = list.toTexts();
  assertEquals(indexes.map((index) => textAt(kept, index)), texts);
  const sorted = indexes.toSorted((a, b) => list.compare(a, b));
  assertEquals(sorted.map((index) => texts[index]), texts.toSorted());
});
