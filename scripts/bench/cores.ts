/**
 * The processors of the measurements that have one each for the server and its
 * load.
 *
 * @module
 */
import { findMissing } from "./processes.ts";

/** One processor each for a server and its load. */
export interface Cores {
  /** Number of the server's processor. */
  readonly server: number;
  /** Number of the load generator's. */
  readonly load: number;
}

/** The first and the last processor, `undefined` where `taskset` is missing. */
export async function findCores(): Promise<Cores | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  if ((await findMissing(["taskset"])).length > 0) return undefined;
  const status = await Deno.readTextFile("/proc/self/status");
  const [, list = ""] = status.match(/^Cpus_allowed_list:\s+(\S+)$/m) ?? [];
  const numbers = list.split(/[-,]/).map(Number);
  const [server = NaN, load = NaN] = [numbers[0], numbers.at(-1)];
  return server < load ? { server, load } : undefined;
}

/** The note that belongs below such a measurement. */
export function describeCores(cores: Cores | undefined): string {
  return cores === undefined
    ? "no processors were assigned: that takes taskset and two processors"
    : `the server ran on processor ${cores.server}, wrk on ${cores.load}`;
}
