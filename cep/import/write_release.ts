/**
 * Content of a new release: the CNEFE first, because every entry takes its
 * coordinates from it, then the DNE, then the CEPs that only the CNEFE has.
 */
import { readCensus } from "./cnefe/read_census.ts";
import {
  findCensusDamage,
  findDamage,
  findLostSources,
  findUnknownMunicipalities,
  refuseDamage,
  type Tolerance,
  toTolerance,
} from "./damage.ts";
import type { DirectoryFile } from "./dne/source.ts";
import { DnePlaces, isForeignCode, OwnPlaces } from "./census_places.ts";
import { Importer } from "./dne/importer.ts";
import { isOptional } from "./dne/layout.ts";
import { countByFile, type FileReport } from "./dne/report.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import { municipalityNames } from "../record/municipality_names.ts";
import type { Staging } from "../store/store.ts";
import {
  CensusImport,
  countPresentStates,
  readDneCodes,
} from "./census_import.ts";
import type { Inputs } from "./inputs.ts";
import type { SeedOptions, SeedProgress, SeedReport } from "./options.ts";

/**
 * Writes a release and publishes it.
 *
 * @throws {SeedError} If a source seems damaged or is missing.
 */
export async function writeRelease(
  options: SeedOptions,
  { dne, cnefe, sources, totalBytes }: Inputs,
  staging: Staging,
): Promise<SeedReport> {
  const {
    onProgress = () => {},
    onFile = () => {},
    logger = defaultLogger(),
    signal,
    now = Date.now,
  } = options;
  const { present } = staging;
  const tolerance = toTolerance(options);
  refuseDamage("import", findLostSources(staging, sources, tolerance));
  const meter = new ProgressMeter(totalBytes, onProgress);
  const step: Step = { options, staging, meter, logger, tolerance };
  const places = dne === undefined
    ? new OwnPlaces(municipalityNames())
    : undefined;
  const census = cnefe.length === 0
    ? undefined
    : await importCensus(step, cnefe, places);
  const importer = new Importer(staging, logger, now);
  const countBytes = (file: string, bytes: number) =>
    meter.update({ file, bytes: meter.bytes + bytes, codes: importer.codes });
  const files: FileReport[] = [];
  for (const file of dne?.files ?? []) {
    const chunks = readFile(file, signal, countBytes);
    const report = await importer.importFile(file, chunks);
    onFile(report);
    files.push(report);
  }
  if (places !== undefined) {
    await staging.addLocalities(places.localities);
    await staging.addNeighbourhoods(places.neighbourhoods);
  }
  await census?.addEntries({
    places: places ??
      new DnePlaces(importer.localities, importer.neighbourhoods),
    has: (cep) => importer.has(cep),
    hadBefore: dne === undefined
      ? () => false
      : await readDneCodes(staging, logger),
    onStored: (stored) => meter.update({ codes: importer.codes + stored }),
  });
  signal?.throwIfAborted();
  meter.end();
  refuseDamage("import", [
    ...findDamage({
      files,
      statesCodedByStreet: importer.statesCodedByStreet,
      present,
      otherCeps: census?.stored ?? 0,
    }, tolerance),
    ...findUnknownMunicipalities(
      census?.report.files ?? [],
      census?.unknown ?? new Map(),
      tolerance,
    ),
  ]);
  const report: SeedReport = {
    dneVersion: dne === undefined ? "" : options.dneVersion || dne.version,
    seededAt: new Date(now()).toISOString(),
    ceps: importer.codes + (census?.stored ?? 0),
    files,
    census: census?.report ?? null,
  };
  await staging.publish({
    ...report,
    sources,
    totalByFile: { ...countByFile(files), ...census?.storedByFile },
    optionalFiles: (dne?.files ?? []).filter(isOptional)
      .map(({ name }) => name),
  }, report);
  return report;
}

/** Import that is running. */
interface Step {
  readonly options: SeedOptions;
  readonly staging: Staging;
  readonly meter: ProgressMeter;
  readonly logger: Logger;
  readonly tolerance: Tolerance;
}

/**
 * Reads the CNEFE and adds its rows.
 *
 * @param places Receives the places of the rows, `undefined` with the DNE.
 */
async function importCensus(
  { options, staging, meter, logger, tolerance }: Step,
  paths: readonly string[],
  places: OwnPlaces | undefined,
): Promise<CensusImport> {
  const { signal, now = Date.now, onCensusFile } = options;
  const data = await readCensus({
    paths,
    logger,
    signal,
    now,
    onFile: onCensusFile,
    onProgress: ({ file, bytes }) => meter.update({ file, bytes }),
  });
  const census = new CensusImport({
    staging,
    data,
    onBatch() {
      signal?.throwIfAborted();
      meter.update({});
    },
  });
  await census.addRows((row) => {
    if (!isForeignCode(row)) places?.add(row);
  });
  refuseDamage(
    "import",
    findCensusDamage({
      files: data.report.files,
      byState: census.byState,
      presentByState: await countPresentStates(staging, logger),
    }, tolerance),
  );
  return census;
}

/** Reads a file, reports the size of each chunk, and stops if aborted. */
async function* readFile(
  file: DirectoryFile,
  signal: AbortSignal | undefined,
  onBytes: (file: string, bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of file.read()) {
    signal?.throwIfAborted();
    onBytes(file.name, chunk.byteLength);
    yield chunk;
  }
}

/** Facts that change in the course of an import. */
type Changes = Partial<Pick<SeedProgress, "file" | "bytes" | "codes">>;

/** Reports what an import has done so far. */
class ProgressMeter {
  readonly #report: (progress: SeedProgress) => void;
  #progress: SeedProgress;

  /** Begins at zero. */
  constructor(
    totalBytes: number,
    report: (progress: SeedProgress) => void,
  ) {
    this.#report = report;
    this.#progress = { file: "", bytes: 0, totalBytes, codes: 0, done: false };
  }

  /** Bytes that were read so far. */
  get bytes(): number {
    return this.#progress.bytes;
  }

  /** Reports progress. */
  update(changes: Changes): void {
    this.#progress = { ...this.#progress, ...changes };
    this.#report(this.#progress);
  }

  /** Reports the end. */
  end(): void {
    this.#report({ ...this.#progress, done: true });
  }
}
