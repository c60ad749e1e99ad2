import type { CensusFileReport } from "./cnefe/report.ts";
import {
  describeShrunk,
  isShrunk,
  type Shrinkable,
  type Tolerance,
} from "./dne/damage.ts";
import { stateOfIbge } from "../record/states.ts";
import type { DataSource, PresentState, Release } from "../store/store.ts";
import type { CensusCounts } from "./report.ts";
import type { ByState, StateCounts } from "./state_counts.ts";

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
export interface Replaced {
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
export interface ReadCensus {
  /** One report per file. */
  readonly files: readonly Pick<
    CensusFileReport,
    "file" | "rows" | "rejected"
  >[];
  /** CEPs by state. */
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
  { maxRejectedPercent, maxShrinkPercent }: Tolerance,
): string[] {
  const rejected = files
    .filter(({ rows, rejected }) => rejected * 100 > rows * maxRejectedPercent)
    .map(({ file, rows, rejected }) =>
      `${file}: ${rejected} of ${rows} lines were rejected ` +
      `(SEED_MAX_REJECTED_PERCENT allows ${maxRejectedPercent}%)`
    );
  const codes = compareStates(presentByState.codes, byState.codes);
  const places = compareStates(presentByState.places, byState.places);
  const fewer = new Set(
    codes.filter((it) => isShrunk(it, maxShrinkPercent)).map(([part]) => part),
  );
  return [
    ...rejected,
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
