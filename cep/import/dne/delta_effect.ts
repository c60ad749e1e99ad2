import { isDeepStrictEqual } from "node:util";
import type { AnyRow, DeltaLine, ReportLine } from "./delta_reader.ts";
import type { DeltaTally } from "./delta_report.ts";

/** Row that a delta changes. */
export interface RowChange<T extends AnyRow> {
  /** Rows of the release with its key: one, none, or repeated ones. */
  readonly before: readonly T[];
  /** Row after the delta, `undefined` if it is deleted. */
  readonly after: T | undefined;
}

/** Line that decides about a key. */
interface Decision<T extends AnyRow> {
  readonly line: DeltaLine<T>;
  /** True if there are further lines of the key. */
  readonly hasOthers: boolean;
}

/**
 * Applies the lines of a file in order, and counts their effects. The last line
 * of a key decides: deltas accumulate, so that one may insert a row that an
 * earlier one has inserted, or insert and update it.
 *
 * - An updated row that the release lacks is inserted, with a warning.
 * - An inserted row that the release has with another content replaces it, with
 *   a warning.
 * - A deleted row that the release lacks is not an error.
 *
 * @param find Returns the rows of the release with a key.
 * @returns The rows that change, by key.
 */
export function applyLines<T extends AnyRow>(
  lines: readonly DeltaLine<T>[],
  find: (key: string) => readonly T[],
  tally: DeltaTally,
  report: ReportLine,
): Map<string, RowChange<T>> {
  const changes = new Map<string, RowChange<T>>();
  for (const [key, { line, hasOthers }] of decide(lines, tally)) {
    const before = find(key);
    const after = line.operation === "DEL" ? undefined : line.row;
    if (isSame(before, after)) {
      tally.unchanged++;
      continue;
    }
    changes.set(key, { before, after });
    if (after === undefined) {
      tally.deleted++;
    } else if (before.length === 0) {
      tally.inserted++;
      if (line.operation === "UPD" && !hasOthers) misfit(line, "unknown");
    } else {
      tally.updated++;
      if (line.operation === "INS" && !hasOthers) misfit(line, "known");
    }
  }
  return changes;

  function misfit(
    { line, key }: DeltaLine,
    kind: "known" | "unknown",
  ): void {
    tally.warn(`${kind} number`);
    report(line, `${kind} number`, key);
  }
}

/** Returns the line that decides about each key. */
function decide<T extends AnyRow>(
  lines: readonly DeltaLine<T>[],
  tally: DeltaTally,
): Map<string, Decision<T>> {
  const decisions = new Map<string, Decision<T>>();
  for (const line of lines) {
    const earlier = decisions.get(line.key)?.line;
    if (earlier !== undefined) tally.unchanged++;
    const isOlder = earlier !== undefined && deletesOlder(line, earlier);
    decisions.set(line.key, {
      line: isOlder ? earlier : line,
      hasOthers: earlier !== undefined,
    });
  }
  return decisions;
}

/**
 * True if a line deletes the row of an optional file that an earlier line has
 * replaced: the new row comes first.
 */
function deletesOlder(line: DeltaLine, earlier: DeltaLine): boolean {
  return line.operation === "DEL" && earlier.operation !== "DEL" &&
    Array.isArray(line.row) && !isDeepStrictEqual(line.row, earlier.row);
}

function isSame<T extends AnyRow>(
  before: readonly T[],
  after: T | undefined,
): boolean {
  if (after === undefined) return before.length === 0;
  return before.length === 1 && isEqual(before[0]!, after);
}

/** True if two rows are equal but for their position in the file. */
function isEqual(a: AnyRow, b: AnyRow): boolean {
  return Array.isArray(a)
    ? isDeepStrictEqual(a, b)
    : isDeepStrictEqual({ ...a, order: 0 }, { ...b, order: 0 });
}
