import type { Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { type Staging, UnreachableError } from "../store/store.ts";
import { StateCounts } from "./state_counts.ts";

/**
 * Counts the CEPs of each state. A release that cannot be read is not compared with the new one, which replaces
 * it.
 */
export async function countPresentStates(
  { present, rows }: Pick<Staging, "present" | "rows">,
  logger: Logger,
): Promise<StateCounts> {
  const counts = new StateCounts();
  if (!present?.sources.includes("cnefe") || rows === undefined) return counts;
  try {
    for await (const batch of rows.census()) {
      for (const row of batch) counts.add(row);
    }
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    logger.warn("Cannot compare the CNEFE with that of the current release", {
      error: reasonOf(error),
    });
    return new StateCounts();
  }
  return counts;
}
