/**
 * Update of a database by a delta of the DNE.
 *
 * @module
 */
import { DirectoryError, SeedError } from "../errors.ts";
import { defaultLogger, type Logger } from "../../util/logger.ts";
import { DatabaseError } from "../../release/errors.ts";
import type { Release } from "../../store/store.ts";
import {
  danglingLines,
  describeLines,
  findDamage,
  type LineRule,
  refuseDamage,
  type Tolerance,
  toTolerance,
} from "../damage.ts";
import {
  DELTA_FILES,
  type DeltaFile,
  type DeltaFileReport,
  DeltaTally,
  readDeltaFile,
  type ReportLine,
} from "./delta.ts";
import type { ImportOptions } from "../options.ts";
import { isOptional } from "../dne/layout.ts";
import { NextRelease } from "./next_release.ts";
import { type OpenFile, openFiles, openSource } from "../dne/source.ts";
import { damagedRelease, readableRows, rebuild } from "./rebuild.ts";
import { countByFile } from "../dne/report.ts";

export type { DeltaFileReport, DeltaWarning } from "./delta.ts";

/** Progress of an update. */
export interface UpdateProgress {
  /** CEPs written so far. */
  readonly codes: number;
  /** CEPs of the release before the update. */
  readonly totalCodes: number;
}

/** Options of {@linkcode update}. */
export interface UpdateOptions extends ImportOptions {
  /** Folder or zip file of the delta. */
  readonly directory: string;
  /**
   * Applies a delta that is older than the release.
   *
   * @default {false}
   */
  readonly force?: boolean;
  /** Called with the progress while the new release is written. */
  readonly onProgress?: (progress: UpdateProgress) => void;
  /** Called with the report of each file after it is applied. */
  readonly onFile?: (report: DeltaFileReport) => void;
}

/**
 * Applies a delta of the DNE, in a folder or zip file, to the content of a
 * database. If that fails, or if the release contains every change already, the
 * current release stays in use.
 *
 * @returns The counts of every file.
 * @throws {DirectoryError} If there is no delta, or if files are unreadable or
 * not ISO-8859-1.
 * @throws {SeedError} If the release has no DNE, if the delta is older, or if it
 * seems damaged: too many lines are rejected, update rows that the release
 * lacks, or have dangling references, or too many CEPs are deleted.
 * @throws {DatabaseError} If the database is empty or cannot be written, or if
 * another import is running.
 */
export async function update(options: UpdateOptions): Promise<UpdateReport> {
  const {
    store,
    holder = "unnamed",
    logger = defaultLogger(),
    onProgress = () => {},
    onFile = () => {},
    force = false,
    signal,
    now = Date.now,
  } = options;
  const { files, version } = await openDelta(options).catch(rethrow);
  const staging = await store.stage(holder);
  try {
    const { present } = staging;
    const isComplete = staging.presentState === "complete";
    if (!isComplete || present === undefined || staging.rows === undefined) {
      throw new DatabaseError(
        "Cannot update: the database has no release that can be read; " +
          "import the DNE with MODE=seed",
      );
    }
    if (!present.sources.includes("dne")) {
      throw new SeedError(
        "Cannot update: the release was made without a DNE; import one with " +
          "MODE=seed",
      );
    }
    const rows = readableRows(staging.rows);
    const damage = await rows.findDamage();
    if (damage !== undefined) throw damagedRelease(damage);
    const dneVersion = nextVersion(present, version, force, logger);
    const next = await NextRelease.from(rows);
    const reports = await apply(next, files, {
      ...options,
      present,
      logger,
      now,
    });
    await next.finish(dneVersion);
    reports.forEach(onFile);
    const tolerance = toTolerance(options);
    refuseDamage("update", findDeltaDamage(reports, tolerance));
    const changed = next.changes > 0 || next.moves.length > 0 ||
      dneVersion !== present.dneVersion;
    const report: UpdateReport = {
      dneVersion,
      previousVersion: present.dneVersion,
      seededAt: new Date(now()).toISOString(),
      changed,
      ceps: present.totalCeps,
      unplaced: 0,
      files: reports,
    };
    if (!changed) {
      await staging.discard();
      return { ...report, seededAt: present.seededAt };
    }
    const { files: imported, unplaced } = await rebuild({
      staging,
      rows,
      next,
      onCodes(codes) {
        signal?.throwIfAborted();
        onProgress({ codes, totalCodes: present.totalCeps });
      },
    });
    signal?.throwIfAborted();
    refuseDamage(
      "update",
      findDamage({
        files: imported,
        statesCodedByStreet: next.statesCodedByStreet,
        present,
      }, tolerance),
    );
    const totalByFile = countByFile(imported);
    const ceps = Object.values(totalByFile).reduce((sum, n) => sum + n, 0);
    const finished = { ...report, ceps, unplaced };
    await staging.publish({
      ...finished,
      totalByFile,
      optionalFiles: present.optionalFiles,
      sources: present.sources,
    }, finished);
    return finished;
  } catch (error) {
    // If this fails, too, the next import removes the leftovers.
    await staging.discard().catch(() => {});
    rethrow(error);
  }
}

/** Throws an error, that of a file as one of an update. */
function rethrow(error: unknown): never {
  if (!(error instanceof DirectoryError)) throw error;
  const { path, problems, cause } = error;
  throw new DirectoryError(path, problems, { cause, kind: "delta" });
}

type OpenDeltaFile = DeltaFile & OpenFile;

/** Opens the files of a delta. */
async function openDelta(
  { directory, dneVersion }: UpdateOptions,
): Promise<{ files: OpenDeltaFile[]; version: string }> {
  const source = await openSource(directory, "delta");
  const files = await openFiles(source, DELTA_FILES, () => true);
  const repeated = files.find(({ family, name }) =>
    files.some((it) => it.family === family && it.name !== name)
  );
  if (repeated !== undefined) {
    const names = files.filter(({ family }) => family === repeated.family)
      .map(({ name }) => name);
    throw new DirectoryError(source.path, [
      `it contains the same file with two names: ${names.join(", ")}`,
    ]);
  }
  return { files, version: dneVersion || source.version };
}

/**
 * Returns the version of the next release.
 *
 * @throws {SeedError} If the delta is older than the release.
 */
function nextVersion(
  { dneVersion: present }: Release,
  delta: string,
  force: boolean,
  logger: Logger,
): string {
  if (delta === "" || present === "") {
    logger.warn("Cannot compare the versions of the delta and the release", {
      delta: delta || "unknown",
      release: present || "unknown",
    });
    return delta || present;
  }
  if (toNumber(delta) >= toNumber(present)) return delta;
  if (!force) {
    throw new SeedError(
      `Cannot update: the delta is of version ${delta}, the release of ` +
        `${present} (UPDATE_FORCE=true applies it all the same)`,
    );
  }
  return present;
}

/** Returns the version of a month, e.g. `2504`, as the one before `25041`. */
function toNumber(version: string): number {
  return Number(version.length === 4 ? `${version}0` : version);
}

/** Lines per file that are logged one by one. */
const MAX_LOGGED_LINES = 20;

/** Applies the files of a delta to a release, in the order of import. */
async function apply(
  next: NextRelease,
  files: readonly OpenDeltaFile[],
  { present, logger, now, signal }:
    & Required<Pick<UpdateOptions, "logger" | "now">>
    & Pick<UpdateOptions, "signal">
    & { readonly present: Release },
): Promise<DeltaFileReport[]> {
  const applied: (() => DeltaFileReport)[] = [];
  for (const file of files) {
    signal?.throwIfAborted();
    const base = `${file.family}.TXT`;
    if (isOptional(file) && !present.optionalFiles.includes(base)) {
      if (file.size > 0) {
        logger.warn("Ignored file: the release was imported without its base", {
          file: file.name,
          base,
        });
      }
      continue;
    }
    const start = now();
    const tally = new DeltaTally();
    const log = new LineLog(file.name, logger);
    const report: ReportLine = (...args) => log.report(...args);
    const content = await readDeltaFile(
      file,
      file.read(),
      next.places,
      tally,
      report,
    );
    await next.apply(content, report);
    log.finish();
    const milliseconds = now() - start;
    applied.push(() => {
      tally.dangling = content.lines.filter(({ operation, row }) =>
        operation !== "DEL" && next.isDangling(row)
      ).length;
      return { file: file.name, ...tally, milliseconds };
    });
  }
  // A row may refer to a place of a later file.
  return applied.map((finish) => finish());
}

/** Logs lines that are rejected or that do not fit the release. */
class LineLog {
  readonly #file: string;
  readonly #logger: Logger;
  #lines = 0;

  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  /** Logs a line, if it is one of the first. */
  report(line: number, reason: string, detail: string): void {
    if (++this.#lines > MAX_LOGGED_LINES) return;
    const file = this.#file;
    this.#logger.warn("Line does not fit the release", {
      file,
      line,
      reason,
      detail,
    });
  }

  /** Logs the number of the other lines. */
  finish(): void {
    const lines = this.#lines - MAX_LOGGED_LINES;
    if (lines <= 0) return;
    this.#logger.warn("Further lines do not fit the release", {
      file: this.#file,
      lines,
    });
  }
}

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
function findDeltaDamage(
  files: readonly DeltaFileReport[],
  tolerance: Tolerance,
): string[] {
  const unusable: LineRule<DeltaFileReport> = {
    count: ({ rejected, warnings }) =>
      rejected + (warnings["unknown number"] ?? 0),
    text: "were rejected or update a row that the release lacks",
    setting: "SEED_MAX_REJECTED_PERCENT",
    max: tolerance.maxRejectedPercent,
    least: LEAST_LINES,
  };
  const dangling = { ...danglingLines(tolerance), least: LEAST_LINES };
  return files.flatMap((report) => [
    ...describeLines([report], unusable),
    ...describeLines([report], dangling),
  ]);
}

/** Report of an update. */
export interface UpdateReport {
  /** Version of the DNE after the update, `""` if unknown. */
  readonly dneVersion: string;
  /** Version before the update, `""` if unknown. */
  readonly previousVersion: string;
  /** Time of the release, ISO 8601: that of the update if it changed anything. */
  readonly seededAt: string;
  /** False if the release contained every change already. */
  readonly changed: boolean;
  /** CEPs of the release. */
  readonly ceps: number;
  /**
   * CEPs of the CNEFE that are left out, because the delta has deleted their
   * municipality.
   */
  readonly unplaced: number;
  /** One report per file of the delta, in the order of import. */
  readonly files: readonly DeltaFileReport[];
}
