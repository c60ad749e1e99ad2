/** Runs the tests of one module, on runtimes that have processes. */
import process from "node:process";
import { MARK, runTests, type TestResult } from "./harness.ts";

for await (const result of runTests(() => import(process.argv[2]!))) {
  tell(result);
}
tell({ done: true });

function tell(line: TestResult | { done: true }): void {
  process.stdout.write(`${MARK}${JSON.stringify(line)}\n`);
}
