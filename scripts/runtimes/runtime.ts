/** What every runtime is to the command. */
import type { TestResult } from "./harness.ts";

/** What came of the tests of a file. */
export interface FileResult {
  /** Its path in the repository. */
  readonly file: string;
  /** Its tests, in their order. */
  readonly tests: readonly TestResult[];
}

/** Something that tests run on. */
export interface Runtime extends AsyncDisposable {
  /** Its version. */
  readonly version: string;
  /** Runs the tests of files, and tells of each file once it is done. */
  run(files: readonly string[]): AsyncIterable<FileResult>;
}
