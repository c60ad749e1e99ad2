/** The table of what was run. */
import { assertStringIncludes } from "@std/assert";
import { writeTable } from "../../scripts/runtimes/table.ts";

const passed = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `test ${i}`,
    outcome: "passed" as const,
  }));

Deno.test("writeTable counts the tests of each group", () => {
  const table = writeTable([{
    name: "node-22",
    version: "22.1.2",
    results: [
      { file: "tests/cep/a_test.ts", tests: passed(1200) },
      {
        file: "tests/oauth2/a_test.ts",
        tests: [
          ...passed(2),
          { name: "a", outcome: "ignored" },
          { name: "b", outcome: "excused" },
        ],
      },
      { file: "tests/oauth2/b/b_test.ts", tests: passed(3) },
      {
        file: "tests/oauth2/vectors_test.ts",
        tests: [...passed(4), { name: "c", outcome: "failed" }],
      },
    ],
  }]);
  assertStringIncludes(
    table.replace(/ +/g, " "),
    "| node | 22.1.2 | 1,200 | 5 (1 different, 1 ignored) " +
      "| 4 (1 failed) | – |",
  );
});
