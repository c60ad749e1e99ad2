import { setImmediate } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";

let collect: (() => void) | undefined;

/**
 * Collects the garbage of this thread, after the work in progress. V8 does not
 * count shared memory, so that a thread with a small heap would keep what it has
 * dropped for hours.
 */
export async function collectGarbage(): Promise<void> {
  await setImmediate();
  collect ??= findCollector();
  collect();
}

function findCollector(): () => void {
  try {
    v8.setFlagsFromString("--expose-gc");
    const found: unknown = vm.runInNewContext("gc");
    if (typeof found === "function") return () => found();
  } catch {
    // The runtime does not allow it: the memory is returned later.
  }
  return () => {};
}
