/**
 * `GET /metrics`: metrics for Prometheus.
 *
 * @module
 */
import process from "node:process";
import { Counter, Gauge, type Metric, Registry } from "prom-client";
import type { Build } from "../../build.ts";
import { releaseName } from "../../store/release_name.ts";
import type { Reader, Release } from "../../store/store.ts";
import { type Endpoint, type Route, textBody } from "../exchange.ts";
import { textContent } from "../open_api/schema.ts";
import { BUCKETS, type RouteTraffic, type Traffic } from "../traffic.ts";
import type { LookupCount } from "./lookup.ts";

/** Sources of the metrics. */
export interface MetricsOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "release">;
  /** Counters of requests. */
  readonly traffic: Traffic;
  /** Counters of records served. */
  readonly lookups: LookupCount;
  /** Running build. */
  readonly build: Build;
}

/** Metrics for Prometheus. */
export const METRICS: Endpoint = {
  pattern: "/metrics",
  free: true,
  summary: { en: "metrics for Prometheus", pt: "métricas para o Prometheus" },
  parameters: [],
  answers: {
    200: {
      en: "metrics in the text format of Prometheus",
      pt: "métricas no formato de texto do Prometheus",
      content: textContent(),
    },
  },
  errors: [],
};

/**
 * Creates the route of the metrics. Each service has its own registry, so that
 * several can run in one process.
 */
export function metricsRoute(options: MetricsOptions): Route {
  const registry = new Registry();
  registerTraffic(registry, options.traffic);
  registerLookups(registry, options.lookups);
  registerRelease(registry, options.store);
  registerBuild(registry, options.build);
  registerProcess(registry);
  return {
    ...METRICS,
    async handle() {
      const text = await registry.metrics();
      return { status: 200, body: textBody(text, registry.contentType) };
    },
  };
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
    registers,
    async collect() {
      this.set((await read())?.totalCeps ?? 0);
    },
  });
  new Gauge({
    name: "cep_release_timestamp_seconds",
    help: "Time of the import, seconds since 1970; 0 without data.",
    registers,
    async collect() {
      this.set(Date.parse((await read())?.seededAt ?? "") / 1000 || 0);
    },
  });
  new Gauge({
    name: "cep_release_info",
    help: "Always 1; the labels identify the current release.",
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

function registerBuild(registry: Registry, build: Build): void {
  new Gauge({
    name: "cep_build_info",
    help: "Always 1; the labels identify the running build.",
    labelNames: ["version", "commit", "repo"],
    registers: [registry],
  }).set({ ...build }, 1);
}

/**
 * Registers metrics of the process under their usual names. The default metrics
 * of the library observe garbage collection and the event loop, which not every
 * runtime supports.
 */
function registerProcess(registry: Registry): void {
  // Computed once, because the system clock may change later.
  const start = Date.now() / 1000 - process.uptime();
  counter(
    registry,
    "process_cpu_seconds_total",
    "Processor time spent, in seconds.",
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  gauge(
    registry,
    "process_resident_memory_bytes",
    "Resident memory.",
    () => process.memoryUsage().rss,
  );
  gauge(
    registry,
    "nodejs_heap_size_used_bytes",
    "Heap in use.",
    () => process.memoryUsage().heapUsed,
  );
  gauge(
    registry,
    "process_start_time_seconds",
    "Start of the process, seconds since 1970.",
    () => start,
  );
}

function counter(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
