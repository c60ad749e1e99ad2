import { cpuUsage } from "node:process";

/** Runs an action. Returns the seconds of processor time that it took. */
export async function processorSeconds(
  action: () => Promise<void>,
): Promise<number> {
  const start = cpuUsage();
  await action();
  const { user, system } = cpuUsage(start);
  return (user + system) / 1e6;
}

/** Returns the value that a share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
