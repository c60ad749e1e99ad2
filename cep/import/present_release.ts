import type { Logger } from "../util/logger.ts";
import { NumberSet } from "../util/number_set.ts";
import { reasonOf } from "../util/reason_of.ts";
import { type Staging, UnreachableError } from "../store/store.ts";
import { StateCounts } from "./state_counts.ts";

/**
 * Counts the CEPs of each state in the current release. A release that cannot
 * be read is not compared with the new one, which replaces it.
 */
export async function countPresentStates(
  { present, rows }: Pick<Staging, "present" | "rows">,
  logger: Logger,
): Promise<StateCounts> {
  const counts = new StateCounts();
  if (!present?.sources.includes("cnefe") || rows === undefined) return counts;
  const isRead = await readAll(
    rows.census(),
    (row) => counts.add(row),
    "Cannot compare the CNEFE with that of the current release",
    logger,
  );
  return isRead ? counts : new StateCounts();
}

/**
 * Returns a function that is true for a CEP that the DNE of the current or of an
 * earlier release had. Correios has replaced or removed it if the new DNE lacks
 * it: it is not answered from the CNEFE, whose addresses are those of 2022, but
 * its history tells what became of it.
 */
export async function readDneCodes(
  { rows }: Pick<Staging, "rows">,
  logger: Logger,
): Promise<(cep: number) => boolean> {
  if (rows === undefined) return () => false;
  const codes = new NumberSet();
  await readAll(
    rows.dneCodes(),
    (cep) => codes.add(cep),
    "Cannot read which CEPs the DNE had in the current release",
    logger,
  );
  return (cep) => codes.has(cep);
}

/** Reads all rows, and returns false with a warning if they cannot be read. */
async function readAll<T>(
  batches: AsyncIterable<Iterable<T>>,
  add: (row: T) => void,
  warning: string,
  logger: Logger,
): Promise<boolean> {
  try {
    for await (const batch of batches) {
      for (const row of batch) add(row);
    }
    return true;
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    logger.warn(warning, { error: reasonOf(error) });
    return false;
  }
}
