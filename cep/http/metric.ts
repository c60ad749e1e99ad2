import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";

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
