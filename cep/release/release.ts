/** Result of an import: a complete, immutable set of records. */
export interface Release {
  /** Random 32-bit number that identifies the release. */
  readonly id: number;
  /** Version of the DNE in its LEIAME.TXT, `""` if unknown. */
  readonly dneVersion: string;
  /** Time of the import, ISO 8601. */
  readonly seededAt: string;
  /** Number of records. */
  readonly totalCeps: number;
  /** Number of records by state. */
  readonly totalByState: Readonly<Record<string, number>>;
  /** Number of records by source file. */
  readonly totalByFile: Readonly<Record<string, number>>;
  /** Optional files that were imported, e.g. `LOG_NUM_SEC.TXT`. */
  readonly optionalFiles: readonly string[];
  /** Sources of the data. */
  readonly sources: readonly DataSource[];
  /** Number of CEPs in the CNEFE, 0 without it. */
  readonly totalCensus: number;
}

/** Source of data: the DNE of Correios, or the CNEFE of IBGE. */
export type DataSource = "dne" | "cnefe";

/** Facts of a release that the importer provides. */
export type ReleaseFacts = Pick<
  Release,
  "dneVersion" | "seededAt" | "totalByFile" | "optionalFiles" | "sources"
>;

/** Formats the id of a release as eight hexadecimal digits. */
export function releaseName({ id }: Pick<Release, "id">): string {
  return id.toString(16).padStart(8, "0");
}

/** Returns the properties of a release for the log. */
export function describeRelease(release: Release): Record<string, unknown> {
  return {
    release: releaseName(release),
    dne_version: release.dneVersion,
    seeded_at: release.seededAt,
    total_ceps: release.totalCeps,
  };
}

/**
 * Columns of the facts in the table `release`, in the order of
 * {@linkcode toFacts}, and the values of versions that lack one.
 */
export const FACT_COLUMNS: Readonly<Record<string, string | undefined>> = {
  id: undefined,
  dne_version: undefined,
  seeded_at: undefined,
  total_ceps: undefined,
  total_by_state: "'{}'",
  total_by_file: "'{}'",
  optional_files: "'[]'",
  // Versions without the CNEFE imported only the DNE.
  sources: `'["dne"]'`,
  total_censo: "0",
};

/** Reads the columns of the facts. */
export function toFacts(row: readonly unknown[]): Release {
  const [id, dneVersion, seededAt, totalCeps, ...others] = row;
  const [byState, byFile, optionalFiles, sources, totalCensus] = others;
  return {
    id: Number(id),
    dneVersion: `${dneVersion}`,
    seededAt: `${seededAt}`,
    totalCeps: Number(totalCeps),
    totalByState: JSON.parse(`${byState}`),
    totalByFile: JSON.parse(`${byFile}`),
    optionalFiles: JSON.parse(`${optionalFiles}`),
    sources: JSON.parse(`${sources}`),
    totalCensus: Number(totalCensus),
  };
}
