/** The harness that runs tests where there is no `Deno.test`. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  runTests,
  test,
  type TestResult,
} from "../../scripts/runtimes/harness.ts";

/** Runs what a module would define. */
function run(define: () => void): Promise<TestResult[]> {
  return Array.fromAsync(runTests(() => Promise.resolve(define())));
}

Deno.test("runTests runs tests in their order, one after another", async () => {
  const seen: string[] = [];
  const results = await run(() => {
    for (const name of ["a", "b"]) {
      test(name, async () => {
        seen.push(`${name} begins`);
        await Promise.resolve();
        seen.push(`${name} ends`);
      });
    }
  });
  assertEquals(results, [
    { name: "a", outcome: "passed" },
    { name: "b", outcome: "passed" },
  ]);
  assertEquals(seen, ["a begins", "a ends", "b begins", "b ends"]);
});

Deno.test("runTests goes on after a test that fails, and tells why", async () => {
  const cause = new TypeError("the cause");
  const [failed, passed] = await run(() => {
    test("a", () => {
      throw new Error("the failure", { cause });
    });
    test("b", () => {});
  });
  assertEquals(failed?.outcome, "failed");
  assertStringIncludes(failed?.reason ?? "", "the failure");
  assertStringIncludes(failed?.reason ?? "", "the cause");
  assertEquals(passed?.outcome, "passed");
});

Deno.test("runTests leaves out what is to be ignored", async () => {
  const results = await run(() => {
    test({
      name: "a",
      ignore: true,
      fn() {
        throw new Error("It ran");
      },
    });
    test({ name: "b", ignore: false, fn() {} });
  });
  assertEquals(results.map(({ outcome }) => outcome), ["ignored", "passed"]);
});

Deno.test("runTests fails a test whose step fails, and names the step", async () => {
  const [result] = await run(() => {
    test("a", async (context) => {
      await context.step("the second half", () => {
        throw new Error("not so");
      });
    });
  });
  assertEquals(result?.outcome, "failed");
  assertStringIncludes(result?.reason ?? "", "the second half");
});

Deno.test("runTests tells of a module that cannot be imported", async () => {
  const [result, ...more] = await run(() => {
    throw new SyntaxError("no module");
  });
  assertEquals(result?.outcome, "failed");
  assertStringIncludes(result?.reason ?? "", "no module");
  assertEquals(more, []);
});
