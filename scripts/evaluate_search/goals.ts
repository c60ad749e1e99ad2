import type { AddressResults } from "./evaluate_addresses.ts";
import type { SearchResults } from "./evaluate_searches.ts";

/** Goal, and what was measured. */
export interface Goal {
  readonly name: string;
  readonly measured: string;
  readonly isMet: boolean;
}

function atLeast(
  name: string,
  part: number,
  whole: number,
  least: number,
): Goal {
  const share = whole === 0 ? 100 : 100 * part / whole;
  return {
    name: `${name}: at least ${least} %`,
    measured: `${share.toFixed(1)} %`,
    isMet: share >= least,
  };
}

function atMost(
  name: string,
  count: number,
  whole: number,
  most: number,
  of: number,
): Goal {
  return {
    name: `${name}: at most ${most === 0 ? "0" : `${most} of ${of}`}`,
    measured: `${count} of ${whole}`,
    isMet: count <= most * whole / of,
  };
}

/** Goals of searches. */
export function searchGoals({ sum }: SearchResults): Goal[] {
  return [
    atLeast("searches, right one first", sum.first, sum.asked, 88),
    atLeast("searches, right one among ten", sum.among, sum.asked, 95),
  ];
}

/** Answers of a tenth or of a place that are enough to judge it. */
const ENOUGH = 50;

/** Goals of addresses. */
export function addressGoals(results: AddressResults): Goal[] {
  const { sum, places, scores, differences } = results;
  return [
    atLeast("addresses, right", sum.right, sum.asked, 98),
    ...[...places].filter(([, { asked }]) => asked >= ENOUGH)
      .map(([name, { right, asked }]) =>
        atLeast(`addresses, ${name}`, right, asked, 94)
      ),
    atMost("addresses, wrong at 0.8", sum.wrongAndSure, sum.asked, 2, 1150),
    ...scoreGoals(scores),
    atMost(
      "lines with another answer than a body",
      differences,
      sum.asked,
      0,
      1,
    ),
  ];
}

function scoreGoals(scores: AddressResults["scores"]): Goal[] {
  return scores.tenths().filter(({ asked }) => asked >= ENOUGH)
    .map(({ from, meanScore, right }) => ({
      name: `share right, of scores from ${from.toFixed(1)}: within 0.1`,
      measured: `${right.toFixed(3)} at ${meanScore.toFixed(3)}`,
      isMet: Math.abs(right - meanScore) <= 0.1,
    }));
}

/** Goals of exact rows in parts. */
export function exactGoals({ sum }: AddressResults): Goal[] {
  return [
    atLeast("exact rows in parts, right", sum.right, sum.asked, 99.5),
    atMost(
      "exact rows in parts, wrong at 0.8",
      sum.wrongAndSure,
      sum.asked,
      1,
      5000,
    ),
  ];
}
