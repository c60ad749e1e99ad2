import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";
import process from "node:process";

/** Registers a counter without labels. */
export function counter(
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

/**
 * Registers a gauge without labels.
 *
 * @param aggregator Combines the values of several processes.
 */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
  aggregator: Aggregator = "sum",
): void {
  new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/**
 * Registers metrics of the process under their usual names. The default metrics
 * of the library observe garbage collection and the event loop, which not every
 * runtime supports.
 */
export function registerProcess(registry: Registry): void {
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
    "min",
  );
}
