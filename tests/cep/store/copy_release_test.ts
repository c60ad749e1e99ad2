/** Copies of a release from a server that lies. */
import { assert, assertRejects } from "@std/assert";
import type { Connection } from "../../../cep/release/connection.ts";
import { copyRelease } from "../../../cep/store/follow/copy_release.ts";
import { connect } from "../../../cep/release/local_connection.ts";
import { DatabaseError } from "../../../cep/store/store.ts";

/** Rows of a page, whose number a server may repeat for ever. */
const ROWS = 2000;

Deno.test("copyRelease ends a copy whose pages do not end", async () => {
  let row = 0;
  const source: Connection = {
    table: (name) => name,
    prepare: (sql) =>
      Promise.resolve({
        get: () => undefined,
        all: () => {
          if (!sql.includes("FROM faixa_uf ")) {
            return Promise.resolve([["[]", 0]]);
          }
          if (row > 100 * ROWS) throw new Error("too many pages");
          const rows = Array.from(
            { length: ROWS },
            () => [`${row}`, ++row, row],
          );
          return Promise.resolve([[JSON.stringify(rows), ROWS, "SP", row]]);
        },
      }),
    close() {},
  };
  const target = await connect(":memory:");
  await assertRejects(
    () => copyRelease(source, target, new AbortController().signal, 1_000_000),
    DatabaseError,
    "Cannot copy the release: it has more than 1000000 bytes",
  );
  assert(row <= 30 * ROWS, `${row}`);
  target.close();
});
