import type { DataSource, PresentState, Release } from "../store/store.ts";
import { FILES, REQUIRED_FILES } from "./dne/layout.ts";
import type { FileReport } from "./dne/report.ts";
import { SeedError } from "./errors.ts";
import type { CensusFileReport } from "./cnefe/report.ts";
import { stateOfIbge } from "../record/states.ts";
import type { CensusCounts, ImportOptions } from "./options.ts";
import type { ByState, StateCounts } from "./census_import.ts";

/** Damage that an import accepts, in percent. */
export type Tolerance = Required<
  Pick<
    ImportOptions,
    "maxRejectedPercent" | "maxDanglingPercent" | "maxShrinkPercent"
  >
>;

/** Completes the damage that an import accepts with the defaults. */
export function toTolerance({
  maxRejectedPercent = 1,
  maxDanglingPercent = 1,
  maxShrinkPercent = 5,
}: Partial<Tolerance>): Tolerance {
  return { maxRejectedPercent, maxDanglingPercent, maxShrinkPercent };
}

/** Rule about the lines of a file. */
export interface LineRule<T> {
  /** Returns the number of lines that break it. */
  readonly count: (report: T) => number;
  /** What these lines did, for messages. */
  readonly text: string;
  /** Setting of {@linkcode max}. */
  readonly setting: string;
  readonly max: number;
  /** Lines for which a smaller file counts, 0 by default. */
  readonly least?: number;
}

/** Describes the files of which more lines break a rule than its percentage. */
export function describeLines<
  T extends { readonly file: string; readonly lines: number },
>(
  reports: readonly T[],
  { count, text, setting, max, least = 0 }: LineRule<T>,
): string[] {
  return reports
    .filter((it) => count(it) * 100 > Math.max(it.lines, least) * max)
    .map((it) =>
      `${it.file}: ${count(it)} of ${it.lines} lines ${text} ` +
      `(${setting} allows ${max}%)`
    );
}

/** Returns the rule about rejected lines. */
function rejectedLines(
  { maxRejectedPercent: max }: Tolerance,
): LineRule<{ readonly rejected: number }> {
  return {
    count: ({ rejected }) => rejected,
    text: "were rejected",
    setting: "SEED_MAX_REJECTED_PERCENT",
    max,
  };
}

/** Returns the rule about lines with a dangling reference. */
export function danglingLines(
  { maxDanglingPercent: max }: Tolerance,
): LineRule<{ readonly dangling: number }> {
  return {
    count: ({ dangling }) => dangling,
    text: "refer to an unknown locality, neighbourhood or municipality",
    setting: "SEED_MAX_DANGLING_PERCENT",
    max,
  };
}

/**
 * Refuses an import or an update with findings.
 *
 * @throws {SeedError} If there are any.
 */
export function refuseDamage(
  action: "import" | "update",
  findings: readonly string[],
): void {
  if (findings.length > 0) {
    throw new SeedError(`Cannot ${action}: ${findings.join("; ")}`);
  }
}

/** Import that has not been published yet. */
export interface Imported {
  /** One report per file. */
  readonly files: readonly FileReport[];
  /** States that have localities coded by street. */
  readonly statesCodedByStreet: ReadonlySet<string>;
  /** Current release, `undefined` without one. */
  readonly present: Release | undefined;
  /**
   * CEPs of other sources than these files.
   *
   * @default {0}
   */
  readonly otherCeps?: number;
}

/**
 * Finds the damage that exceeds the tolerance.
 *
 * @returns One message per file or rule that exceeds it.
 */
export function findDamage(imported: Imported, tolerance: Tolerance): string[] {
  return [
    ...describeLines(imported.files, rejectedLines(tolerance)),
    ...findEmptyStates(imported, tolerance),
    ...describeLines(imported.files, danglingLines(tolerance)),
    ...findShrunk(imported, tolerance),
    ...findEmpty(imported),
  ];
}

function findEmpty(imported: Imported): string[] {
  const { files } = imported;
  const isEmpty = files.every(({ codes }) => codes === 0) &&
    (files.length > 0 || sumCeps(imported) === 0);
  return isEmpty ? ["the files contain no CEP"] : [];
}

function findEmptyStates(
  { files, statesCodedByStreet }: Imported,
  { maxDanglingPercent: max }: Tolerance,
): string[] {
  if (max === 100) return [];
  const empty = new Set(
    files.filter(({ lines }) => lines === 0).map(({ file }) => file),
  );
  return REQUIRED_FILES
    .filter(({ name, uf }) =>
      uf !== undefined && statesCodedByStreet.has(uf) && empty.has(name)
    )
    .map(({ name, uf }) =>
      `${name} is empty although ${uf} has localities coded by street ` +
      `(SEED_MAX_DANGLING_PERCENT=100 allows it)`
    );
}

function findShrunk(
  imported: Imported,
  { maxShrinkPercent: max }: Tolerance,
): string[] {
  const { files, present } = imported;
  if (present === undefined) return [];
  const cepsOf = new Map(files.map(({ file, codes }) => [file, codes]));
  const ofFiles = Object.entries(present.totalByFile)
    // CEPs move from another source to the DNE.
    .filter(([file]) => NAMES.has(file))
    .map(([file, before]): Shrinkable => [file, before, cepsOf.get(file) ?? 0]);
  return describeShrunk([
    ["the new release", present.totalCeps, sumCeps(imported)],
    ...ofFiles,
  ], max);
}

const NAMES: ReadonlySet<string> = new Set(FILES.map(({ name }) => name));

/** Numbers of CEPs in a file or another part of two releases. */
type Shrinkable = readonly [part: string, before: number, after: number];

/** True for a part that has fewer CEPs than the percentage allows. */
function isShrunk(
  [, before, after]: Shrinkable,
  maxShrinkPercent: number,
): boolean {
  return (before - after) * 100 > before * maxShrinkPercent;
}

/**
 * Describes the parts that have fewer CEPs than the percentage allows.
 *
 * @param counted Noun of what is counted.
 */
function describeShrunk(
  parts: readonly Shrinkable[],
  maxShrinkPercent: number,
  counted: string = "CEPs",
): string[] {
  return parts
    .filter((it) => isShrunk(it, maxShrinkPercent))
    .map(([part, before, after]) =>
      `${part} has ${after} ${counted}, the current release ${before} ` +
      `(SEED_MAX_SHRINK_PERCENT allows ${maxShrinkPercent}% fewer)`
    );
}

function sumCeps({ files, otherCeps = 0 }: Imported): number {
  return files.reduce((sum, { codes }) => sum + codes, otherCeps);
}

/** Names of the sources, what their loss means, and the setting of each. */
const SOURCES: Readonly<
  Record<DataSource, readonly [name: string, loss: string, setting: string]>
> = {
  dne: ["the DNE", "its CEPs would be lost", "DB_RAW_PATH"],
  cnefe: ["the CNEFE", "CEPs would lose their coordinates", "CNEFE_PATH"],
};

/** Percentage at which nothing of the current release has to be kept. */
const ANYTHING = 100;

/** Current release. */
interface Replaced {
  /** Its facts, `undefined` if it is unreadable or missing. */
  readonly present: Pick<Release, "sources"> | undefined;
  readonly presentState: PresentState;
}

/**
 * Finds the sources of the current release that an import lacks, before it
 * reads anything.
 *
 * @returns One message per source.
 */
export function findLostSources(
  { present, presentState }: Replaced,
  sources: readonly DataSource[],
  { maxShrinkPercent }: Pick<Tolerance, "maxShrinkPercent">,
): string[] {
  if (maxShrinkPercent === ANYTHING) return [];
  if (presentState === "unreadable" && !sources.includes("dne")) {
    return [
      "the current release cannot be read and may have the DNE, and this " +
      "import lacks it: its CEPs would be lost; set DB_RAW_PATH " +
      `(SEED_MAX_SHRINK_PERCENT=${ANYTHING} imports without it)`,
    ];
  }
  return (present?.sources ?? [])
    .filter((source) => !sources.includes(source))
    .map((source) => {
      const [name, loss, setting] = SOURCES[source];
      return `the current release has ${name}, and this import lacks it: ` +
        `${loss}; set ${setting} (SEED_MAX_SHRINK_PERCENT=${ANYTHING} ` +
        `imports without it)`;
    });
}

/** Census that has been read. */
interface ReadCensus {
  /** One report per file. */
  readonly files: readonly Pick<
    CensusFileReport,
    "file" | "rows" | "rejected"
  >[];
  readonly byState: Pick<StateCounts, "codes" | "places">;
  /** CEPs by state of the current release. */
  readonly presentByState: Pick<StateCounts, "codes" | "places">;
}

/**
 * Finds the damage of a CNEFE that exceeds the tolerance.
 *
 * @returns One message per file or rule that exceeds it.
 */
export function findCensusDamage(
  { files, byState, presentByState }: ReadCensus,
  tolerance: Tolerance,
): string[] {
  const { maxShrinkPercent } = tolerance;
  const codes = compareStates(presentByState.codes, byState.codes);
  const places = compareStates(presentByState.places, byState.places);
  const fewer = new Set(
    codes.filter((it) => isShrunk(it, maxShrinkPercent)).map(([part]) => part),
  );
  return [
    ...describeLines(
      files.map(({ rows, ...report }) => ({ ...report, lines: rows })),
      rejectedLines(tolerance),
    ),
    ...codes.flatMap((it) =>
      describeShrunk([it], maxShrinkPercent)
        .map((message) => message + (it[2] > 0 ? "" : MISSING_STATE))
    ),
    // Those of the CEPs that are missing are not named again.
    ...describeShrunk(
      places.filter(([part]) => !fewer.has(part)),
      maxShrinkPercent,
      "CEPs with coordinates",
    ),
  ];
}

const MISSING_STATE =
  "; to keep the state, list its file in CNEFE_PATH, too, after a comma";

function compareStates(present: ByState, counts: ByState): Shrinkable[] {
  return [...present].map(([state, before]) => [
    `the CNEFE of ${stateOfIbge(state) ?? state}`,
    before,
    counts.get(state) ?? 0,
  ]);
}

/** Number of unknown municipalities that a message names. */
const NAMED = 3;

/**
 * Finds the files of a CNEFE with too many CEPs in municipalities that the DNE
 * lacks or, without a DNE, that do not exist.
 *
 * @param unknown IBGE codes of such municipalities by file.
 * @returns One message per file.
 */
export function findUnknownMunicipalities(
  files: readonly (
    & Pick<CensusFileReport, "file">
    & Pick<CensusCounts, "codes" | "dangling">
  )[],
  unknown: ReadonlyMap<string, ReadonlySet<string>>,
  { maxDanglingPercent: max }: Pick<Tolerance, "maxDanglingPercent">,
): string[] {
  return files
    .filter(({ codes, dangling }) => dangling * 100 > codes * max)
    .map(({ file, codes, dangling }) => {
      const all = [...unknown.get(file) ?? []].toSorted();
      const named = all.slice(0, NAMED).join(", ");
      const more = all.length > NAMED ? ", …" : "";
      return `${file}: ${dangling} of ${codes} CEPs are in an unknown ` +
        `municipality, IBGE code ${named}${more} ` +
        `(SEED_MAX_DANGLING_PERCENT allows ${max}%)`;
    });
}
