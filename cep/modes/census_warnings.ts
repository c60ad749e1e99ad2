import type { CensusFileReport } from "../import/cnefe/report.ts";
import type { Logger } from "../util/logger.ts";

/** Percentage of rows from which unusable coordinates are not an exception. */
const MANY_PERCENT = 10;

/** Logs which facts a file lacks although every row is counted. */
export function warnOfMissing(
  { file, rows, missingColumns, warnings: { coordinates } }: Pick<
    CensusFileReport,
    "file" | "rows" | "missingColumns" | "warnings"
  >,
  logger: Pick<Logger, "warn">,
): void {
  if (missingColumns.length > 0) {
    logger.warn("File of CNEFE lacks columns", { file, missingColumns });
  }
  if (coordinates && coordinates.count * 100 >= rows * MANY_PERCENT) {
    const { count, lines } = coordinates;
    logger.warn("File of CNEFE has rows with unusable coordinates", {
      file,
      rows,
      count,
      lines,
    });
  }
}
