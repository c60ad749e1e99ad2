/** Which tests run where. */
import { assert, assertEquals } from "@std/assert";
import type { TestResult } from "../../scripts/runtimes/harness.ts";
import { RUNTIMES } from "../../scripts/runtimes/open.ts";
import {
  EXCEPTIONS,
  excuse,
  filesFor,
  listTests,
} from "../../scripts/runtimes/plan.ts";

const FILE = "tests/oauth2/token_test.ts";
const EXCUSED =
  "mode goes by the verb in any letter case, and by no inherited name";

function outcomes(tests: readonly TestResult[]): string[] {
  return excuse({ file: FILE, tests }, "bun").tests
    .map(({ outcome }) => outcome);
}

Deno.test("filesFor leaves nothing out on Deno", () => {
  assertEquals(filesFor("deno"), listTests());
});

Deno.test("filesFor has the tests of the service on Node, and not on Bun", () => {
  const served = (runtime: string) =>
    filesFor(runtime).includes("tests/cep/server_test.ts");
  assertEquals([served("node-22"), served("bun")], [true, false]);
});

Deno.test("every runtime runs the vectors", () => {
  for (const runtime of Object.keys(RUNTIMES)) {
    assert(filesFor(runtime).includes("tests/oauth2/vectors_test.ts"), runtime);
  }
});

for (const { path, runtimes } of EXCEPTIONS) {
  Deno.test(`the exception of ${path} for ${runtimes} is of tests and runtimes that there are`, () => {
    assert(listTests().some((file) => file.startsWith(path)));
    for (const name of runtimes) {
      assert(Object.keys(RUNTIMES).some((it) => it.startsWith(name)), name);
    }
  });
}

Deno.test("excuse turns the failure of an exception into no failure", () => {
  assertEquals(
    outcomes([
      { name: EXCUSED, outcome: "failed", reason: "the platform" },
      { name: "another", outcome: "failed", reason: "ours" },
    ]),
    ["excused", "failed"],
  );
});

Deno.test("excuse fails an exception that passes", () => {
  assertEquals(outcomes([{ name: EXCUSED, outcome: "passed" }]), ["failed"]);
});

Deno.test("excuse fails an exception that is no test any more", () => {
  assertEquals(outcomes([{ name: "another", outcome: "passed" }]), [
    "passed",
    "failed",
  ]);
});
