/** Candidates of the sample, compared with the scores of all its records. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Candidates } from "../../../cep/search/candidates.ts";
import { findWithin } from "../../../cep/search/filters.ts";
import { Scorer } from "../../../cep/search/scorer.ts";
import type {
  Interval,
  SearchIndex,
} from "../../../cep/search/search_index.ts";
import { Stretches } from "../../../cep/search/stretches.ts";
import {
  type Leniency,
  readWords,
  type Term,
  toTerms,
} from "../../../cep/search/terms.ts";
import {
  type Rank,
  type Ranked,
  TopRecords,
} from "../../../cep/search/top_records.ts";
import { sampleIndex } from "./_sample_index.ts";
import { QUERY } from "./_texts.ts";

const RUNS = 400;

const LENIENCY: fc.Arbitrary<Leniency> = fc.constantFrom<Leniency>(
  {},
  { shortened: true },
  { shortened: true, loose: true },
  { edits: "unknown" },
  { edits: "all", loose: true },
);

const FILTERS = fc.constantFrom(
  {},
  {},
  { uf: "SP" },
  { city: "São Paulo" },
  { city: "santa" },
  { uf: "PR", neighbourhood: "centro" },
);

const SEARCH = fc.record({
  text: QUERY,
  hasPrefix: fc.boolean(),
  leniency: LENIENCY,
  filters: FILTERS,
  number: fc.option(fc.constantFrom(1, 12, 501), { nil: undefined }),
});

type Search = typeof SEARCH extends fc.Arbitrary<infer T> ? T : never;

/** Tries a property on searches of the sample. */
async function check(
  property: (search: {
    readonly terms: readonly Term[];
    readonly within: readonly Interval[] | undefined;
    readonly adjust: ((record: number) => number) | undefined;
  }, limit: number) => void,
): Promise<void> {
  const index = await sampleIndex();
  const stretches = new Stretches(index.arrays);
  const prepare = (
    { text, hasPrefix, leniency, filters, number }: Search,
  ) => ({
    terms: toTerms(index, readWords(text), hasPrefix, leniency),
    within: findWithin(index, filters),
    adjust: number === undefined
      ? undefined
      : (record: number) =>
        stretches.score(record, { value: number, unit: "number" }),
  });
  fc.assert(
    fc.property(
      SEARCH,
      fc.constantFrom(1, 2, 3, 7),
      (search, limit) => property(prepare(search), limit),
    ),
    { numRuns: RUNS },
  );
}

/** Finds all records, by their scores alone. */
function scan(
  index: SearchIndex,
  { terms, within, adjust = () => 0 }: Parameters<
    Parameters<typeof check>[0]
  >[0],
): Rank[] {
  const scorer = new Scorer(index);
  scorer.begin(terms);
  const found: Rank[] = [];
  if (within === undefined && !terms.some((it) => it.isRequired)) return found;
  for (const [start, end] of within ?? [[0, index.recordCount]]) {
    for (let record = start!; record < end!; record++) {
      const score = scorer.scoreRecord(record, index.placeOf(record)) +
        adjust(record);
      const cep = index.arrays.ceps[record]!;
      if (score < Infinity) found.push({ score, cep });
    }
  }
  return found.sort((a, b) => a.score - b.score || a.cep - b.cep);
}

const toRank = ({ score, cep }: Ranked): Rank => ({ score, cep });

Deno.test("Candidates.find finds all records that match, in order of scores", async () => {
  const index = await sampleIndex();
  const candidates = new Candidates(index, new Scorer(index));
  await check((search, limit) => {
    const all = scan(index, search);
    for (const size of [limit, 100, 10_000]) {
      const top = new TopRecords(size, undefined);
      candidates.find(search.terms, { ...search, top });
      assertEquals(top.all.map(toRank), all.slice(0, size));
    }
  });
});

for (const maxWork of [50, 500, 100_000]) {
  Deno.test(`Candidates.find pages through the same records with ${maxWork} visits`, async () => {
    const index = await sampleIndex();
    const candidates = new Candidates(index, new Scorer(index), { maxWork });
    await check((search, limit) => {
      const find = (limit: number, after?: Rank) => {
        const top = new TopRecords(limit, after);
        candidates.find(search.terms, { ...search, top });
        return top.all;
      };
      const whole = find(40);
      const paged: Ranked[] = [];
      while (paged.length < whole.length) {
        const page = find(limit, paged.at(-1));
        if (page.length === 0) break;
        paged.push(...page);
      }
      assertEquals(paged.slice(0, 40), whole);
    });
  });
}
