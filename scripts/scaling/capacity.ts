/**
 * Cores, memory and network that a number of requests a second takes, from the
 * measured costs.
 *
 * @module
 */
import { median } from "../median.ts";
import type { Cost, WayName } from "./measurements.ts";

/**
 * Share of a core, a link or a primary that is in use on average, which leaves
 * room for peaks and for the loss of instances.
 */
export const TARGET = 0.6;

/** Machine to divide by. */
export const MACHINE = {
  cores: 8,
  /** Bits per second. */
  link: 10e9,
} as const;

/**
 * Bytes of a request and its response beyond HTTP: two packets with data, and
 * half an acknowledgement, each with 66 bytes of Ethernet, IP and TCP headers
 * (with timestamps).
 */
export const PACKET_BYTES = 2.5 * 66;

/** Resources for a rate. */
export interface Demand {
  /** Instances, each a process on a core, at {@linkcode TARGET}. */
  readonly instances: number;
  /** Cores of the server behind them, at {@linkcode TARGET}. */
  readonly behind: number;
  /** Memory of the instances and the server behind them in GB. */
  readonly memory: number;
  /** Bits per second from and to clients. */
  readonly network: number;
}

/** Bytes of a lookup on the wire. */
export function wireBytes(
  { requestBytes, responseBytes }: Pick<Cost, "requestBytes" | "responseBytes">,
): number {
  return requestBytes + responseBytes + PACKET_BYTES;
}

/** Computes the resources for a rate. */
export function demandOf(cost: Cost, rate: number): Demand {
  const cores = (perMillion: readonly number[]) =>
    rate * median(perMillion) / 1e6 / TARGET;
  const instances = Math.max(1, Math.ceil(cores(cost.processor)));
  const { way, behind, memory, behindMemory = 0 } = cost;
  // A primary that is only polled does the same work at any rate.
  const isPassedOn = behind !== undefined && PASSED_ON.includes(way);
  return {
    instances,
    behind: isPassedOn ? cores(behind) : 0,
    memory: (instances * memory + behindMemory) / 1000,
    network: 8 * wireBytes(cost) * rate,
  };
}

/** Resource that is used up. */
export type Limit = "core" | "primary" | "machine" | "link";

/** Servers whose lookups reach the server behind them. */
const PASSED_ON: readonly WayName[] = ["remote-queries", "balancer"];

/** Rate at which a resource is used at {@linkcode TARGET}. */
export function limitsOf(cost: Cost): { limit: Limit; rate: number }[] {
  const core = TARGET * 1e6 / median(cost.processor);
  const behind = cost.way === "remote-queries" ? cost.behind : undefined;
  const limits: { limit: Limit; rate: number }[] = [
    { limit: "core", rate: core },
    { limit: "machine", rate: MACHINE.cores * core },
    {
      limit: "link",
      rate: TARGET * MACHINE.link / (8 * wireBytes(cost)),
    },
  ];
  if (behind !== undefined && median(behind) > 0) {
    // One server answers all writes and reads, and it runs on one machine.
    const rate = MACHINE.cores * TARGET * 1e6 / median(behind);
    limits.push({ limit: "primary", rate });
  }
  return limits.toSorted((a, b) => a.rate - b.rate);
}
