import type { Address } from "../../record/address.ts";
import type { CensusRow } from "../../record/census.ts";
import { type Agreement, Agreements } from "./agreement.ts";
import { DIFFERENCES_HEADER, toDifferenceLine } from "./csv.ts";
import { compareSources } from "./difference.ts";
import { joinSources } from "./join_sources.ts";

/** Content of a release, in batches and in order of CEP. */
export interface Comparable {
  /** Records as JSON. */
  readonly records: AsyncIterable<readonly string[]>;
  /** Rows of the CNEFE. */
  readonly census: AsyncIterable<readonly CensusRow[]>;
}

/** Result of a comparison. */
export interface Comparison {
  /** Counts of all CEPs. */
  readonly total: Agreement;
  /** Counts by state. */
  readonly byState: ReadonlyMap<string, Agreement>;
}

/** Lines that are written at once. */
const BATCH = 500;

/**
 * Writes what both sources disagree about as CSV, in order of CEP.
 *
 * @param write Writes text.
 */
export async function compareRelease(
  { records, census }: Comparable,
  write: (text: string) => Promise<void>,
): Promise<Comparison> {
  const agreements = new Agreements();
  await write(DIFFERENCES_HEADER);
  let lines: string[] = [];
  const joined = joinSources(
    parsed(records),
    census,
    ({ cep }) => cep,
    ({ cep }) => cep,
  );
  for await (const { key, one, other } of joined) {
    const compared = compareSources(key, one, other);
    agreements.add(compared);
    if (compared.kind === null) continue;
    if (lines.push(toDifferenceLine(compared)) < BATCH) continue;
    await write(lines.join(""));
    lines = [];
  }
  if (lines.length > 0) await write(lines.join(""));
  return { total: agreements.total, byState: agreements.byState };
}

async function* parsed(
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<Address[]> {
  for await (const page of pages) yield page.map((json) => JSON.parse(json));
}
