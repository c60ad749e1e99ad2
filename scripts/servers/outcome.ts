import type { TestResult } from "../runtimes/harness.ts";

/** The end of a case on a server. */
export interface Outcome {
  /** The case. */
  readonly name: string;
  /** `lacking` where the server does not offer it. */
  readonly state: "passed" | "lacking" | "failed";
  /** Reason for which it failed or is lacking. */
  readonly reason?: string;
}

/**
 * Judges a case. One that a server does not offer has to fail there; if it
 * passes, it is no exception any more.
 */
export function judge(
  { name, outcome, reason = "" }: TestResult,
  lack: string | undefined,
): Outcome {
  const hasPassed = outcome === "passed";
  if (lack === undefined) {
    return hasPassed
      ? { name, state: "passed" }
      : { name, state: "failed", reason };
  }
  return hasPassed
    ? {
      name,
      state: "failed",
      reason: `It passes, but is declared as lacking: ${lack}`,
    }
    : { name, state: "lacking", reason: lack };
}
