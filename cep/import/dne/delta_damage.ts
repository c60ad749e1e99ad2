import type { Tolerance } from "./damage.ts";
import type { DeltaFileReport } from "./delta_report.ts";

/**
 * Lines for which a smaller file counts: with a limit of 1 %, one wrong line is
 * accepted in any file.
 */
const LEAST_LINES = 100;

/**
 * Finds the files of a delta that exceed the tolerance.
 *
 * @returns One message per file and rule.
 */
export function findDeltaDamage(
  files: readonly DeltaFileReport[],
  { maxRejectedPercent, maxDanglingPercent }: Tolerance,
): string[] {
  const rules: readonly [
    count: (report: DeltaFileReport) => number,
    text: string,
    limit: string,
    max: number,
  ][] = [
    [
      ({ rejected, warnings }) => rejected + (warnings["unknown number"] ?? 0),
      "were rejected or update a row that the release lacks",
      "SEED_MAX_REJECTED_PERCENT",
      maxRejectedPercent,
    ],
    [
      ({ dangling }) => dangling,
      "refer to an unknown locality, neighbourhood or municipality",
      "SEED_MAX_DANGLING_PERCENT",
      maxDanglingPercent,
    ],
  ];
  return files.flatMap((report) =>
    rules.filter(([count, , , max]) =>
      count(report) * 100 > Math.max(report.lines, LEAST_LINES) * max
    ).map(([count, text, limit, max]) =>
      `${report.file}: ${count(report)} of ${report.lines} lines ${text} ` +
      `(${limit} allows ${max}%)`
    )
  );
}
