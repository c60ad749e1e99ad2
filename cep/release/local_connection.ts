import { pathToFileURL } from "node:url";
import { type LocalConnection, one, type TableNames } from "./connection.ts";
import { type DatabaseThread, startDatabaseThread } from "./database_thread.ts";
import {
  loadDrivers,
  type LocalDatabase,
  openDirect,
  openReadable,
  openWritable,
} from "./local_driver.ts";
import { allocatePrivate } from "./row_batch.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "./schema.ts";

/**
 * Settings of a new file. No other process uses it, and a failed import removes
 * it, so it needs no journal, no locks, and no sync before the end.
 */
const SETTINGS = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -8192;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};`;

/**
 * Opens or creates a file, to write to it in a thread of its own.
 *
 * @param onMissingThread Called with the reason if no thread can be started:
 * the file is then written by this one.
 */
export async function connectInThread(
  path: string,
  onMissingThread: (reason: unknown) => void,
): Promise<LocalConnection> {
  let thread: DatabaseThread;
  try {
    thread = await startDatabaseThread();
  } catch (error) {
    onMissingThread(error);
    return await connect(path);
  }
  try {
    await thread.open(path);
    return toConnection(thread);
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/**
 * Opens or creates a database; `:memory:` for one without a file.
 *
 * @param table Names of its tables, those of the schema by default.
 */
export async function connect(
  path: string,
  table: TableNames = (name) => name,
): Promise<LocalConnection> {
  const drivers = await loadDrivers();
  return toConnection(
    path === ":memory:"
      ? openDirect(path, drivers)
      : openWritable(path, drivers),
    table,
  );
}

function toConnection(
  database: LocalDatabase,
  table: TableNames = (name) => name,
): LocalConnection {
  const connection: LocalConnection = {
    table,
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return Promise.resolve({
        get: (values = []) => statement.get(values),
        all: (values = []) => statement.all(values),
      });
    },
    shrink: () => database.shrink(),
    async findDamage() {
      const found = await one<string>(connection, "PRAGMA quick_check(1)");
      return found === "ok" ? undefined : found;
    },
    begin: (tables) =>
      connection.exec(`${SETTINGS}\n${tables.join("\n")}\nBEGIN;`),
    allocate: database.allocate ?? allocatePrivate,
    insert: (into, rows) => database.insert(into, rows),
    async write(sql, values) {
      if (values === undefined) await connection.exec(sql);
      else await (await connection.prepare(sql)).all(values);
    },
    countWritten: () => one<number>(connection, "SELECT total_changes()"),
    // Without the rest, the driver would keep the lock of the file until
    // garbage collection.
    commit: () =>
      connection.exec(
        "COMMIT; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_master",
      ),
    close: () => database.close(),
  };
  return connection;
}

/** Opens a file that never changes, without locks or a journal. */
export async function connectImmutable(path: string): Promise<LocalConnection> {
  const url = `${pathToFileURL(path).href}?mode=ro&immutable=1`;
  return toConnection(openReadable(url, await loadDrivers()));
}
