/** Sums of answers, and tables of them. */
import { assertEquals } from "@std/assert";
import {
  compareScores,
  formatTable,
  type Judged,
  tally,
} from "../../../scripts/evaluate_search/report.ts";

const RIGHT = { isRight: true, isNone: false, isRightCep: true };
const WRONG = { isRight: false, isNone: false, isRightCep: false };

Deno.test("tally counts sure answers, right and wrong", () => {
  const answers: Judged[] = [
    { ...RIGHT, score: 0.8 },
    { ...RIGHT, score: 0.79 },
    { ...WRONG, score: 1 },
    { ...WRONG, score: 0.6 },
    { ...WRONG, isNone: true, score: 0 },
    { ...RIGHT, isNone: true, score: 1 },
  ];
  assertEquals(tally(answers), {
    asked: 6,
    right: 3,
    rightAndSure: 1,
    none: 1,
    wrong: 2,
    wrongAndSure: 1,
  });
});

Deno.test("compareScores compares tenths with their shares of right answers", () => {
  const weight = 1;
  const { tenths, oneOfStreet } = compareScores([
    { ...RIGHT, score: 1, weight },
    { ...RIGHT, score: 0.51, weight },
    { ...WRONG, score: 0.6, weight },
    { ...RIGHT, score: 0.7, weight },
    { ...WRONG, score: 0.75, weight: 0.25 },
    { ...WRONG, score: 0.9, weight },
    { ...RIGHT, score: 0.5, weight },
    { ...WRONG, score: 0.5, weight },
    { ...WRONG, isNone: true, score: 0.5, weight },
  ]);
  assertEquals(tenths, [
    { from: 0.5, asked: 1, meanScore: 0.51, right: 1 },
    { from: 0.6, asked: 1, meanScore: 0.6, right: 0 },
    { from: 0.7, asked: 1.25, meanScore: 0.71, right: 0.8 },
    { from: 0.9, asked: 2, meanScore: 0.95, right: 0.5 },
  ]);
  assertEquals(oneOfStreet, { asked: 2, right: 1 });
});

Deno.test("formatTable aligns the columns", () => {
  assertEquals(
    formatTable({
      title: "Answers",
      columns: [["kind"], ["asked"], ["right %", 1]],
      rows: [["clean", 60, 98.333], ["none", 0, null]],
    }),
    `Answers
  kind   asked  right %
  clean     60     98.3
  none       0        –`,
  );
});
