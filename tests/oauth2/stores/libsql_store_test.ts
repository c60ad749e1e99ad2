/** Store in databases of libSQL. */
import { assertEquals } from "@std/assert";
import Database from "libsql";
import ThreadedDatabase from "libsql/promise";
import {
  LibsqlStore,
  type SqliteDatabase,
} from "../../../oauth2/stores/mod.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { testExpiry, testStore } from "./_contract.ts";

/** Database whose types the package lacks. */
type Opened = SqliteDatabase & { close(): void };
type Open = new (path: string) => Opened;

testStore("LibsqlStore with libsql", () => {
  const database = new (Database as unknown as Open)(":memory:");
  return { store: new LibsqlStore(database), close: () => database.close() };
});

testStore("LibsqlStore with libsql/promise", () => {
  const folder = new TemporaryFolder("libsql-store");
  const database = new (ThreadedDatabase as unknown as Open)(
    `${folder.path}/tokens.db`,
  );
  return {
    store: new LibsqlStore(database),
    close() {
      database.close();
      folder[Symbol.dispose]();
    },
  };
});

Deno.test("LibsqlStore uses its table only", async () => {
  const database = new (Database as unknown as Open)(":memory:");
  const one = new LibsqlStore(database);
  const other = new LibsqlStore(database, { table: "others" });
  await one.set("ana", "1");
  assertEquals(await other.get("ana"), undefined);
  database.close();
});

testExpiry("LibsqlStore", () => {
  const database = new (Database as unknown as Open)(":memory:");
  const run = async (sql: string) =>
    await (await database.prepare(sql)).get() as Record<string, number>;
  const reopen = () => new LibsqlStore(database, { ttl: 60 });
  return {
    store: reopen(),
    reopen,
    pass: (seconds) =>
      run(
        `UPDATE oauth2_tokens SET expires_at = expires_at - ${seconds} RETURNING 1`,
      ),
    count: async () => {
      const { n } = await run("SELECT COUNT(*) AS n FROM oauth2_tokens");
      return n!;
    },
    close: () => database.close(),
  };
});

Deno.test("LibsqlStore with a ttl uses a table without one, and the reverse", async () => {
  const database = new (Database as unknown as Open)(":memory:");
  const plain = new LibsqlStore(database);
  await plain.set("ana", "1");
  for (let i = 0; i < 2; i++) {
    const expiring = new LibsqlStore(database, { ttl: 60 });
    assertEquals(await expiring.get("ana"), `${i + 1}`);
    assertEquals(
      await expiring.compareAndSwap("ana", `${i + 1}`, `${i + 2}`),
      true,
    );
  }
  assertEquals(await plain.get("ana"), "3");
  database.close();
});
