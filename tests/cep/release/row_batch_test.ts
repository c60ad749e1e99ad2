import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import {
  allocatePrivate,
  RowBatch,
  RowBuffer,
  valuesOf,
} from "../../../cep/release/row_batch.ts";
import { CODE_UNIT } from "../_characters.ts";
import { connect } from "../../../cep/release/local_connection.ts";

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

const STORABLE = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.constantFrom("'", "''", "');DROP TABLE t;--", "\\'", "x'41'", "\r\n"),
);

Deno.test("RowBuffer.insert stores any value unchanged", async () => {
  const connection = await connect(":memory:");
  await connection.exec("CREATE TABLE t (a, b, c)");
  const select = await connection.prepare("SELECT a, b, c FROM t");
  const rows = fc.array(fc.tuple(STORABLE, STORABLE, STORABLE), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      await connection.exec("DELETE FROM t");
      const buffer = new RowBuffer(connection, "t");
      for (const row of rows) {
        buffer.add(row);
        if (row[0] === null) await buffer.insert();
      }
      await buffer.insert();
      const stored = await select.all();
      assertEquals(stored, rows);
    }),
    { numRuns: 100 },
  );
  connection.close();
});

Deno.test("RowBuffer.add returns true for the thousandth row", async () => {
  const connection = await connect(":memory:");
  await connection.exec("CREATE TABLE t (a)");
  const buffer = new RowBuffer(connection, "t");
  for (let i = 1; i < 1000; i++) assertEquals(buffer.add([i]), false);
  assertEquals(buffer.add([1000]), true);
  await buffer.insert();
  await buffer.insert();
  const count = await connection.prepare("SELECT count(*) FROM t");
  assertEquals(count.get(), [1000]);
  connection.close();
});
