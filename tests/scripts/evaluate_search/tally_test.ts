/** Sums of answers, and tables of them. */
import { assertEquals } from "@std/assert";
import {
  type Column,
  percentages,
  plainTable,
  toMarkdown,
} from "../../../scripts/evaluate_search/table.ts";
import {
  AddressTally,
  Scores,
  SearchTally,
} from "../../../scripts/evaluate_search/tally.ts";
import { percentile } from "../../../scripts/evaluate_search/timing.ts";

Deno.test("SearchTally counts the first and the tenth result", () => {
  const tally = new SearchTally();
  for (const rank of [0, 3, -1]) tally.add(rank);
  const { asked, first, among } = tally;
  assertEquals({ asked, first, among }, { asked: 3, first: 1, among: 2 });
});

Deno.test("AddressTally counts sure answers, right and wrong", () => {
  const tally = new AddressTally();
  const right = { isRight: true, isNone: false, isRightCep: true };
  const wrong = { isRight: false, isNone: false, isRightCep: false };
  tally.add({ ...right, score: 0.8 });
  tally.add({ ...right, score: 0.79 });
  tally.add({ ...wrong, score: 1 });
  tally.add({ ...wrong, score: 0.6 });
  tally.add({ ...wrong, isNone: true, score: 0 });
  tally.add({ ...right, isNone: true, score: 1 });
  assertEquals({ ...tally }, {
    asked: 6,
    right: 3,
    rightAndSure: 1,
    none: 1,
    wrong: 2,
    wrongAndSure: 1,
  });
});

Deno.test("Scores compare each tenth with its share of right answers", () => {
  const scores = new Scores();
  scores.add(0.51, true);
  scores.add(0.6, false);
  scores.add(0.7, true);
  scores.add(1, true);
  scores.add(0.9, false);
  assertEquals(scores.tenths(), [
    { from: 0.5, asked: 1, meanScore: 0.51, right: 1 },
    { from: 0.6, asked: 1, meanScore: 0.6, right: 0 },
    { from: 0.7, asked: 1, meanScore: 0.7, right: 1 },
    { from: 0.9, asked: 2, meanScore: 0.95, right: 0.5 },
  ]);
});

Deno.test("Scores count answers with one CEP of a street apart", () => {
  const scores = new Scores();
  scores.add(0.5, true);
  scores.add(0.5, false);
  assertEquals(scores.oneOfStreet, { asked: 2, right: 1 });
  assertEquals(scores.tenths(), []);
});

Deno.test("percentile returns a value of the list", () => {
  assertEquals(percentile([3, 1, 2], 0.5), 2);
  assertEquals(percentile([3, 1, 2], 1), 3);
  assertEquals(percentile([], 0.5), 0);
});

const TABLE = {
  title: "Answers",
  columns: [
    { name: "kind" },
    { name: "asked" },
    percentages("right"),
  ] satisfies Column[],
  rows: [["clean", 60, 98.333], ["none", 0, null]],
};

Deno.test("plainTable aligns the columns", () => {
  assertEquals(
    plainTable(TABLE),
    `Answers
  kind   asked  right %
  clean     60     98.3
  none       0        –`,
  );
});

Deno.test("toMarkdown formats the same cells", () => {
  assertEquals(
    toMarkdown(TABLE),
    `Answers:

| kind  | asked | right % |
| ----- | ----- | ------- |
| clean | 60    | 98.3    |
| none  | 0     | –       |`,
  );
});
