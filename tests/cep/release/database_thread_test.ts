/** Databases that a thread of its own writes. */
import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import {
  DatabaseThread,
  startDatabaseThread,
} from "../../../cep/release/database_thread.ts";
import { connectInThread } from "../../../cep/release/local_connection.ts";
import { RowBuffer } from "../../../cep/release/row_batch.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

/** Opens a new file with a table. */
async function openTable(folder: TemporaryFolder) {
  const path = join(folder.path, "cep.db");
  const connection = await connectInThread(path, (reason) => {
    throw reason;
  });
  await connection.begin(["CREATE TABLE t (a INTEGER PRIMARY KEY, b, c);"]);
  return connection;
}

Deno.test("DatabaseThread writes rows and bytes in order", async () => {
  using folder = new TemporaryFolder();
  const connection = await openTable(folder);
  const buffer = new RowBuffer(connection, "t");
  for (let i = 0; i < 2500; i++) {
    if (buffer.add([i, `Praça ${i}`, null])) await buffer.insert();
  }
  await buffer.insert();
  const bytes = [new Uint8Array([1, 2, 3]), new Uint8Array([4])];
  for (const [i, it] of bytes.entries()) {
    await connection.write("INSERT INTO t VALUES (?, NULL, ?)", [3000 + i, it]);
  }
  assertEquals(await connection.countWritten(), 2502);
  await connection.commit();
  const select = await connection.prepare(
    "SELECT a, b, c FROM t WHERE a IN (0, 2499, 3000, 3001) ORDER BY a",
  );
  const rows = await select.all();
  await connection.close();
  assertEquals(
    rows.map((row) =>
      row.map((it) => typeof it === "object" && it ? [...it] : it)
    ),
    [
      [0, "Praça 0", null],
      [2499, "Praça 2499", null],
      [3000, null, [1, 2, 3]],
      [3001, null, [4]],
    ],
  );
});

Deno.test("DatabaseThread rejects a row that cannot be stored, and goes on", async () => {
  using folder = new TemporaryFolder();
  const connection = await openTable(folder);
  const buffer = new RowBuffer(connection, "t");
  buffer.add([1, "Rua Um", null]);
  buffer.add([1, "Rua Um", null]);
  await assertRejects(() => buffer.insert(), Error, "UNIQUE");
  assertEquals(await connection.countWritten(), 1);
  await connection.close();
});

Deno.test("DatabaseThread.open rejects a path that cannot be opened", async () => {
  using folder = new TemporaryFolder();
  const thread = await startDatabaseThread();
  await assertRejects(() => thread.open(join(folder.path, "no/cep.db")), Error);
  await thread.close();
});

Deno.test("startDatabaseThread gives up a thread that does not answer", async () => {
  const schedule = (callback: () => void) => {
    callback();
    return () => {};
  };
  await assertRejects(
    () => startDatabaseThread(schedule),
    Error,
    "the thread that writes has ended: it does not answer",
  );
});

/** Threads that end, and the reason. */
const ENDS: Readonly<Record<string, string>> = {
  "process.exit(7)": "exit code 7",
  "throw new Error('out of memory')": "out of memory",
};

for (const [program, reason] of Object.entries(ENDS)) {
  Deno.test(`DatabaseThread fails all calls with its reason after ${program}`, async () => {
    const thread = new DatabaseThread(new Worker(program, { eval: true }));
    const message = `the thread that writes has ended: ${reason}`;
    await assertRejects(() => thread.start(), Error, message);
    await assertRejects(() => thread.exec("SELECT 1"), Error, message);
    await thread.close();
  });
}
