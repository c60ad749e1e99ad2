/** Tests that run on a runtime, and their expected results. */
import { readdirSync } from "node:fs";
import {
  ADDED,
  FAILING,
  type Reasons,
  type RuntimeName,
  SKIPPED,
} from "../../tests/exceptions.ts";
import { ROOT } from "../root.ts";
import type { TestResult } from "./harness.ts";

/**
 * Lists the test files that run on a runtime.
 *
 * @throws {Error} If an exception names a file that is not a test or is skipped.
 */
export function filesFor(runtime: RuntimeName): string[] {
  const all = ["tests/cep", "tests/oauth2"].flatMap(listTests);
  const skipped = Object.keys(SKIPPED[runtime]);
  const files = all.filter((file) =>
    !skipped.some((path) => file.startsWith(path))
  ).concat(ADDED[runtime]);
  const stale = [
    ...skipped.filter((path) => !all.some((file) => file.startsWith(path))),
    ...Object.keys(FAILING[runtime]).filter((file) => !files.includes(file)),
  ];
  if (stale.length > 0) {
    throw new Error(
      `Cannot find exceptions of ${runtime}: ${stale.join(", ")}`,
    );
  }
  return files;
}

function listTests(folder: string): string[] {
  return readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith("_test.ts"))
    .sort();
}

/**
 * Excuses the failures of tests that are exceptions. An exception that passes,
 * or that names no test, is a failure.
 */
export function excuse(
  results: readonly TestResult[],
  exceptions: Reasons = {},
): TestResult[] {
  const judged = results.map((result): TestResult => {
    const { name, outcome } = result;
    if (!Object.hasOwn(exceptions, name)) return result;
    if (outcome === "failed") return { name, outcome: "excused" };
    const reason = `It is an exception, but its result is "${outcome}"`;
    return { name, outcome: "failed", reason };
  });
  const names = results.map(({ name }) => name);
  for (const name of Object.keys(exceptions)) {
    if (names.includes(name)) continue;
    const reason = "It is an exception, but not a test";
    judged.push({ name, outcome: "failed", reason });
  }
  return judged;
}
