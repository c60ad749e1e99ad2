import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { ROOT } from "../../../scripts/root.ts";
import { RUNTIMES } from "../../../scripts/runtimes.ts";
import type { TestResult } from "../../../scripts/runtimes/harness.ts";
import { excuse, filesFor } from "../../../scripts/runtimes/plan.ts";
import { type RuntimeName, SKIPPED } from "../../exceptions.ts";

for (const runtime of Object.keys(SKIPPED) as RuntimeName[]) {
  // Throws if an exception does not name a test file.
  Deno.test(`filesFor includes the vectors on ${runtime}`, () => {
    assert(filesFor(runtime).includes("tests/oauth2/vectors_test.ts"));
  });
}

for (const [runtime, runs] of [["node", true], ["bun", false]] as const) {
  Deno.test(`filesFor ${runs ? "includes" : "skips"} the service on ${runtime}`, () => {
    assertEquals(
      filesFor(runtime).includes("tests/cep/server_slow_test.ts"),
      runs,
    );
  });
}

const ROWS: readonly [
  what: string,
  outcome: TestResult["outcome"],
  expected: TestResult["outcome"],
][] = [
  ["excuses an exception that fails", "failed", "excused"],
  ["fails an exception that passes", "passed", "failed"],
  ["fails an exception that is ignored", "ignored", "failed"],
];

for (const [what, outcome, expected] of ROWS) {
  Deno.test(`excuse ${what}`, () => {
    const [result] = excuse([{ name: "a", outcome }], { a: "a reason" });
    assertEquals(result?.outcome, expected);
  });
}

Deno.test("excuse does not change other results", () => {
  const results: TestResult[] = [
    { name: "a", outcome: "failed", reason: "a bug" },
    { name: "toString", outcome: "passed" },
  ];
  assertEquals(excuse(results, {}), results);
});

Deno.test("excuse fails an exception that names no test", () => {
  const [, result] = excuse([{ name: "a", outcome: "passed" }], { b: "gone" });
  assertEquals([result?.name, result?.outcome], ["b", "failed"]);
});

Deno.test("CI runs every runtime", () => {
  const ci = parse(readFileSync(`${ROOT}.github/workflows/ci.yml`, "utf8"));
  const { runtime } = ci.jobs.runtimes.strategy.matrix;
  assertEquals(runtime, Object.keys(RUNTIMES));
});
