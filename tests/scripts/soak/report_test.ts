/** Table of a soak, and its verdict. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  formatReport,
  grows,
  isPassed,
  lowest,
  type SoakReport,
} from "../../../scripts/soak/soak.ts";
import { Tally } from "../../../scripts/soak/traffic.ts";

/** Returns a report of one answer, with some members replaced. */
function reportOf(
  changes: Partial<SoakReport> = {},
  fault?: string,
): SoakReport {
  const tally = new Tally();
  tally.add("lookup", 2);
  if (fault !== undefined) tally.fault("lookup", fault);
  return {
    tally,
    seconds: 1,
    phases: [],
    swaps: [30],
    problems: [],
    ...changes,
  };
}

const PHASE = { memory: 100, descriptors: 30, sockets: 4, deleted: 1 };

Deno.test("formatReport of right answers says so, and nothing about growth after few phases", () => {
  const report = reportOf({ phases: [PHASE] });
  assert(isPassed(report));
  const text = formatReport(report);
  assertStringIncludes(text, "Passed: every answer is right.");
  assertStringIncludes(text, "(too few phases)");
});

Deno.test("formatReport of enough equal phases says that nothing grows", () => {
  const text = formatReport(reportOf({ phases: Array(5).fill(PHASE) }));
  assertStringIncludes(text, "and nothing grows");
});

Deno.test("formatReport names the figure that grows", () => {
  const phases = [0, 1, 2, 3, 4].map((i) => ({
    ...PHASE,
    descriptors: 30 + 20 * i,
  }));
  const report = reportOf({ phases });
  assertEquals(isPassed(report), false);
  assertStringIncludes(
    formatReport(report),
    "descriptors        after each phase: 30 50 70 90 110 (GROWS)",
  );
});

const FAILURES: readonly [name: string, report: SoakReport, text: string][] = [
  ["a fault", reportOf({}, "wrong answer"), "lookup: wrong answer"],
  [
    "a problem",
    reportOf({ problems: ["the service has ended: SIGSEGV"] }),
    "the service has ended: SIGSEGV",
  ],
  ["no answer", reportOf({ tally: new Tally() }), "0 answers"],
];

for (const [name, report, text] of FAILURES) {
  Deno.test(`formatReport of ${name} fails and describes it`, () => {
    assertEquals(isPassed(report), false);
    const formatted = formatReport(report);
    assertStringIncludes(formatted, text);
    assertStringIncludes(formatted, "Failed: ");
  });
}

const SERIES: readonly [
  name: string,
  values: readonly number[],
  isGrowth: boolean | undefined,
][] = [
  ["a rise after the warm-up", [90, 10, 11, 20, 21], true],
  ["a rise within the tolerance", [90, 10, 11, 13, 14], false],
  ["a rise in the warm-up", [10, 90, 90, 90, 90], false],
  ["a rise that falls again", [10, 10, 30, 40, 12], false],
  ["few phases", [10, 20, 30, 40], undefined],
];

for (const [name, values, isGrowth] of SERIES) {
  Deno.test(`grows judges ${name}`, () => {
    assertEquals(grows(values, 5), isGrowth);
  });
}

Deno.test("lowest returns the lowest value of each figure", () => {
  const other = { memory: 90, descriptors: 31, sockets: 3, deleted: 2 };
  assertEquals(lowest([PHASE, other]), {
    memory: 90,
    descriptors: 30,
    sockets: 3,
    deleted: 1,
  });
});
