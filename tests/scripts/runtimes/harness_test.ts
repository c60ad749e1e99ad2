import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  runTests,
  TEST,
  type TestResult,
} from "../../../scripts/runtimes/harness.ts";

/** Function that defines a test of a translated module. */
interface Test {
  (test: unknown, fn?: unknown): void;
  beforeAll(hook: () => unknown): void;
  afterAll(hook: () => unknown): void;
}

/** Runs the tests of a module. */
function run(module: (test: Test) => void): Promise<TestResult[]> {
  return Array.fromAsync(runTests(() => {
    module(Reflect.get(globalThis, TEST));
    return Promise.resolve();
  }));
}

Deno.test("runTests runs one test after another, in order", async () => {
  const seen: string[] = [];
  const results = await run((test) => {
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

Deno.test("runTests runs hooks before and after all tests, and reports a failed one", async () => {
  const seen: string[] = [];
  const results = await run((test) => {
    test.afterAll(() => {
      throw new Error("the failure");
    });
    test("a", () => seen.push("a"));
    test.beforeAll(() => seen.push("beforeAll"));
  });
  assertEquals(seen, ["beforeAll", "a"]);
  assertEquals(results.map(({ name, outcome }) => [name, outcome]), [
    ["a", "passed"],
    ["afterAll", "failed"],
  ]);
});

Deno.test("runTests continues after a failed test, and reports its causes", async () => {
  const cause = new TypeError("the cause");
  const [failed, passed] = await run((test) => {
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

Deno.test("runTests ignores a test with the option ignore", async () => {
  const results = await run((test) => {
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

Deno.test("runTests fails a test if a step fails, and reports the step", async () => {
  const [result] = await run((test) => {
    test("a", async (context: Deno.TestContext) => {
      await context.step("the second half", () => {
        throw new Error("not so");
      });
    });
  });
  assertEquals(result?.outcome, "failed");
  assertStringIncludes(result?.reason ?? "", "the second half");
});

Deno.test("runTests fails for a module that cannot be imported", async () => {
  const [result, ...more] = await run(() => {
    throw new SyntaxError("no module");
  });
  assertEquals(result?.outcome, "failed");
  assertStringIncludes(result?.reason ?? "", "no module");
  assertEquals(more, []);
});
