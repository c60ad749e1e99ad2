/** Store in databases of libSQL. */
import { assertEquals } from "@std/assert";
import Database from "libsql";
import ThreadedDatabase from "libsql/promise";
import {
  LibsqlStore,
  type SqliteDatabase,
} from "../../../oauth2/stores/mod.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { testStore } from "./_contract.ts";

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
