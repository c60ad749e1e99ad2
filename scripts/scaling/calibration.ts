/**
 * Parameters of the simulation, from the measurements.
 *
 * @module
 */
import { median } from "../median.ts";
import { constant, exponential, withMean } from "./distribution.ts";
import type { Work } from "./machine.ts";
import type { Pair, PairRun } from "./measurements.ts";
import type { SimulationOptions } from "./simulation.ts";

/** Parameters of the simulation. */
export interface Calibration {
  /** Processor time of an instance. */
  readonly work: Work;
  /** Processor time of the load generator. */
  readonly generator: Work;
  /** Rest of the time of a response. */
  readonly overhead: number;
}

/**
 * Divides the processor time of a lookup into that under load and that for
 * waking up, which a lookup over a single connection takes in addition.
 */
export function calibrate(
  { serviceTimes, alone: [single, busy] }: Pick<Pair, "serviceTimes" | "alone">,
): Calibration {
  const timeOf = (costs: readonly number[]) => median(costs) / 1e6;
  const service = timeOf(busy.processor);
  const wakeUp = Math.max(0, timeOf(single.processor) - service);
  const request = timeOf(busy.generator);
  const generatorWakeUp = Math.max(0, timeOf(single.generator) - request);
  const explained = service + wakeUp + request + generatorWakeUp;
  return {
    work: {
      service: withMean(serviceTimes, service),
      wakeUp: constant(wakeUp),
    },
    generator: {
      service: constant(request),
      wakeUp: constant(generatorWakeUp),
    },
    overhead: Math.max(0, median(single.p50) - explained),
  };
}

/** Options for the simulation of two measured instances. */
export function pairOptions(
  { work, generator, overhead }: Calibration,
  { connections, think }: Pick<PairRun, "connections" | "think">,
  cores: number,
): SimulationOptions {
  return {
    seed: 1,
    seconds: 10,
    warmUp: 1,
    load: {
      clients: connections,
      think: think > 0 ? exponential(think) : constant(0),
      threads: 2,
      work: generator,
    },
    instances: 2,
    work,
    overhead,
    balancer: "fixed",
    cores,
  };
}
