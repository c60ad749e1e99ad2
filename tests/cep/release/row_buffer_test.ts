import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { connect } from "../../../cep/release/local_connection.ts";
import { RowBuffer } from "../../../cep/release/row_batch.ts";

const VALUE = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.constantFrom("'", "''", "');DROP TABLE t;--", "\\'", "x'41'", "\r\n"),
);

Deno.test("RowBuffer.insert stores any value unchanged", async () => {
  const connection = await connect(":memory:");
  await connection.exec("CREATE TABLE t (a, b, c)");
  const select = await connection.prepare("SELECT a, b, c FROM t");
  const rows = fc.array(fc.tuple(VALUE, VALUE, VALUE), { maxLength: 20 });
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
