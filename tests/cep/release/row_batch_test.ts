import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  allocatePrivate,
  RowBatch,
  valuesOf,
} from "../../../cep/release/row_batch.ts";
import { CODE_UNIT } from "../_characters.ts";

const TEXT = fc.string({ unit: fc.oneof(CODE_UNIT, fc.constant("\x80")) })
  .filter((text) => !text.includes("\0"));
const VALUE = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.constantFrom(2 ** 32, -(2 ** 31), 0.5),
  TEXT,
  fc.constantFrom("Praça D'Água", "\x9F\xA0ÿ", "€", ""),
);

for (const allocate of [allocatePrivate, allocateShared]) {
  Deno.test(`valuesOf returns any values of a RowBatch in memory of ${allocate.name}`, () => {
    const batch = new RowBatch(3, allocate);
    const rows = fc.array(fc.tuple(VALUE, VALUE, VALUE), { maxLength: 20 });
    fc.assert(fc.property(rows, (rows) => {
      batch.clear();
      for (const row of rows) batch.add(row);
      assertEquals(valuesOf(batch.bytes), rows.flat());
    }));
  });
}

function allocateShared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes);
}

Deno.test("RowBatch.isFull is true after a thousand rows, or half a megabyte", () => {
  const rows = new RowBatch(1, allocatePrivate);
  for (let i = 1; i < 1000; i++) rows.add([i]);
  assertEquals(rows.isFull, false);
  rows.add([1000]);
  assertEquals(rows.isFull, true);
  rows.clear();
  rows.add(["x".repeat(500_000)]);
  assertEquals(rows.isFull, true);
});

Deno.test("RowBatch keeps the rows that are added when it is full", () => {
  const rows = new RowBatch(2, allocatePrivate);
  for (let i = 0; i < 2500; i++) rows.add([i, `Rua ${i}`]);
  const values = valuesOf(rows.bytes);
  assertEquals(values.length, 5000);
  assertEquals(values.slice(-2), [2499, "Rua 2499"]);
});

for (const text of ["a\0b", "€\0"]) {
  Deno.test(`RowBatch.add refuses a NUL character in ${JSON.stringify(text)}`, () => {
    assertThrows(
      () => new RowBatch(1, allocatePrivate).add([text]),
      RangeError,
      "Cannot write a text with a NUL character",
    );
  });
}
