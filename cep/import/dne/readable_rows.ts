import { reasonOf } from "../../util/reason_of.ts";
import { type PresentRows, UnreachableError } from "../../store/store.ts";
import { SeedError } from "./seed_error.ts";

/**
 * Wraps the failures of all calls in a {@linkcode SeedError}, except those to
 * reach the database.
 */
export function readableRows(rows: PresentRows): PresentRows {
  return {
    findDamage: () => attempt(() => rows.findDamage()),
    localities: () => attempt(() => rows.localities()),
    neighbourhoods: () => attempt(() => rows.neighbourhoods()),
    details: (table) => attemptAll(() => rows.details(table)),
    census: () => attemptAll(() => rows.census()),
    entries: () => attemptAll(() => rows.entries()),
    dneCodes: () => attemptAll(() => rows.dneCodes()),
    duplicates: () => attempt(() => rows.duplicates()),
    findEntries: (numbers) => attempt(() => rows.findEntries(numbers)),
    lastOrder: () => attempt(() => rows.lastOrder()),
    unknownMoves: (...args) => attempt(() => rows.unknownMoves(...args)),
  };
}

/** Creates the error of an update of a release that cannot be read. */
export function damagedRelease(reason: string, cause?: unknown): SeedError {
  return new SeedError(
    `Cannot update: the current release is damaged (${reason}); import the ` +
      "DNE with MODE=seed",
    { cause },
  );
}

async function attempt<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof UnreachableError) throw cause; // It is not damaged.
    throw damagedRelease(reasonOf(cause), cause);
  }
}

async function* attemptAll<T>(
  read: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const iterator = read()[Symbol.asyncIterator]();
  while (true) {
    const { done, value } = await attempt(() => iterator.next());
    if (done) return;
    yield value;
  }
}
