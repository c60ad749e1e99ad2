/**
 * Tables of `docs/scaling.md`, from the measurements.
 *
 * @module
 */
import { markdownTable } from "../markdown.ts";
import { median } from "../median.ts";
import { calibrate, pairOptions } from "./calibration.ts";
import { demandOf, limitsOf, wireBytes } from "./capacity.ts";
import type { Cost, Measurements } from "./measurements.ts";
import { simulate } from "./simulation.ts";
import { WAY_TEXTS } from "./ways_text.ts";

/** Requests per second to compute the resources for. */
export const RATES = [10, 1000, 100_000, 1_000_000];

/** Makes all tables, by the names of their marks. */
export function scalingTables(
  measurements: Measurements,
): Record<string, string> {
  return {
    conditions: conditions(measurements),
    costs: costs(measurements),
    records: records(measurements),
    connections: connections(measurements),
    swaps: swaps(measurements),
    fanout: fanOut(measurements),
    limits: limits(measurements),
    demand: demand(measurements),
    pair: pair(measurements),
  };
}

/** Formats a number with three digits, or as a whole number. */
export function digits(value: number): string {
  const maximumSignificantDigits = Math.abs(value) < 100 ? 3 : 21;
  const maximumFractionDigits = Math.abs(value) < 100 ? undefined : 0;
  return value.toLocaleString(
    "en",
    maximumFractionDigits === 0
      ? { maximumFractionDigits }
      : { maximumSignificantDigits },
  );
}

/** Formats the median, and the range of all values. */
function spread(values: readonly number[], factor = 1): string {
  const scaled = values.map((value) => value * factor);
  const [least, most] = [Math.min(...scaled), Math.max(...scaled)];
  const middle = digits(median(scaled));
  return least === most
    ? middle
    : `${middle} (${digits(least)}–${digits(most)})`;
}

/** Orders the costs as the tables do. */
export function orderedCosts({ costs }: Pick<Measurements, "costs">): Cost[] {
  const order = Object.keys(WAY_TEXTS);
  return costs.toSorted((a, b) => order.indexOf(a.way) - order.indexOf(b.way));
}

function conditions({ conditions: it }: Measurements): string {
  const versions = Object.entries(it.versions)
    .map(([name, version]) => `${name} ${version}`).join(", ");
  const rows = [
    ["day", it.day],
    ["system", `${it.system}, ${it.cores} cores`],
    ["other programs", `load ${digits(it.load)} before the run`],
    ["versions", versions],
    ["records", `${digits(it.codes)} CEPs, generated`],
    [
      "loads",
      `${it.turns} for each case, ${it.seconds} s, ` +
      `${it.connections} connections`,
    ],
  ];
  return markdownTable(["condition", "value"], rows);
}

function costs(measurements: Measurements): string {
  const rows = orderedCosts(measurements).map((cost) => [
    WAY_TEXTS[cost.way],
    spread(cost.processor),
    cost.behind ? spread(cost.behind) : "–",
    digits(1e6 / median(cost.processor)),
    digits(cost.memory),
    digits(cost.responseBytes),
  ]);
  return markdownTable([
    "server",
    "CPU s per million",
    "of the server behind it",
    "lookups/s on a core",
    "memory (MB)",
    "response (bytes)",
  ], rows);
}

function records({ records }: Measurements): string {
  const rows = records.map((it) => [
    digits(it.codes),
    digits(it.file),
    digits(it.importTime),
    digits(it.start),
    digits(it.memory),
    spread(it.processor),
  ]);
  return markdownTable([
    "CEPs",
    "release (MB)",
    "import (s)",
    "start (s)",
    "memory (MB)",
    "CPU s per million",
  ], rows);
}

function connections({ connections }: Measurements): string {
  const rows = connections.map((it) => [
    digits(it.connections),
    spread(it.rates),
    spread(it.processor),
    spread(it.p50, 1000),
    spread(it.p99, 1000),
    digits(it.memory),
  ]);
  return markdownTable([
    "connections",
    "lookups/s",
    "CPU s per million",
    "p50 (ms)",
    "p99 (ms)",
    "memory (MB)",
  ], rows);
}

function swaps({ swaps }: Measurements): string {
  const rows = swaps.map((it) => [
    it.text,
    spread(it.times),
    it.stalls.length > 0 ? spread(it.stalls, 1000) : "–",
    digits(it.transferred),
    it.primary === undefined ? "–" : digits(it.primary),
  ]);
  return markdownTable([
    "way",
    "until the new data answer (s)",
    "longest response (ms)",
    "transferred (MB)",
    "CPU s of the primary",
  ], rows);
}

/** Instances that follow one place. */
const FOLLOWERS = [2, 10, 100, 1000];

/** Bits per second of the link of a primary or a bucket. */
const LINK = 1e9;

/** Resources at the place that instances follow, for each new release. */
function fanOut({ swaps }: Measurements): string {
  const followed = swaps.filter(({ stalls }) => stalls.length > 0).slice(1);
  const rows = followed.map(({ text, transferred, primary }) => [
    text,
    ...FOLLOWERS.map((count) => {
      const megabytes = count * transferred;
      const link = digits(megabytes * 8e6 / LINK);
      const cpu = primary === undefined ? "" : `; ${digits(count * primary)}`;
      return `${digits(megabytes)}; ${link}${cpu}`;
    }),
  ]);
  const heads = FOLLOWERS.map((count) => `${digits(count)} instances`);
  return markdownTable(["way", ...heads], rows);
}

/** Costs of ways to serve clients, without those to compare with. */
function served(measurements: Measurements): Cost[] {
  return orderedCosts(measurements).filter(({ way }) => way !== "bare");
}

function limits(measurements: Measurements): string {
  const rows = served(measurements).map((cost) => {
    const limits = limitsOf(cost);
    const rateOf = (name: string) => {
      const rate = limits.find(({ limit }) => limit === name)?.rate;
      return rate === undefined ? "–" : digits(Math.round(rate / 100) * 100);
    };
    return [
      WAY_TEXTS[cost.way],
      ...["core", "machine", "link", "primary"].map(rateOf),
      digits(wireBytes(cost)),
    ];
  });
  return markdownTable([
    "server",
    "a core",
    "8 cores",
    "10 Gbit/s",
    "primary of 8 cores",
    "bytes on the wire",
  ], rows);
}

function demand(measurements: Measurements): string {
  const rows = served(measurements).map((cost) => {
    const cells = RATES.map((rate) => {
      const { instances, behind, memory, network } = demandOf(cost, rate);
      const cores = digits(instances) +
        (behind > 0 ? ` + ${digits(behind)}` : "");
      return `${cores}; ${digits(memory)}; ${digits(network / 1e6)}`;
    });
    return [WAY_TEXTS[cost.way], ...cells];
  });
  return markdownTable(
    ["server", ...RATES.map((it) => `${digits(it)}/s`)],
    rows,
  );
}

function pair(measurements: Measurements): string {
  const calibration = calibrate(measurements.pair);
  const { cores } = measurements.conditions;
  const rows = measurements.pair.runs.map((run) => {
    const { rate, latencies } = simulate(pairOptions(calibration, run, cores));
    const compare = (measured: readonly number[], predicted: number) => {
      const error = predicted / median(measured) - 1;
      const sign = error < 0 ? "−" : "+";
      return [
        spread(measured),
        digits(Number(predicted.toPrecision(3))),
        `${sign}${Math.round(Math.abs(error) * 100)}%`,
      ];
    };
    const inMs = (values: readonly number[]) => values.map((it) => it * 1000);
    return [
      digits(run.connections),
      digits(run.think * 1000),
      ...compare(run.rates, rate),
      ...compare(inMs(run.p50), latencies.quantile(0.5) * 1000),
      ...compare(inMs(run.p99), latencies.quantile(0.99) * 1000),
    ];
  });
  return markdownTable([
    "connections",
    "think time (ms)",
    "lookups/s",
    "predicted",
    "error",
    "p50 (ms)",
    "predicted",
    "error",
    "p99 (ms)",
    "predicted",
    "error",
  ], rows);
}
