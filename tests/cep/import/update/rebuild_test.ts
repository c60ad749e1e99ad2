import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { readableRows } from "../../../../cep/import/update/rebuild.ts";
import { SeedError } from "../../../../cep/import/errors.ts";
import {
  DatabaseError,
  type PresentRows,
  UnreachableError,
} from "../../../../cep/store/store.ts";

/** Returns rows whose calls all reject, and whose iterations throw. */
function failingRows(error: Error): PresentRows {
  // deno-lint-ignore require-yield
  async function* fail(): AsyncGenerator<never> {
    await Promise.resolve();
    throw error;
  }
  const iterations = ["details", "entries"];
  return new Proxy({}, {
    get: (_target, name) =>
      iterations.includes(String(name)) ? fail : () => Promise.reject(error),
  }) as PresentRows;
}

const CALLS: Readonly<
  Record<string, (rows: PresentRows) => Promise<unknown>>
> = {
  localities: (rows) => rows.localities(),
  duplicates: (rows) => rows.duplicates(),
  findEntries: (rows) => rows.findEntries([1]),
  details: (rows) => Array.fromAsync(rows.details("faixa_uf")),
  entries: (rows) => Array.fromAsync(rows.entries()),
};

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`readableRows.${name} reports damage`, async () => {
    const cause = new DatabaseError("some damage");
    const error = await assertRejects(
      () => call(readableRows(failingRows(cause))),
      SeedError,
      "the current release is damaged (some damage)",
    );
    assertStrictEquals(error.cause, cause);
  });

  Deno.test(`readableRows.${name} does not take a database that is away for damaged`, async () => {
    const cause = new UnreachableError("it is away");
    const error = await call(readableRows(failingRows(cause)))
      .catch((error) => error);
    assertEquals(error, cause);
  });
}
