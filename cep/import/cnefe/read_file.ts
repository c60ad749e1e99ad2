import { reasonOf } from "../../util/reason_of.ts";
import { CensusError } from "./census_error.ts";
import { countFile, type CountOptions } from "./count_file.ts";
import type { FileCounts } from "./file_counts.ts";
import { type CensusFile, openFile } from "./find_files.ts";
import type { CensusFileReport } from "./report.ts";

/** Counts and report of one file. */
export interface FileResult {
  readonly counts: FileCounts;
  readonly report: CensusFileReport;
}

/** Options of {@linkcode readFile}. */
export interface ReadFileOptions extends CountOptions {
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/**
 * Reads and counts a file.
 *
 * @throws {CensusError} If it cannot be used.
 */
export async function readFile(
  { name, path, place, size }: CensusFile,
  { now, ...options }: ReadFileOptions,
): Promise<FileResult> {
  const start = now();
  try {
    const source = await openFile(place);
    const { counts, report } = await countFile(
      ofSize(source.read(), size),
      options,
    );
    return {
      counts,
      report: {
        file: name,
        path,
        ...report,
        milliseconds: Math.round(now() - start),
      },
    };
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new CensusError(path, [reasonOf(cause)], { cause });
  }
}

/**
 * Passes on chunks, and compares their length with the size that the file had:
 * one that is cut off between two rows looks whole.
 */
async function* ofSize(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    yield chunk;
  }
  if (length === size) return;
  throw new Error(
    `it has changed while it was read: it has ${length} bytes instead of ` +
      `${size}`,
  );
}
