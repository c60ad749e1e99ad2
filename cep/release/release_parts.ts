/**
 * Parts of a release that are loaded into memory: the snapshot, the search
 * index and the points.
 */
import { setImmediate } from "node:timers/promises";
import { readPoints } from "./points/read_points.ts";
import { type Allocate, plainMemory } from "../util/memory.ts";
import { readSearchIndex } from "../search/index_layout.ts";
import type { Connection, Row, Statement } from "./connection.ts";
import { readSnapshot } from "./snapshot.ts";

/** Readers by the name of a table of parts, which is that of their header. */
const READERS = {
  snapshot: readSnapshot,
  busca: readSearchIndex,
  pontos: readPoints,
};

/** Name of a table of parts. */
export type PartsTable = keyof typeof READERS;

/**
 * Data of each table of parts: arrays and numbers, which can be sent to another
 * thread. It reads the same memory if that is shared.
 */
export type PartData = {
  readonly [T in PartsTable]: Awaited<ReturnType<(typeof READERS)[T]>>;
};

/** Every table of parts. */
export const PARTS_TABLES = Object.keys(READERS) as readonly PartsTable[];

/** Part of an `AbortSignal` that ends the loading of a release. */
export type EndSignal = Pick<AbortSignal, "throwIfAborted">;

/** Options of {@linkcode loadParts}. */
export interface LoadOptions {
  /**
   * Allocates the memory of the data.
   *
   * @default {plainMemory}
   */
  readonly allocate?: Allocate;
  /** Ends the loading between two parts. */
  readonly signal?: EndSignal | undefined;
}

/**
 * Loads a table of parts.
 *
 * @throws {Error} If it is damaged or of another version.
 */
export async function loadParts<T extends PartsTable>(
  connection: Connection,
  name: T,
  { allocate = plainMemory, signal }: LoadOptions = {},
): Promise<PartData[T]> {
  const source = connection.bulk ?? connection;
  const { table } = source;
  const select = await source.prepare(
    `SELECT ${name}, (SELECT count(*) FROM ${table(name)})
     FROM ${table("release")}`,
  );
  const [header, count] = await select.get() as [string, number];
  const selectPart = await source.prepare(
    `SELECT bytes FROM ${table(name)} WHERE part = ?`,
  );
  const read = READERS[name] as (
    header: unknown,
    parts: AsyncIterable<Uint8Array>,
    allocate: Allocate,
  ) => Promise<PartData[T]>;
  const loaded = await read(
    JSON.parse(header),
    readParts(selectPart, count, signal),
    allocate,
  );
  // Free the pages of the parts, which are not needed again.
  await connection.shrink?.();
  return loaded;
}

/** Parts that are requested before they are needed, from a server. */
const PARTS_AHEAD = 3;

async function* readParts(
  select: Statement,
  count: number,
  signal?: EndSignal,
): AsyncGenerator<Uint8Array> {
  const requested: (Row | Promise<Row>)[] = [];
  let isRemote = false;
  for (let part = 1; part <= count; part++) {
    const last = isRemote ? Math.min(part + PARTS_AHEAD, count) : part;
    for (let i = part + requested.length; i <= last; i++) {
      requested.push(request(select, i));
    }
    const row = requested.shift();
    isRemote = row instanceof Promise;
    const [bytes] = await row ?? [];
    signal?.throwIfAborted();
    if (!(bytes instanceof Uint8Array)) {
      throw new Error(`part ${part} is missing`);
    }
    yield bytes;
    await setImmediate(); // Requests are answered in between.
  }
}

function request(select: Statement, part: number): Row | Promise<Row> {
  const row = select.get([part]);
  // A failure of an earlier part leaves it behind.
  if (row instanceof Promise) row.catch(() => {});
  return row;
}

/**
 * Parts of releases that several threads read. Each thread has its own stores,
 * which ask for the parts of the releases that they open.
 */
export interface SharedParts {
  /**
   * Returns a part of a release: as another thread has read it, or from `read`.
   *
   * @param release Id of the release.
   * @param name Name of the part.
   * @param read Reads the part. The result can be sent to other threads, which
   * read the same memory.
   */
  take<T>(release: number, name: string, read: () => Promise<T>): Promise<T>;
  /** Gives back the parts of a release that this thread reads no more. */
  drop(release: number): void;
}
