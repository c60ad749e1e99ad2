/**
 * Loads by wrk, as real clients send them: over connections that stay open, and
 * with gzip accepted.
 *
 * @module
 */
import { runWrk } from "../bench/wrk.ts";
import type { Programs, Server } from "../bench/programs.ts";
import { ROOT } from "../root.ts";
import type { Quantiles } from "./distribution.ts";
import { readProcessorTime } from "./process_usage.ts";

const HEADERS = {
  "Accept": "*/*",
  "Accept-Encoding": "gzip, deflate, br",
  "User-Agent": "node",
};

/** Options of {@linkcode load}. */
export interface LoadOptions {
  readonly connections: number;
  /**
   * Mean time between a response and the next request in milliseconds.
   *
   * @default {0}
   */
  readonly think?: number;
  /**
   * Runs wrk on a processor that a pinned server does not use.
   *
   * @default {true}
   */
  readonly pinned?: boolean;
  /** Servers whose processor time is measured; by default, the loaded ones. */
  readonly observed?: readonly Server[];
}

/** Result of a load. */
export interface Loaded {
  readonly requests: number;
  /** Bytes of a request with its headers. */
  readonly requestBytes: number;
  /** Bytes of all responses with their headers. */
  readonly bytes: number;
  readonly seconds: number;
  /** Processor time of wrk. */
  readonly cpu: number;
  /** Mean time of a response. */
  readonly mean: number;
  readonly quantiles: Quantiles;
  /** Processor time of each observed server. */
  readonly processorTimes: readonly number[];
}

/** Loads servers with the paths of a file, with a thread for each. */
export async function load(
  programs: Programs,
  servers: Server | readonly Server[],
  paths: string,
  options: LoadOptions,
): Promise<Loaded> {
  const loaded = [servers].flat() as Server[];
  const { connections, think = 0, pinned = true, observed = loaded } = options;
  const measure = () =>
    Promise.all(observed.map(({ pid }) => readProcessorTime(pid)));
  const before = await measure();
  const { report } = await runWrk(programs, {
    url: loaded[0]!.url,
    script: `${ROOT}scripts/scaling/load.lua`,
    args: [paths, `${think}`],
    connections,
    threads: loaded.length,
    headers: HEADERS,
    env: { PORTS: loaded.map(({ url }) => new URL(url).port).join(" ") },
    pinned,
  });
  const after = await measure();
  const processorTimes = after.map((time, i) => time - before[i]!);
  return { ...parseLine(report, "load"), processorTimes };
}

/** Measures the times of single responses, one after another. */
export async function measureServiceTimes(
  programs: Programs,
  { url }: Server,
  paths: string,
): Promise<Quantiles> {
  const { report } = await runWrk(programs, {
    url,
    script: `${ROOT}scripts/scaling/service_times.lua`,
    args: [paths],
    connections: 1,
    headers: HEADERS,
  });
  return parseLine(report, "service");
}

// deno-lint-ignore no-explicit-any -- what the scripts print
function parseLine(report: string, name: string): any {
  const line = report.split("\n").find((it) => it.startsWith(`${name} `));
  if (line !== undefined) return JSON.parse(line.slice(name.length));
  throw new Error(`Cannot read the report of wrk:\n${report}`);
}
