import { reasonOf } from "../../util/reason_of.ts";
import { CensusError } from "../errors.ts";
import { type FileCounts, summarize } from "./summarize.ts";
import { type CensusFile, openFile } from "./find_files.ts";
import type { CensusFileReport } from "./report.ts";
import { AddressCounter } from "./address_counter.ts";
import {
  type Header,
  readHeader,
  RowScanner,
  type RowVisitor,
  type ScanFault,
} from "./rows.ts";

/** Counts and report of one file. */
export interface FileResult {
  readonly counts: FileCounts;
  readonly report: CensusFileReport;
}

interface ReadFileOptions extends CountOptions {
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

/** Bytes between two calls of `onProgress`. */
const PROGRESS_BYTES = 1 << 22;

/**
 * Maximum share of rejected rows. IBGE's files have next to none, so that more
 * are a sign of damage.
 */
const MAX_REJECTED = 0.5;

export interface FileProgress {
  /** Bytes that were read since the last call. */
  readonly bytes: number;
  /** Rows that were read since the last call. */
  readonly rows: number;
}

interface CountOptions {
  /** Called from time to time, and at the end. */
  readonly onProgress: (progress: FileProgress) => void;
  /** Lets other work proceed. */
  readonly pause: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Counts of one file, and the report except for its names and duration. */
interface CountedFile {
  readonly counts: FileCounts;
  readonly report: Omit<CensusFileReport, "file" | "path" | "milliseconds">;
}

/**
 * Counts the addresses of a file.
 *
 * @throws {Error} If it is not a file of the CNEFE, or if it is damaged.
 */
export async function countFile(
  chunks: AsyncIterable<Uint8Array>,
  { onProgress, pause, signal }: CountOptions,
): Promise<CountedFile> {
  const visitor = new FileVisitor();
  const scanner = new RowScanner(visitor);
  let bytes = 0;
  let rows = 0;
  const reportProgress = () => {
    onProgress({ bytes, rows: visitor.rows - rows });
    bytes = 0;
    rows = visitor.rows;
  };
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    scanner.push(chunk);
    bytes += chunk.length;
    if (bytes >= PROGRESS_BYTES) reportProgress();
  }
  scanner.finish();
  const { header, counter } = visitor.end();
  reportProgress();
  const counts = await summarize(counter, async () => {
    await pause();
    signal?.throwIfAborted();
  });
  const { rows: total, repeated, rejections, warnings } = counter;
  return {
    counts,
    report: {
      rows: total,
      addresses: total - repeated - rejections.total,
      repeated,
      rejected: rejections.total,
      rejections: rejections.toObject(),
      warnings: warnings.toObject(),
      missingColumns: header.missing,
      municipalities: counts.municipalities.codes.length,
    },
  };
}

/** Reads the header, then counts. */
class FileVisitor implements RowVisitor {
  #header: Header | undefined;
  #counter: AddressCounter | undefined;

  /** Rows without the header. */
  get rows(): number {
    return this.#counter?.rows ?? 0;
  }

  row(
    bytes: Uint8Array,
    starts: Int32Array,
    count: number,
    line: number,
    isWhole: boolean,
  ): void {
    if (this.#counter === undefined) {
      const end = starts[Math.min(count, starts.length - 1)]! - 1;
      const text = new TextDecoder().decode(bytes.subarray(starts[0], end));
      this.#header = readHeader(text);
      this.#counter = new AddressCounter(this.#header);
      return;
    }
    const expected = this.#header!.count;
    if (!isWhole && count !== expected) {
      throw new Error(
        `it is truncated: line ${line}, the last one, has ${count} of ` +
          `${expected} columns and no line end`,
      );
    }
    this.#counter.row(bytes, starts, count, line);
  }

  fault(fault: ScanFault, line: number): void {
    if (this.#counter !== undefined) return this.#counter.fault(fault, line);
    throw new Error(
      fault === "NUL byte"
        ? "its first row contains a NUL byte: it is not a text file, or one " +
          "in UTF-16"
        : "its first row is too long: it is not a file of the CNEFE",
    );
  }

  cut(line: number): void {
    throw new Error(
      `it is truncated: line ${line}, the last one, has no line end and ` +
        "cannot be read",
    );
  }

  /**
   * Returns the counts.
   *
   * @throws {Error} If the file has no rows, or if most were rejected.
   */
  end(): { readonly header: Header; readonly counter: AddressCounter } {
    const header = this.#header;
    const counter = this.#counter;
    if (header === undefined || counter === undefined) {
      throw new Error("it is empty");
    }
    if (counter.rows === 0) {
      throw new Error("it contains no row below the header");
    }
    const { total } = counter.rejections;
    if (total > MAX_REJECTED * counter.rows) {
      const reasons = Object.entries(counter.rejections.toObject())
        .map(([reason, { count, lines }]) =>
          `${reason} (${count}, first in line ${lines[0]})`
        );
      throw new Error(
        `${total} of its ${counter.rows} rows cannot be used: ` +
          `${
            reasons.join(", ")
          }; no more than half may be rejected, whatever ` +
          "SEED_MAX_REJECTED_PERCENT allows",
      );
    }
    return { header, counter };
  }
}
