import { assertEquals, assertThrows } from "@std/assert";
import {
  fillMarked,
  markdownList,
  markdownTable,
} from "../../scripts/markdown.ts";

Deno.test("markdownTable pads each column to its widest cell", () => {
  assertEquals(
    markdownTable(["a", "long"], [["✓", "b"], ["wide", "c"]]),
    [
      "| a    | long |",
      "| ---- | ---- |",
      "| ✓    | b    |",
      "| wide | c    |",
    ].join("\n"),
  );
});

Deno.test("markdownList indents the lines of an item that is too long", () => {
  const words = Array(11).fill("1234567").join(" ");
  assertEquals(
    markdownList(["one", words]),
    `1. one\n2. ${Array(9).fill("1234567").join(" ")}\n   1234567 1234567`,
  );
});

Deno.test("fillMarked replaces the text between two marks and keeps a remark", () => {
  assertEquals(
    fillMarked(
      "before\n<!-- some: a remark -->\nold\n<!-- /some -->\nafter",
      "some",
      "$1 new",
    ),
    "before\n<!-- some: a remark -->\n\n$1 new\n\n<!-- /some -->\nafter",
  );
});

for (const text of ["", "<!-- some -->", "<!-- /some -->"]) {
  Deno.test(`fillMarked reports a table whose marks are missing in "${text}"`, () => {
    assertThrows(() => fillMarked(text, "some", ""), Error, '"some"');
  });
}
