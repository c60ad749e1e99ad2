/**
 * Measurements of one run, as `docs/scaling.json` holds them. Times are in
 * seconds, memory and files in MB (a million bytes).
 *
 * @module
 */
import type { Quantiles } from "./distribution.ts";

/** Ways to serve lookups, and servers to compare them with. */
export type WayName =
  | "deno"
  | "deno-queries"
  | "node"
  | "remote"
  | "remote-queries"
  | "replica"
  | "site"
  | "balancer"
  | "bare";

/** Measurements. */
export interface Measurements {
  readonly conditions: Conditions;
  readonly costs: readonly Cost[];
  readonly records: readonly RecordsPoint[];
  readonly connections: readonly ConnectionsPoint[];
  readonly swaps: readonly Swap[];
  readonly pair: Pair;
}

/** Circumstances of a run. */
export interface Conditions {
  /** Day, as `2026-01-31`. */
  readonly day: string;
  readonly cores: number;
  /** Load of other programs before the run: processes that want a core. */
  readonly load: number;
  readonly system: string;
  /** Versions of programs by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Street rows of the generated DNE. */
  readonly rows: number;
  /** CEPs of its release. */
  readonly codes: number;
  /** Seconds of each load. */
  readonly seconds: number;
  /** Loads of each case. */
  readonly turns: number;
  /** Connections of a load, if nothing else is said. */
  readonly connections: number;
}

/** Cost of lookups from one server. */
export interface Cost {
  readonly way: WayName;
  /** Seconds of processor time for a million lookups, in each turn. */
  readonly processor: readonly number[];
  /** The same of the server behind it. */
  readonly behind?: readonly number[];
  /** Responses per second in each turn. */
  readonly rates: readonly number[];
  /** Bytes of a request with its headers, and of its response. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Memory of the server after the loads. */
  readonly memory: number;
  /** Memory of the server behind it. */
  readonly behindMemory?: number;
}

/** Server with a number of records. */
export interface RecordsPoint {
  readonly codes: number;
  /** Time of the import. */
  readonly importTime: number;
  /** Size of the release file. */
  readonly file: number;
  /** Time from the start to the first response. */
  readonly start: number;
  /** Memory after the loads. */
  readonly memory: number;
  /** Seconds of processor time for a million lookups, in each turn. */
  readonly processor: readonly number[];
}

/** Server under a number of connections. */
export interface ConnectionsPoint {
  readonly connections: number;
  readonly rates: readonly number[];
  readonly processor: readonly number[];
  /** Median response time in each turn. */
  readonly p50: readonly number[];
  readonly p99: readonly number[];
  readonly memory: number;
  /** Seconds of processor time of wrk for a million lookups, in each turn. */
  readonly generator: readonly number[];
}

/** Change of a server to the next release. */
export interface Swap {
  /** Description for readers. */
  readonly text: string;
  /** Times from the publication to the first response from the new release. */
  readonly times: readonly number[];
  /** Longest response time of the server in the meantime. */
  readonly stalls: readonly number[];
  /** Bytes that reach the server for it, in MB. */
  readonly transferred: number;
  /** Processor time of the primary for it. */
  readonly primary?: number;
}

/**
 * Two instances, and the parameters of their simulation, which were measured in
 * the same turns.
 */
export interface Pair {
  /** Times of single responses, one after another. */
  readonly serviceTimes: Quantiles;
  /** One instance under a load over one connection, and over many. */
  readonly alone: readonly [
    single: ConnectionsPoint,
    busy: ConnectionsPoint,
  ];
  readonly runs: readonly PairRun[];
}

/** Two instances under one load. */
export interface PairRun {
  readonly connections: number;
  /** Mean time between a response and the next request. */
  readonly think: number;
  readonly rates: readonly number[];
  readonly p50: readonly number[];
  readonly p99: readonly number[];
}
