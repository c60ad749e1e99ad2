import { createReadStream, fstatSync, statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import type { Config } from "../settings/config.ts";
import { defaultLogger } from "../util/logger.ts";
import { Matcher } from "../search/matcher.ts";
import { drawProgress, megabytes } from "../util/progress_bar.ts";
import { reasonOf } from "../util/reason_of.ts";
import { DatabaseError } from "../store/mod.ts";
import { TableError } from "../tables/columns.ts";
import { type MatchProgress, matchTable } from "../tables/match_table.ts";
import { OutputClosed, streamWriter } from "../util/stream_writer.ts";
import { FileOutput } from "../tables/file_output.ts";
import { databaseName, openDatabase } from "./open_database.ts";

/** Value of a setting for the standard input or output. */
const STANDARD = "-";

/** Delimiters by the value of `MATCH_DELIMITER`. */
const DELIMITERS: Readonly<Record<Config["matchDelimiter"], string>> = {
  auto: "auto",
  ",": ",",
  ";": ";",
  tab: "\t",
  pipe: "|",
};

/** Answers the table at `MATCH_INPUT`. */
export async function runMatch(config: Config): Promise<void> {
  const logger = defaultLogger();
  const input = toPath(config.matchInput);
  const output = toPath(config.matchOutput);
  if (config.matchResume && output === undefined) {
    throw new TableError("Cannot continue: MATCH_RESUME needs MATCH_OUTPUT");
  }
  const size = sizeOf(input);
  const store = await openDatabase({ ...config, search: true }, logger);
  try {
    if (await store.release() === undefined) {
      throw new DatabaseError(
        `Cannot match addresses with database "${databaseName(config)}": it ` +
          "is empty; import the DNE or the CNEFE with MODE=seed",
      );
    }
    const file = output === undefined
      ? undefined
      : await FileOutput.open(output, { input, resume: config.matchResume });
    try {
      const report = await matchTable({
        input: input === undefined ? process.stdin : createReadStream(input),
        encoding: config.matchEncoding,
        format: config.matchFormat,
        delimiter: DELIMITERS[config.matchDelimiter],
        columns: config.matchColumns,
        matcher: new Matcher(store),
        write: file?.write ?? streamWriter(process.stdout),
        ...(config.matchResume && file ? { earlier: file } : {}),
        ...(process.stderr.isTTY ? { onProgress: drawBar(size) } : {}),
      });
      await file?.close();
      logger.info("Matched addresses", { ...report });
    } catch (error) {
      await file?.abandon();
      throw error;
    }
  } catch (error) {
    // The reader of a pipe may need only the first answers: `| head`.
    if (!(error instanceof OutputClosed)) throw error;
  } finally {
    await store.close();
  }
}

function toPath(setting: string): string | undefined {
  return setting === STANDARD ? undefined : resolve(setting);
}

/**
 * Returns the size of a file, or of the one that the standard input reads.
 *
 * @throws {TableError} If the file cannot be read.
 */
function sizeOf(path: string | undefined): number | undefined {
  try {
    const stats = path === undefined ? fstatSync(0) : statSync(path);
    return stats.isFile() ? stats.size : undefined;
  } catch (cause) {
    if (path === undefined) return undefined;
    throw new TableError(`Cannot read "${path}": ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function drawBar(
  size: number | undefined,
): (progress: MatchProgress) => void {
  const draw = drawProgress({
    unit: "addresses",
    write: (text) => process.stderr.write(text),
    now: Date.now,
  });
  const ofSize = size === undefined ? "" : ` of ${megabytes(size)}`;
  return ({ bytes, rows, done }) =>
    draw({
      done: bytes,
      total: size,
      count: rows,
      isLast: done,
      before: [`${megabytes(bytes)}${ofSize} MB`],
    });
}
