import { Counter, Gauge, type Metric, Registry } from "prom-client";
import type { Build } from "../build.ts";
import { releaseName } from "../release/release.ts";
import type { Freshness, Reader, Release } from "../store/store.ts";
import { addUp, type Figures, type OtherFigures } from "./figures.ts";
import { counter, gauge, registerProcess } from "./metric.ts";
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

/**
 * Metrics of a service. Each service has its own registry, so that several can
 * run in one process.
 */
export class ServiceMetrics {
  readonly #registry = new Registry();

  constructor(
    { traffic, lookups, store, limits, eventLoopLag, build }:
      ServiceMetricsOptions,
  ) {
    const registry = this.#registry;
    registerTraffic(registry, traffic);
    registerLookups(registry, lookups);
    registerRelease(registry, store);
    gauge(
      registry,
      "cep_sync_age_seconds",
      "Time since the data were compared with the place that they follow; 0 " +
        "if they follow none, +Inf if unknown.",
      () => ageOf(store.freshness?.()),
      "max",
    );
    gauge(
      registry,
      "cep_missing_parts",
      "Damaged parts of the release: the snapshot, the search, the points.",
      () => store.missingParts?.().length ?? 0,
      "max",
    );
    registerLimits(registry, limits);
    registerSearch(registry, store);
    gauge(
      registry,
      "cep_event_loop_lag_seconds",
      "Longest delay of the event loop since the last collection; 0 if it is " +
        "not measured.",
      () => eventLoopLag?.() ?? 0,
      "max",
    );
    registerBuild(registry, build);
    registerProcess(registry);
  }

  /** Media type of the text. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns the figures of this process. */
  figures(): Promise<Figures> {
    return this.#registry.getMetricsAsJSON();
  }

  /**
   * Returns the metrics as text.
   *
   * @param others Figures of other processes, which are added.
   */
  async text(others?: OtherFigures): Promise<string> {
    if (others === undefined) return await this.#registry.metrics();
    const own = await this.figures();
    return await addUp([own, ...await others.collect(own)]).metrics();
  }
}

function registerTraffic(registry: Registry, traffic: Traffic): void {
  const registers = [registry];
  new Counter({
    name: "http_requests_total",
    help: "Requests answered.",
    labelNames: ["method", "route", "status"],
    registers,
    collect() {
      this.reset();
      for (const { route, requests } of traffic.routes()) {
        for (const { method, status, count } of requests) {
          this.inc({ method, route, status }, count);
        }
      }
    },
  });
  new Counter({
    name: "http_response_bytes_total",
    help: "Bytes of response bodies.",
    labelNames: ["route"],
    registers,
    collect() {
      this.reset();
      for (const { route, bytes } of traffic.routes()) {
        this.inc({ route }, bytes);
      }
    },
  });
  // The histogram of the library cannot be set to existing counts.
  const duration = {
    name: "http_request_duration_seconds",
    help: "Time from request to response.",
    type: "histogram",
    aggregator: "sum",
    get: () => ({ ...duration, values: traffic.routes().flatMap(samples) }),
  };
  registry.registerMetric(duration as unknown as Metric);

  function samples({ route, buckets, seconds }: RouteTraffic) {
    let total = 0;
    const counted = buckets.map((count, i) => ({
      metricName: `${duration.name}_bucket`,
      labels: { le: BUCKETS[i] ?? "+Inf", route },
      value: total += count,
    }));
    const labels = { route };
    return [
      ...counted,
      { metricName: `${duration.name}_sum`, labels, value: seconds },
      { metricName: `${duration.name}_count`, labels, value: total },
    ];
  }
}

function registerLookups(registry: Registry, lookups: LookupCount): void {
  counter(
    registry,
    "cep_cache_hits_total",
    "Records served from the snapshot in memory.",
    () => lookups.memory,
  );
  counter(
    registry,
    "cep_cache_misses_total",
    "Records served by a query.",
    () => lookups.database,
  );
}

function registerRelease(
  registry: Registry,
  store: Pick<Reader, "release">,
): void {
  const registers = [registry];
  const read = (): Promise<Release | undefined> =>
    store.release().catch(() => undefined);
  new Gauge({
    name: "cep_records",
    help: "Records in the database.",
    aggregator: "max",
    registers,
    async collect() {
      this.set((await read())?.totalCeps ?? 0);
    },
  });
  new Gauge({
    name: "cep_census_records",
    help: "CEPs with addresses in the CNEFE; 0 without it.",
    aggregator: "max",
    registers,
    async collect() {
      this.set((await read())?.totalCensus ?? 0);
    },
  });
  new Gauge({
    name: "cep_release_timestamp_seconds",
    help: "Time of the import, seconds since 1970; 0 without data.",
    aggregator: "max",
    registers,
    async collect() {
      this.set(Date.parse((await read())?.seededAt ?? "") / 1000 || 0);
    },
  });
  new Gauge({
    name: "cep_release_info",
    help: "Always 1; the labels identify the current release.",
    aggregator: "max",
    labelNames: ["dne_version", "release"],
    registers,
    async collect() {
      const release = await read();
      this.reset();
      if (release === undefined) return;
      const name = releaseName(release);
      this.set({ dne_version: release.dneVersion, release: name }, 1);
    },
  });
}

function registerLimits(
  registry: Registry,
  limits: ServiceMetricsOptions["limits"],
): void {
  gauge(
    registry,
    "cep_rate_limit_shared",
    "State of shared rate limits: 1 while they are shared, otherwise 0.",
    () => Number(limits?.sharing?.isShared ?? false),
    "min",
  );
  counter(
    registry,
    "cep_rate_limit_local_requests_total",
    "Requests counted by one thread alone, because the store was lost.",
    () => limits?.sharing?.localRequests ?? 0,
  );
}

function registerSearch(
  registry: Registry,
  store: Pick<Reader, "searchLoad">,
): void {
  const figures = [
    [gauge, "cep_search_threads", "Threads that search.", "threads"],
    [gauge, "cep_search_busy_threads", "Threads with a search.", "busy"],
    [
      gauge,
      "cep_search_queue_length",
      "Searches that wait for a thread.",
      "waiting",
    ],
    [
      counter,
      "cep_search_wait_seconds_total",
      "Time for which searches have waited for a thread.",
      "waitedSeconds",
    ],
    [
      counter,
      "cep_search_refused_total",
      "Searches refused because too many waited.",
      "refused",
    ],
    [
      counter,
      "cep_search_thread_failures_total",
      "Threads that ended unexpectedly, and were replaced.",
      "failedThreads",
    ],
    [
      counter,
      "cep_search_over_budget_total",
      "Searches that their budget of work has ended.",
      "overBudget",
    ],
  ] as const;
  for (const [register, name, help, member] of figures) {
    register(registry, name, help, () => store.searchLoad?.()[member] ?? 0);
  }
}

/** Returns the age of data in seconds. */
function ageOf(freshness: Freshness | undefined): number {
  if (freshness === undefined) return 0;
  if (freshness.syncedAt === null) return Infinity;
  // The clock of another machine may be ahead.
  return Math.max(0, (Date.now() - Date.parse(freshness.syncedAt)) / 1000);
}

function registerBuild(registry: Registry, build: Build): void {
  new Gauge({
    name: "cep_build_info",
    help: "Always 1; the labels identify the running build.",
    aggregator: "max",
    labelNames: ["version", "commit", "repo"],
    registers: [registry],
  }).set({ ...build }, 1);
}
