import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  evaluate,
  parsePlan,
  type Plan,
} from "../../scripts/evaluate_search.ts";
import type { Outcome } from "../../scripts/evaluate_search/report.ts";
import {
  contains,
  numberIn,
  parseComplement,
  parseSection,
  type Stretch,
} from "../../scripts/evaluate_search/directory.ts";
import { Random } from "../../scripts/generate_dne/random.ts";

const COMPLEMENTS: readonly [string, Stretch | undefined][] = [
  ["- até 697 - lado ímpar", { from: 1, to: 697, side: "odd" }],
  ["- de 232 a 790 - lado par", { from: 232, to: 790, side: "even" }],
  ["- de 4121/4122 a 7799/7800", { from: 4121, to: 7800, side: "both" }],
  ["- de 7801/7802 ao fim", { from: 7801, to: 99999, side: "both" }],
  ["- de 791 ao fim - lado ímpar", { from: 791, to: 99999, side: "odd" }],
  ["- até 379/380", { from: 1, to: 380, side: "both" }],
  ["- lado par ", { from: 1, to: 99999, side: "even" }],
  ["- do km 10,000 ao km 11,000", undefined],
  ["(Lot Santana)", undefined],
  ["Comércio", undefined],
  ["", undefined],
];

for (const [text, stretch] of COMPLEMENTS) {
  Deno.test(`parseComplement reads "${text}"`, () => {
    assertEquals(parseComplement(text), stretch);
  });
}

Deno.test("parseSection reads whole numbers only", () => {
  const row = { SEC_NU_INI: "2", SEC_NU_FIM: "99998", SEC_IN_LADO: "P" };
  assertEquals(parseSection(row), { from: 2, to: 99998, side: "even" });
  assertEquals(parseSection({ ...row, SEC_NU_INI: "00010,000" }), undefined);
  assertEquals(parseSection({ ...row, SEC_IN_LADO: "D" }), undefined);
});

Deno.test("contains compares the number and its side", () => {
  const stretch = { from: 10, to: 20, side: "even" } as const;
  assert(contains(stretch, 10) && contains(stretch, 20));
  assert(!contains(stretch, 8) && !contains(stretch, 11));
  assert(contains({ ...stretch, side: "both" }, 11));
  assert(!contains({ ...stretch, side: "odd" }, 12));
  assert(!contains(undefined, 12));
});

Deno.test("numberIn returns a number on the side of the stretch", () => {
  const random = new Random(7, "numbers");
  for (const side of ["even", "odd"] as const) {
    for (let i = 0; i < 100; i++) {
      const stretch = { from: 10 + (side === "odd" ? 1 : 0), to: 21, side };
      const number = numberIn(stretch, random);
      assert(contains(stretch, number), `${number}`);
    }
  }
});

const PLANS: readonly [args: string[], plan: Partial<Plan>][] = [
  [[], {
    count: 60,
    seed: 7,
    misses: 0,
    parts: ["searches", "addresses", "parts"],
  }],
  [["--only", "parts", "dne"], { parts: ["parts"], directory: "dne" }],
  [["--kind", "numeral"], {
    parts: ["searches", "addresses"],
    kind: "numeral",
  }],
  [["--cnefe", "census"], { parts: ["searches"], cnefe: "census" }],
];

for (const [args, expected] of PLANS) {
  Deno.test(`parsePlan reads "${args.join(" ")}" of the evaluation`, () => {
    const plan = parsePlan(args)!;
    const names = Object.keys(expected) as (keyof Plan)[];
    const read = Object.fromEntries(names.map((name) => [name, plan[name]]));
    assertEquals(read, expected);
  });
}

const MISTAKES: readonly [args: string[], message: string][] = [
  [["--only", "streets"], "--only must be one of searches, addresses, parts"],
  [["--kind", "streets"], "--kind must be one of these"],
  [["--kind", "clean", "--only", "parts"], "parts: parts exact"],
  [["a", "b"], '"b" is one argument too many'],
];

for (const [args, message] of MISTAKES) {
  Deno.test(`parsePlan refuses "${args.join(" ")}" of the evaluation`, () => {
    assertThrows(() => parsePlan(args), TypeError, message);
  });
}

/** Asks a question of each kind for the sample. */
async function evaluateSample(): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  await evaluate(parsePlan(["--count", "1"])!, (part, outcome) => {
    outcomes[part] = outcome;
  });
  return outcomes;
}

Deno.test("evaluate asks for records of the sample in all parts", async () => {
  const { searches, addresses, parts } = await evaluateSample();
  for (const { tables, misses } of [searches!, addresses!, parts!]) {
    const [table] = tables;
    const rows = table!.rows.slice(0, -1);
    const sum = table!.rows.at(-1)!;
    assert(rows.length > 1);
    const asked = rows.reduce((count, row) => count + Number(row[1]), 0);
    assertEquals(sum.slice(0, 2), ["all", asked]);
    assert(misses.length < asked, `${misses.length} of ${asked}`);
  }
  const [, places, scores] = addresses!.tables;
  assertEquals(places!.rows.at(-1)![1], addresses!.tables[0]!.rows.at(-1)![1]);
  assert(scores!.rows.length > 0);
  assert(parts!.goals.length > 0);
});
