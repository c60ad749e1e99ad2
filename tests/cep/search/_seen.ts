/** Search indexes with building numbers that a census saw. */
import type { CensusRow, NumberRange } from "../../../cep/record/census.ts";
import type { Entry } from "../../../cep/record/entry.ts";
import { Places } from "../../../cep/record/places.ts";
import { SearchIndexWriter } from "../../../cep/search/index_writer.ts";
import { Searcher } from "../../../cep/search/search.ts";
import type { SearchIndex } from "../../../cep/search/search_index.ts";
import { readIndex } from "./_sample_index.ts";

/** Returns a row of a CEP with one street. */
export function seenRow(
  cep: string,
  odd: NumberRange | null,
  even: NumberRange | null,
): CensusRow {
  const street = { type: "Rua", name: "das Flores", addresses: 9, odd, even };
  return {
    cep,
    ibge: "3599901",
    locality: "Centro",
    point: null,
    addresses: 9,
    streets: [street],
    streetCount: 1,
    file: "35_SP.csv",
  };
}

/** Writes and reads an index. */
export async function indexOf(
  rows: readonly CensusRow[],
  entries: readonly Entry[],
): Promise<SearchIndex> {
  const writer = new SearchIndexWriter(new Places());
  for (const row of rows) writer.addCensus(row);
  for (const it of entries) writer.add(it);
  return await readIndex(writer);
}

/** Returns the CEPs that a search finds, at most ten. */
export function findCeps(
  index: SearchIndex,
  text: string,
  number?: string,
): number[] {
  const searcher = new Searcher(index);
  const records = searcher.search({
    text,
    number,
    hasPrefix: false,
    offset: 0,
    limit: 10,
  });
  return records.map(({ record }) => searcher.cepOf(record));
}
