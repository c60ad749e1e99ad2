/** Fault that a test applies to an import or to its files. */
import type { FaultScene, Mode, Outcome } from "./_fault_scene.ts";

/** Fault at a step. */
export interface Fault {
  /** Step of an import, or of the reading of a release. */
  readonly step: string;
  readonly fault: string;
  /** Imports that it applies to, by default both. */
  readonly modes?: readonly Mode[];
  /** Allowed states of the database after it. */
  readonly outcomes: readonly Outcome[];
  /** Reason why this system cannot have it. */
  readonly skip?: string | undefined;
  /**
   * Puts the database on a file system of its own, if this process may mount
   * one.
   *
   * @default {false}
   */
  readonly onSmallDisk?: boolean;
  /** Applies the fault, and waits for its end. */
  readonly apply: (scene: FaultScene) => Promise<void>;
  /** Reads the data after the fault, by default all of them. */
  readonly assess?: (scene: FaultScene) => Promise<Outcome>;
}

/** Imports without a base. */
export const BOTH: readonly Mode[] = ["seed", "update"];

/** Outcome of an import that fails. */
export const OLD: readonly Outcome[] = ["old data"];
