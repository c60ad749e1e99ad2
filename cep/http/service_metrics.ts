import process from "node:process";
import type { Build } from "../build.ts";
import { releaseName } from "../release/release.ts";
import type { Freshness, Reader, Release, SearchLoad } from "../store/store.ts";
import {
  counter,
  type Figure,
  type Figures,
  type FigureSample,
  gauge,
} from "./figures.ts";
import type { RateLimitStore } from "./rate_limiter.ts";
import { BUCKETS, type RouteTraffic, type Traffic } from "./traffic.ts";
import type { LookupCount } from "./routes/lookup.ts";

/** Sources of the metrics. */
export interface ServiceMetricsOptions {
  /** Store of the records. */
  readonly store: Pick<
    Reader,
    "release" | "freshness" | "missingParts" | "searchLoad"
  >;
  /** Counters of requests. */
  readonly traffic: Traffic;
  /** Counters of records served. */
  readonly lookups: LookupCount;
  /** Quotas of clients, if requests are limited. */
  readonly limits?: Pick<RateLimitStore, "sharing"> | undefined;
  /** Returns the longest delay of the event loop since the last call. */
  readonly eventLoopLag?: (() => number) | undefined;
  /** Running build. */
  readonly build: Build;
}

/** Returns the metrics of a service, and of its process. */
export async function serviceFigures(
  { traffic, lookups, store, limits, eventLoopLag, build }:
    ServiceMetricsOptions,
): Promise<Figures> {
  const release = await store.release().catch(() => undefined);
  return [
    ...trafficFigures(traffic.routes()),
    counter(
      "cep_cache_hits_total",
      "Records served from the snapshot in memory.",
      lookups.memory,
    ),
    counter(
      "cep_cache_misses_total",
      "Records served by a query.",
      lookups.database,
    ),
    ...releaseFigures(release),
    gauge(
      "cep_sync_age_seconds",
      "Time since the data were compared with the place that they follow; 0 " +
        "if they follow none, +Inf if unknown.",
      ageOf(store.freshness?.()),
      "max",
    ),
    gauge(
      "cep_missing_parts",
      "Damaged parts of the release: the snapshot, the search, the points.",
      store.missingParts?.().length ?? 0,
      "max",
    ),
    gauge(
      "cep_rate_limit_shared",
      "State of shared rate limits: 1 while they are shared, otherwise 0.",
      Number(limits?.sharing?.isShared ?? false),
      "min",
    ),
    counter(
      "cep_rate_limit_local_requests_total",
      "Requests counted by one thread alone, because the store was lost.",
      limits?.sharing?.localRequests ?? 0,
    ),
    ...searchFigures(store.searchLoad?.()),
    gauge(
      "cep_event_loop_lag_seconds",
      "Longest delay of the event loop since the last collection; 0 if it is " +
        "not measured.",
      eventLoopLag?.() ?? 0,
      "max",
    ),
    gauge(
      "cep_build_info",
      "Always 1; the labels identify the running build.",
      [{ labels: { ...build }, value: 1 }],
      "max",
    ),
    ...processFigures(),
  ];
}

function trafficFigures(routes: readonly RouteTraffic[]): Figure[] {
  return [
    counter(
      "http_requests_total",
      "Requests answered.",
      routes.flatMap(({ route, requests }) =>
        requests.map(({ method, status, count }) => ({
          labels: { method, route, status },
          value: count,
        }))
      ),
    ),
    counter(
      "http_response_bytes_total",
      "Bytes of response bodies.",
      routes.map(({ route, bytes }) => ({ labels: { route }, value: bytes })),
    ),
    {
      name: "http_request_duration_seconds",
      help: "Time from request to response.",
      type: "histogram",
      aggregator: "sum",
      samples: routes.flatMap(durations),
    },
  ];
}

function durations({ route, buckets, seconds }: RouteTraffic): FigureSample[] {
  let total = 0;
  const counted = buckets.map((count, i) => ({
    suffix: "_bucket",
    labels: { le: BUCKETS[i] ?? "+Inf", route },
    value: total += count,
  }));
  const labels = { route };
  return [
    ...counted,
    { suffix: "_sum", labels, value: seconds },
    { suffix: "_count", labels, value: total },
  ];
}

function releaseFigures(release: Release | undefined): Figure[] {
  return [
    gauge(
      "cep_records",
      "Records in the database.",
      release?.totalCeps ?? 0,
      "max",
    ),
    gauge(
      "cep_census_records",
      "CEPs with addresses in the CNEFE; 0 without it.",
      release?.totalCensus ?? 0,
      "max",
    ),
    gauge(
      "cep_release_timestamp_seconds",
      "Time of the import, seconds since 1970; 0 without data.",
      Date.parse(release?.seededAt ?? "") / 1000 || 0,
      "max",
    ),
    gauge(
      "cep_release_info",
      "Always 1; the labels identify the current release.",
      release === undefined ? [] : [{
        labels: {
          dne_version: release.dneVersion,
          release: releaseName(release),
        },
        value: 1,
      }],
      "max",
    ),
  ];
}

function searchFigures(load: SearchLoad | undefined): Figure[] {
  return [
    gauge("cep_search_threads", "Threads that search.", load?.threads ?? 0),
    gauge(
      "cep_search_busy_threads",
      "Threads with a search.",
      load?.busy ?? 0,
    ),
    gauge(
      "cep_search_queue_length",
      "Searches that wait for a thread.",
      load?.waiting ?? 0,
    ),
    counter(
      "cep_search_wait_seconds_total",
      "Time for which searches have waited for a thread.",
      load?.waitedSeconds ?? 0,
    ),
    counter(
      "cep_search_refused_total",
      "Searches refused because too many waited.",
      load?.refused ?? 0,
    ),
    counter(
      "cep_search_thread_failures_total",
      "Threads that ended unexpectedly, and were replaced.",
      load?.failedThreads ?? 0,
    ),
    counter(
      "cep_search_over_budget_total",
      "Searches that their budget of work has ended.",
      load?.overBudget ?? 0,
    ),
  ];
}

/** Returns the age of data in seconds. */
function ageOf(freshness: Freshness | undefined): number {
  if (freshness === undefined) return 0;
  if (freshness.syncedAt === null) return Infinity;
  // The clock of another machine may be ahead.
  return Math.max(0, (Date.now() - Date.parse(freshness.syncedAt)) / 1000);
}

/** Start of the process, computed once: the system clock may change later. */
let startSeconds: number | undefined;

/** Returns the metrics of this process, under their usual names. */
function processFigures(): Figure[] {
  startSeconds ??= Date.now() / 1000 - process.uptime();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    counter(
      "process_cpu_seconds_total",
      "Processor time spent, in seconds.",
      (user + system) / 1e6,
    ),
    gauge("process_resident_memory_bytes", "Resident memory.", rss),
    gauge("nodejs_heap_size_used_bytes", "Heap in use.", heapUsed),
    gauge(
      "process_start_time_seconds",
      "Start of the process, seconds since 1970.",
      startSeconds,
      "min",
    ),
  ];
}
