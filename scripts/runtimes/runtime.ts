import type { TestResult } from "./harness.ts";

/** Runtime that is ready to run tests. */
export interface Runtime {
  readonly version: string;
  /** Runs the tests of a file, given by its path in the folder. */
  run(file: string): Promise<TestResult[]>;
}

/**
 * Prepares a runtime. The folder contains the installed packages and the
 * translated tests; the stack disposes of servers and processes.
 */
export type Open = (
  folder: string,
  stack: AsyncDisposableStack,
) => Promise<Runtime>;
