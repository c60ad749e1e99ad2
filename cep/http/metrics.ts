/**
 * `GET /metrics`: figures for Prometheus.
 *
 * @module
 */
import process from "node:process";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Build } from "../build.ts";
import type { Store } from "../store/store.ts";
import { type Middleware, type Route, sentBody, textBody } from "./exchange.ts";
import type { CacheCount } from "./lookup.ts";

/** What the service counts. */
export interface Metrics {
  /** Counts and times every exchange. */
  readonly middleware: Middleware;
  /** Answers the figures. */
  readonly route: Route;
}

/** Methods that have a label of their own; there is no end of others. */
const METHODS = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Seconds; a lookup takes well below a millisecond. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1];

/**
 * Makes the figures of one service, apart from those of any other in the
 * process.
 *
 * @param now The time in milliseconds.
 */
export function metrics(
  store: Store,
  cache: CacheCount,
  build: Build,
  now: () => number,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "http_requests_total",
    help: "Requests answered.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from request to answer.",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers,
  });
  const responseBytes = new Counter({
    name: "http_response_bytes_total",
    help: "Bytes of the answers' bodies.",
    labelNames: ["route"],
    registers,
  });
  const counted = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counted(
    "cep_cache_hits_total",
    "Records that were in memory when asked for.",
    () => cache.hits,
  );
  counted(
    "cep_cache_misses_total",
    "Records that were not.",
    () => cache.misses,
  );
  new Gauge({
    name: "cep_records",
    help: "Records in the database.",
    registers,
    async collect() {
      const release = await store.release().catch(() => undefined);
      this.set(release?.totalCeps ?? 0);
    },
  });
  new Gauge({
    name: "cep_build_info",
    help: "Always 1; the labels tell the running build.",
    labelNames: ["version", "commit", "repo"],
    registers,
  }).set({ ...build }, 1);
  registerProcess(registers);

  return {
    middleware: (next) => async (exchange) => {
      const start = now();
      const answer = await next(exchange);
      const { request, route: { pattern: route } } = exchange;
      const method = METHODS.has(request.method) ? request.method : "other";
      const bytes = sentBody(exchange, answer)?.length ?? 0;
      requests.inc({ method, route, status: answer.status });
      responseBytes.inc({ route }, bytes);
      duration.observe({ route }, (now() - start) / 1000);
      return answer;
    },
    route: {
      pattern: "/metrics",
      free: true,
      async handle({ headers }) {
        headers["cache-control"] = "no-store";
        const text = await registry.metrics();
        return { status: 200, body: textBody(text, registry.contentType) };
      },
    },
  };
}

/**
 * The process' own figures under their usual names. The library's set of them
 * watches garbage collection and the event loop, which not every runtime lets
 * it do.
 */
function registerProcess(registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge(
    "process_cpu_seconds_total",
    "Processor time spent.",
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  gauge(
    "process_resident_memory_bytes",
    "Resident memory.",
    () => process.memoryUsage().rss,
  );
  gauge(
    "nodejs_heap_size_used_bytes",
    "Heap in use.",
    () => process.memoryUsage().heapUsed,
  );
  gauge(
    "process_start_time_seconds",
    "Start of the process, seconds since 1970.",
    () => Date.now() / 1000 - process.uptime(),
  );
}
