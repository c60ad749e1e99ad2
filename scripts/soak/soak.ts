/**
 * Soak of the service: equal phases of mixed and hostile traffic, each with an
 * import in its middle, and a rest after which memory and handles are read.
 */
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "../process.ts";
import { Random } from "../generate_dne/random.ts";
import { AnswerJudge } from "./answer_judge.ts";
import { type Figure, findGrowth } from "./growth.ts";
import {
  HOSTILE_CLIENTS,
  type HostileKind,
  runHostile,
} from "./hostile_traffic.ts";
import { HttpClient, type Target } from "./http_client.ts";
import { FIGURES, lowest, type Sample, sampleProcess } from "./probe.ts";
import { Releases } from "./releases.ts";
import { Service } from "./service.ts";
import { Tally } from "./tally.ts";
import { runClient, type TrafficOptions } from "./traffic.ts";

/** Options of {@linkcode soak}. */
export interface SoakOptions {
  /** Empty folder for all files. */
  readonly folder: string;
  readonly minutes: number;
  /** Street rows of the generated DNE. */
  readonly rows: number;
  readonly seed: number;
  /** Number of ordinary clients. */
  readonly clients: number;
  /** Command line of the service. */
  readonly command: Command;
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
  /** Everything that is wrong, apart from the faults of the tally. */
  readonly problems: readonly string[];
}

/** Increase between the halves of the phases that counts as growth. */
export const TOLERANCES: Readonly<Record<keyof Sample, number>> = {
  memory: 30,
  descriptors: 3,
  sockets: 3,
  deleted: 1,
};

/** Phases outlast the time limit of bodies, 30 seconds. */
const PHASES_PER_MINUTE = 1.5;

/** Minimum and maximum number of phases. */
const PHASES = { least: 3, most: 20 };

/** Runs a soak. */
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
  const { service, target } = await Service.start(
    options.command,
    database,
    releases.imports[0]!,
  );
  await using _ = service;
  const run = new Run(options, releases, service, target);
  const phaseMs = minutes * 60_000 / phases;
  for (let phase = 1; phase <= phases; phase++) {
    onProgress(`Phase ${phase} of ${phases} …`);
    await run.phase(phase, phaseMs);
    if (!service.isRunning) break;
  }
  const code = await service.stop();
  const problems = [
    ...releases.differences,
    ...service.problems,
    ...findGrowths(run.phases),
  ];
  if (code !== 0) problems.push(`exit code ${code} of the service`);
  const names = readdirSync(database).sort().join();
  if (names !== "cep.db,seed.lock") {
    problems.push(`files left in the database: ${names}`);
  }
  const { tally, phases: samples, swaps, seconds } = run;
  return { tally, phases: samples, swaps, seconds, problems };
}

/** Figures of the phases. */
export function toFigures(phases: readonly Sample[]): Figure[] {
  return FIGURES.map((name) => ({
    name,
    values: phases.map((sample) => sample[name]),
    tolerance: TOLERANCES[name],
  }));
}

function findGrowths(phases: readonly Sample[]): string[] {
  return toFigures(phases).flatMap((figure) => {
    const growth = findGrowth(figure);
    if (!growth?.isGrowth) return [];
    const { before, after } = growth;
    return [
      `growth of ${figure.name}: from at most ${before.toFixed(1)} to at ` +
      `least ${after.toFixed(1)}`,
    ];
  });
}

/** Share of a phase after which the import begins. */
const BEFORE_IMPORT = 0.3;
/** Share of a phase without traffic, at its end. */
const REST = 0.1;
const MAX_REST_MS = 6000;
/** Number of samples in a rest. */
const SAMPLES = 10;
/** Milliseconds within which a new release must be served. */
const SWAP_MS = 10_000;

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
    private readonly target: Target,
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
    const { seed, clients } = this.options;
    const options: TrafficOptions = {
      target: this.target,
      releases: this.releases,
      judge: this.#judge,
      tally: this.tally,
      random: new Random(seed, `traffic ${phase}`),
      signal,
      pauseMs: 10,
    };
    const hostile = Object.entries(HOSTILE_CLIENTS) as [HostileKind, number][];
    const dawdleMs = Math.min(milliseconds / 4, 15_000);
    return [
      ...Array.from({ length: clients }, () => runClient(options)),
      ...hostile.flatMap(([kind, count]) =>
        Array.from(
          { length: count },
          () => runHostile(kind, { ...options, dawdleMs }),
        )
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
    const { version } = this.releases.reference(release);
    while (await readVersion(this.target).catch(() => {}) !== version) {
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

async function readVersion(target: Target): Promise<string> {
  using client = await HttpClient.open(target);
  const path = "/healthcheck";
  const { body } = await client.ask({ method: "GET", path, headers: {} });
  return JSON.parse(body).data?.dne_version ?? "";
}
