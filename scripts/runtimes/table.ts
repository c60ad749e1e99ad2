/** What was run, as a table for people. */
import { markdownTable } from "../markdown.ts";
import type { TestResult } from "./harness.ts";
import {
  type Exception,
  EXCEPTIONS,
  type Suite,
  suiteOf,
  SUITES,
} from "./plan.ts";
import type { FileResult } from "./runtime.ts";

/** A row of the table: all that ran on a runtime. */
export interface Row {
  /** The runtime. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** What came of its tests. */
  readonly results: readonly FileResult[];
}

const HEADS: readonly string[] = [
  "runtime",
  "version",
  "`cep`",
  "`oauth2`",
  "vectors",
  "with a real server",
];

/** The table in Markdown, with what was left out below it. */
export function writeTable(rows: readonly Row[]): string {
  const cells = rows.map(({ name, version, results }) => [
    name.replace(/-\d+$/, ""),
    version,
    ...SUITES.map((suite) => count(results, suite)),
  ]);
  return [
    markdownTable(HEADS, cells),
    "Not run:",
    list(EXCEPTIONS.filter(({ test }) => test === undefined)),
    "Different by the platform, and not by the packages:",
    list(EXCEPTIONS.filter(({ test }) => test !== undefined)),
  ].join("\n\n");
}

function list(exceptions: readonly Exception[]): string {
  return exceptions.map(({ runtimes, path, test, reason }) => {
    const what = test === undefined ? `\`${path}\`` : `“${test}”`;
    return `- ${runtimes.join(", ")}: ${what}: ${reason}.`;
  }).join("\n");
}

/** How many tests of a group passed, and how many did not run. */
function count(results: readonly FileResult[], suite: Suite): string {
  const tests = results
    .filter(({ file }) => suiteOf(file) === suite)
    .flatMap(({ tests }) => tests);
  if (tests.length === 0) return "–";
  const of = (outcome: TestResult["outcome"]) =>
    tests.filter((test) => test.outcome === outcome).length;
  const notes = [
    ...of("failed") > 0 ? [`${of("failed")} failed`] : [],
    ...of("excused") > 0 ? [`${of("excused")} different`] : [],
    ...of("ignored") > 0 ? [`${of("ignored")} ignored`] : [],
  ];
  const passed = of("passed").toLocaleString("en");
  return notes.length === 0 ? passed : `${passed} (${notes.join(", ")})`;
}
