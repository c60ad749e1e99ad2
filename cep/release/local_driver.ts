/**
 * Local databases of libSQL, each used by one thread at a time.
 *
 * The driver reads the columns of a row without the lock of its database: if
 * another thread runs a statement on the same database meanwhile, memory is
 * corrupted. So statements in another thread wait for each other, and those that
 * are run synchronously have a database of their own.
 */
import { failure, type Value } from "./connection.ts";
import { type Allocate, type RowBytes, valuesOf } from "./row_batch.ts";

/** A database that is open. */
export interface LocalDatabase {
  /** Runs statements. */
  exec(sql: string): Promise<void>;
  /** Returns a statement whose rows are arrays. It is prepared when it runs. */
  prepare(sql: string): DatabaseStatement;
  /**
   * Allocates memory for {@linkcode insert}.
   *
   * @default that of this thread
   */
  readonly allocate?: Allocate;
  /**
   * Inserts rows.
   *
   * @param into Statement up to the values, e.g. `INSERT INTO cep`.
   */
  insert(into: string, rows: RowBytes): Promise<void>;
  /** Frees memory that earlier queries used. */
  shrink(): Promise<void>;
  close(): void | Promise<void>;
}

export interface DatabaseStatement {
  /** Returns the first row, synchronously. */
  get(values: readonly Value[]): Value[] | undefined;
  /** Returns all rows. */
  all(values: readonly Value[]): Promise<Value[][]>;
}

/** A statement that also writes. */
interface WritingStatement extends DatabaseStatement {
  /** Writes, synchronously if it runs in this thread. */
  run(values: readonly Value[]): void | Promise<void>;
}

/** Subset of the driver's interface whose calls are synchronous. */
export interface DirectDriver {
  exec(sql: string): unknown;
  prepare(sql: string): {
    readonly reader: boolean;
    raw(): unknown;
    get(values: readonly Value[]): Value[] | undefined;
    all(values: readonly Value[]): Value[][];
  };
  close(): void;
}

/** Subset of the driver's interface whose calls run in another thread. */
export interface ThreadedDriver {
  exec(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<{
    readonly reader: boolean;
    raw(): unknown;
    all(values: readonly Value[]): Promise<Value[][]>;
  }>;
  close(): void;
}

/** Functions that open a path. */
export interface Drivers {
  direct(path: string): DirectDriver;
  threaded(path: string): ThreadedDriver;
}

/** Milliseconds to wait for the lock of another process. */
const BUSY_MS = 200;

type Open<T> = new (path: string, options: { timeout: number }) => T;

/** Loads the drivers: importing them loads native code. */
export async function loadDrivers(): Promise<Drivers> {
  try {
    const { default: direct } = await import("libsql");
    const { default: threaded } = await import("libsql/promise");
    const options = { timeout: BUSY_MS };
    return {
      direct: (path) =>
        new (direct as unknown as Open<DirectDriver>)(path, options),
      threaded: (path) =>
        new (threaded as unknown as Open<ThreadedDriver>)(path, options),
    };
  } catch (cause) {
    throw failure(
      "Cannot load libsql (it must be installed on this system, with its " +
        "optional dependencies)",
      cause,
    );
  }
}

const SHRINK = "PRAGMA shrink_memory";

/**
 * Opens a database whose statements run in this thread: one in memory, which
 * cannot be opened twice, or one of a thread of its own.
 */
export function openDirect(
  path: string,
  drivers: Pick<Drivers, "direct">,
): LocalDatabase {
  const database = drivers.direct(path);
  const exec = async (sql: string) => {
    await database.exec(sql);
  };
  const prepare = oncePerText((sql): WritingStatement => {
    const statement = once(() => toRaw(database.prepare(sql)));
    return {
      run: (values) => void statement().all(values),
      get: (values) => statement().get(values),
      // deno-lint-ignore require-await -- turns exceptions into rejections
      all: async (values) => statement().all(values),
    };
  });
  return {
    exec,
    prepare,
    insert: inserter(prepare),
    shrink: () => exec(SHRINK),
    close: () => database.close(),
  };
}

/** Opens or creates a file to write to. Its statements run in another thread. */
export function openWritable(
  path: string,
  drivers: Pick<Drivers, "threaded">,
): LocalDatabase {
  const { exec, all, close } = inThread(drivers.threaded(path));
  const prepare = oncePerText((sql): WritingStatement => {
    const statement = { get: refuseToBlock, all: all(sql) };
    return {
      ...statement,
      run: async (values) => void await statement.all(values),
    };
  });
  return {
    exec,
    prepare,
    insert: inserter(prepare),
    shrink: () => exec(SHRINK),
    close,
  };
}

/** Refuses a synchronous query of a database that another thread writes. */
export function refuseToBlock(): never {
  throw new Error("Cannot query a file that is written synchronously");
}

/**
 * Opens a file that never changes, twice: for statements in this thread and for
 * those in another one. If the path is replaced meanwhile, they may read
 * different files.
 */
export function openReadable(path: string, drivers: Drivers): LocalDatabase {
  const threaded = drivers.threaded(path);
  let direct: DirectDriver;
  try {
    direct = drivers.direct(path);
  } catch (error) {
    threaded.close();
    throw error;
  }
  const { exec, all, close } = inThread(threaded);
  return {
    exec,
    prepare(sql) {
      const statement = once(() => toRaw(direct.prepare(sql)));
      return { get: (values) => statement().get(values), all: all(sql) };
    },
    insert: () => Promise.reject(new Error("Cannot write a file that is read")),
    async shrink() {
      direct.exec(SHRINK);
      await exec(SHRINK);
    },
    close() {
      direct.close();
      close();
    },
  };
}

/** Runs the statements of a database one after another. */
function inThread(database: ThreadedDriver) {
  let turns: Promise<unknown> = Promise.resolve();

  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const turn = turns.then(action);
    turns = turn.catch(() => {});
    return turn;
  }

  return {
    exec: (sql: string) =>
      inTurn(async () => {
        await database.exec(sql);
      }),
    all(sql: string) {
      let statement:
        | Awaited<ReturnType<ThreadedDriver["prepare"]>>
        | undefined;
      return (values: readonly Value[]) =>
        inTurn(async () => {
          statement ??= toRaw(await database.prepare(sql));
          return await statement.all(values);
        });
    },
    close: () => database.close(),
  };
}

/** Makes a statement return rows as arrays. */
function toRaw<T extends { readonly reader: boolean; raw(): unknown }>(
  statement: T,
): T {
  if (statement.reader) statement.raw();
  return statement;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** Rows per statement: more would gain nothing. */
const ROWS = 50;

/** Returns a function that inserts rows, see {@linkcode LocalDatabase.insert}. */
function inserter(
  prepare: (sql: string) => WritingStatement,
): LocalDatabase["insert"] {
  return async (into, rows) => {
    const { columns } = rows;
    const values = valuesOf(rows);
    const row = `(${Array(columns).fill("?").join()})`;
    let start = 0;
    for (const count of [ROWS, 1]) {
      const statement = prepare(
        `${into} VALUES ${Array(count).fill(row).join()}`,
      );
      const size = count * columns;
      for (; start + size <= values.length; start += size) {
        const running = statement.run(values.slice(start, start + size));
        // Every await of a thread in Deno takes as long as the statement.
        if (running !== undefined) await running;
      }
    }
  };
}

/**
 * Makes one statement for each text. A statement keeps the values of its last
 * run until it is collected, and those of a part of a release are a megabyte.
 */
function oncePerText<T>(prepare: (sql: string) => T): (sql: string) => T {
  const statements = new Map<string, T>();
  return (sql) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
}
