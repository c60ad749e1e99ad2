import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "../generate_dne/random.ts";
import { AnswerJudge } from "./judge.ts";
import { Releases } from "./releases.ts";
import { type Sample, sampleProcess, Service } from "./service.ts";
import {
  HOSTILE_CLIENTS,
  type HostileKind,
  runClient,
  runHostile,
  Tally,
} from "./traffic.ts";

/** Options of {@linkcode soak}. */
export interface SoakOptions {
  /** Empty folder for all files. */
  readonly folder: string;
  readonly minutes: number;
  /** Street rows of the generated DNE. */
  readonly rows: number;
  readonly seed: number;
  /** Called with a line about the progress. */
  readonly onProgress?: (text: string) => void;
}

/** Result of a soak. */
export interface SoakReport {
  readonly tally: Tally;
  /** Seconds of traffic. */
  readonly seconds: number;
  /** Lowest values of the rest after each phase, empty if unknown. */
  readonly phases: readonly Sample[];
  /** Milliseconds from the end of each import to the first answer from it. */
  readonly swaps: readonly number[];
  /** Everything else that is wrong, apart from growth. */
  readonly problems: readonly string[];
}

/** Increase between the halves of the phases that counts as growth. */
const TOLERANCES: Readonly<Record<keyof Sample, number>> = {
  memory: 30,
  descriptors: 3,
  sockets: 3,
  deleted: 1,
};

const FIGURES = Object.keys(TOLERANCES) as (keyof Sample)[];

/** Phases outlast the time limit of bodies, 30 seconds. */
const PHASES_PER_MINUTE = 1.5;

/** Minimum and maximum number of phases. */
const PHASES = { least: 3, most: 20 };

/** Phases that a comparison needs: the first one is for the warm-up. */
const LEAST_COMPARED = 5;

/** Number of ordinary clients beside the hostile ones. */
const CLIENTS = 12;

/**
 * Soaks the service in equal phases of mixed and hostile traffic, each with an
 * import in its middle, and a rest after which memory and handles are read.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { folder, minutes, onProgress = () => {} } = options;
  const phases = Math.min(
    Math.max(Math.round(minutes * PHASES_PER_MINUTE), PHASES.least),
    PHASES.most,
  );
  await using releases = await Releases.prepare({
    ...options,
    count: phases + 1,
    onRelease: (release) => onProgress(`Preparing release ${release} …`),
  });
  const database = `${folder}/data`;
  const started = await Service.start(database, releases.imports[0]!);
  await using service = started.service;
  const run = new Run(options, releases, service, started.url);
  const phaseMs = minutes * 60_000 / phases;
  for (let phase = 1; phase <= phases; phase++) {
    onProgress(`Phase ${phase} of ${phases} …`);
    await run.phase(phase, phaseMs);
    if (!service.isRunning) break;
  }
  const code = await service.stop();
  const problems = [...service.problems];
  if (code !== 0) problems.push(`exit code ${code} of the service`);
  const names = readdirSync(database).sort().join();
  if (names !== "cep.db,seed.lock") {
    problems.push(`files left in the database: ${names}`);
  }
  const { tally, phases: samples, swaps, seconds } = run;
  return { tally, phases: samples, swaps, seconds, problems };
}

/** Share of a phase after which the import begins. */
const BEFORE_IMPORT = 0.3;
/** Share of a phase without traffic, at its end. */
const REST = 0.1;
const MAX_REST_MS = 6000;
/** Number of samples in a rest. */
const SAMPLES = 10;
/** Milliseconds within which even a busy machine must serve a new release. */
const SWAP_MS = 60_000;

class Run {
  readonly tally = new Tally();
  readonly phases: Sample[] = [];
  readonly swaps: number[] = [];
  seconds = 0;
  readonly #judge = new AnswerJudge();

  constructor(
    private readonly options: SoakOptions,
    private readonly releases: Releases,
    private readonly service: Service,
    private readonly url: string,
  ) {}

  async phase(release: number, milliseconds: number): Promise<void> {
    const restMs = Math.min(REST * milliseconds, MAX_REST_MS);
    const traffic = new AbortController();
    const start = performance.now();
    const clients = this.#startClients(release, milliseconds, traffic.signal);
    await delay(BEFORE_IMPORT * milliseconds);
    await this.#import(release);
    const left = milliseconds - restMs - (performance.now() - start);
    await delay(Math.max(left, 0));
    traffic.abort();
    await Promise.all(clients);
    this.seconds += (performance.now() - start) / 1000;
    const samples: Sample[] = [];
    for (let i = 0; i < SAMPLES; i++) {
      await delay(restMs / SAMPLES);
      const sample = sampleProcess(this.service.pid);
      // The first half is for the end of connections.
      if (sample && i >= SAMPLES / 2) samples.push(sample);
    }
    if (samples.length > 0) this.phases.push(lowest(samples));
  }

  #startClients(
    phase: number,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<void>[] {
    const options = {
      url: this.url,
      releases: this.releases,
      judge: this.#judge,
      tally: this.tally,
      random: new Random(this.options.seed, `traffic ${phase}`),
      signal,
      pauseMs: 10,
      dawdleMs: Math.min(milliseconds / 4, 15_000),
    };
    const hostile = Object.entries(HOSTILE_CLIENTS) as [HostileKind, number][];
    return [
      ...Array.from({ length: CLIENTS }, () => runClient(options)),
      ...hostile.flatMap(([kind, length]) =>
        Array.from({ length }, () => runHostile(kind, options))
      ),
    ];
  }

  /** Imports a release, and waits until the service answers from it. */
  async #import(release: number): Promise<void> {
    this.#judge.begin();
    try {
      await this.service.import(this.releases.imports[release]!);
    } catch (error) {
      this.tally.fault("import", (error as Error).message);
      return;
    }
    const end = performance.now();
    const version = this.releases.version(release);
    while (await readVersion(this.url).catch(() => {}) !== version) {
      if (performance.now() - end > SWAP_MS || !this.service.isRunning) {
        this.tally.fault("swap", `release ${release} is not served`);
        return;
      }
      await delay(20);
    }
    this.swaps.push(performance.now() - end);
    this.#judge.finish();
  }
}

async function readVersion(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/healthcheck`);
  return (await response.json()).data?.dne_version;
}

/** Returns the lowest value of each figure. */
export function lowest(samples: readonly Sample[]): Sample {
  const [first, ...others] = samples;
  return others.reduce((least, sample) => ({
    memory: Math.min(least.memory, sample.memory),
    descriptors: Math.min(least.descriptors, sample.descriptors),
    sockets: Math.min(least.sockets, sample.sockets),
    deleted: Math.min(least.deleted, sample.deleted),
  }), first!);
}

/**
 * Compares the later half of the phases with the earlier one, without the first
 * phase. A value that rises and falls again is no growth: the lowest later
 * value must exceed the highest earlier one.
 *
 * @returns `undefined` with too few phases.
 */
export function grows(
  values: readonly number[],
  tolerance: number,
): boolean | undefined {
  if (values.length < LEAST_COMPARED) return undefined;
  const warm = values.slice(1);
  const middle = Math.floor(warm.length / 2);
  const before = Math.max(...warm.slice(0, middle));
  const after = Math.min(...warm.slice(middle));
  return after - before > tolerance;
}

function judgeFigures(phases: readonly Sample[]) {
  return FIGURES.map((name) => {
    const values = phases.map((sample) => sample[name]);
    return { name, values, isGrowth: grows(values, TOLERANCES[name]) };
  });
}

/** True if a soak found nothing wrong. */
export function isPassed({ tally, problems, phases }: SoakReport): boolean {
  return tally.faults === 0 && problems.length === 0 && tally.answers > 0 &&
    !judgeFigures(phases).some(({ isGrowth }) => isGrowth);
}

/** Formats the report of a soak. */
export function formatReport(report: SoakReport): string {
  const { tally, seconds, swaps, problems, phases } = report;
  const figures = judgeFigures(phases);
  const end = phases.length < LEAST_COMPARED ? "." : ", and nothing grows.";
  return [
    row("", "answers", "p50 ms", "p99 ms", "max ms", "faults"),
    ...[...tally.kinds].sort().map(([kind, { times, faults }]) => {
      const sorted = times.toSorted((one, other) => one - other);
      const cells = [0.5, 0.99, 1].map((share) =>
        (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
      );
      return row(kind, `${times.length}`, ...cells, `${faults}`);
    }),
    "",
    `${tally.answers} answers in ${seconds.toFixed(0)} s, ` +
    `${Math.round(tally.answers / seconds)} a second; ` +
    `${swaps.length} new releases, served after ` +
    `${swaps.map((it) => it.toFixed(0)).join(", ")} ms`,
    "",
    ...phases.length === 0
      ? ["Memory and handles: unknown, only Linux reports them"]
      : figures.map(({ name, values, isGrowth }) => {
        const title = name === "memory" ? "memory, MB" : name;
        const written = values.map((value) => value.toFixed(0)).join(" ");
        const verdict = isGrowth ? "GROWS" : "stable";
        const state = isGrowth === undefined ? "too few phases" : verdict;
        return `${title.padEnd(18)} after each phase: ${written} (${state})`;
      }),
    "",
    ...tally.described,
    ...problems,
    isPassed(report)
      ? `Passed: every answer is right${end}`
      : `Failed: ${tally.faults} faults, ${problems.length} problems.`,
  ].join("\n");
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(18) + cells.map((cell) => cell.padStart(10)).join("");
}
