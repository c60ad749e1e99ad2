import { assertEquals } from "@std/assert";
import { warnOfMissing } from "../../../cep/modes/census_warnings.ts";
import { CapturingLogger } from "../_logger.ts";

const READ = {
  file: "35_SP.csv",
  rows: 100,
  missingColumns: [],
  warnings: {},
} as const;

for (
  const [name, report, messages] of [
    ["nothing", {}, []],
    [
      "a missing column",
      { missingColumns: ["LATITUDE"] },
      ["File of CNEFE lacks columns"],
    ],
    [
      "a few unusable coordinates",
      { warnings: { coordinates: { count: 9, lines: [2] } } },
      [],
    ],
    [
      "many unusable coordinates",
      { warnings: { coordinates: { count: 10, lines: [2] } } },
      ["File of CNEFE has rows with unusable coordinates"],
    ],
  ] as const
) {
  Deno.test(`warnOfMissing warns ${messages.length} times of ${name}`, () => {
    const logger = new CapturingLogger();
    warnOfMissing({ ...READ, ...report }, logger);
    const warned = logger.entries.map(({ level, message }) => [level, message]);
    assertEquals(warned, messages.map((it) => ["warn", it]));
  });
}
