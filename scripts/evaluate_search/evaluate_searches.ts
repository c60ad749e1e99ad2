import type { Address } from "@carteiro/cep";
import type { SearchQuestion } from "./question.ts";
import { describe, type Miss } from "./misses.ts";
import type { Service } from "./service.ts";
import { percent, percentages, type Table } from "./table.ts";
import { SearchTally } from "./tally.ts";
import { percentile, processorSeconds } from "./timing.ts";

/** Results of searches. */
export interface SearchResults {
  readonly kinds: ReadonlyMap<string, SearchTally>;
  readonly sum: SearchTally;
  readonly misses: readonly Miss[];
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Number of questions before the clock starts. */
const WARM_UP = 200;

/** Asks searches, and counts the right answers. */
export async function evaluateSearches(
  service: Service,
  questions: readonly SearchQuestion[],
): Promise<SearchResults> {
  const kinds = new Map<string, SearchTally>();
  const sum = new SearchTally();
  const misses: Miss[] = [];
  const times: number[] = [];
  const answers: (readonly Address[])[] = [];
  const step = Math.max(1, Math.floor(questions.length / WARM_UP));
  for (let i = 0; i < questions.length; i += step) {
    await service.search(questions[i]!.query);
  }
  const seconds = await processorSeconds(async () => {
    for (const { query } of questions) {
      const start = performance.now();
      answers.push(await service.search(query));
      times.push(performance.now() - start);
    }
  });
  questions.forEach(({ kind, place, query, record, isAnswer }, i) => {
    const found = answers[i]!;
    const rank = found.findIndex(isAnswer);
    const tally = kinds.get(kind) ?? new SearchTally();
    kinds.set(kind, tally);
    tally.add(rank);
    sum.add(rank);
    if (rank === 0) return;
    const got = found.slice(0, 3).map(describe).join("; ") || "nothing";
    misses.push({
      kind,
      place,
      asked: JSON.stringify(query),
      expected: describe(record),
      got: rank > 0 ? `${got} (right: number ${rank + 1})` : got,
    });
  });
  return {
    kinds,
    sum,
    misses,
    perSecond: questions.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/** Returns the table of the kinds. */
export function searchTable({ kinds, sum }: SearchResults): Table {
  const row = (name: string, { asked, first, among }: SearchTally) => [
    name,
    asked,
    percent(first, asked),
    percent(among, asked),
  ];
  return {
    title: "Searches (GET /busca)",
    columns: [
      { name: "kind" },
      { name: "asked" },
      percentages("right@1"),
      percentages("right@10"),
    ],
    rows: [
      ...[...kinds].map(([name, tally]) => row(name, tally)),
      row("all", sum),
    ],
  };
}
