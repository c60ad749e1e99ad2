import type {
  CensusPoint,
  CensusRow,
  CensusStreet,
  NumberRange,
} from "../../record/census.ts";
import { NO_POINT } from "./file_counts.ts";
import type { MergedCounts, Winner } from "./merge.ts";
import { titleCase } from "./names.ts";
import { textAt } from "./text_list.ts";

/** Rows per batch. */
const BATCH = 1000;

/**
 * Returns the rows in order of CEP, in batches, which may be empty.
 *
 * @param isWanted Returns true for a CEP, as a number, whose row is needed: the
 * names of the others are not written.
 */
export function* rowsOf(
  counts: MergedCounts,
  isWanted: (cep: number) => boolean = () => true,
): Generator<CensusRow[]> {
  for (let start = 0; start < counts.size; start += BATCH) {
    const end = Math.min(start + BATCH, counts.size);
    const rows: CensusRow[] = [];
    for (let i = start; i < end; i++) {
      const winner = counts.at(i);
      if (isWanted(cepOf(winner))) rows.push(toRow(winner));
    }
    yield rows;
  }
}

function cepOf({ result, group }: Winner): number {
  return result.counts.groups.ceps[group]!;
}

function toRow(winner: Winner): CensusRow {
  const { result: { counts, report }, group } = winner;
  const { groups, texts } = counts;
  return {
    cep: `${cepOf(winner)}`.padStart(8, "0"),
    ibge: `${groups.municipalities[group]}`,
    locality: titleCase(textAt(texts, groups.localities[group]!)),
    point: pointOf(winner),
    addresses: groups.addresses[group]!,
    streets: streetsOf(winner),
    streetCount: groups.streetCounts[group]!,
    file: report.file,
  };
}

function pointOf({ result, group }: Winner): CensusPoint | null {
  const { latitudes, longitudes, radii } = result.counts.groups;
  if (latitudes[group] === NO_POINT) return null;
  return {
    latitude: latitudes[group]! / 1e5,
    longitude: longitudes[group]! / 1e5,
    radius: radii[group]!,
  };
}

function streetsOf({ result, group }: Winner): CensusStreet[] {
  const { groups: { firstStreets }, streets, texts } = result.counts;
  const found: CensusStreet[] = [];
  for (let i = firstStreets[group]!; i < firstStreets[group + 1]!; i++) {
    const type = titleCase(textAt(texts, streets.types[i]!));
    const name = textAt(texts, streets.names[i]!);
    found.push({
      type,
      name: titleCase(name, { continues: type !== "" }),
      addresses: streets.addresses[i]!,
      odd: rangeOf(streets.oddFrom[i]!, streets.oddTo[i]!),
      even: rangeOf(streets.evenFrom[i]!, streets.evenTo[i]!),
    });
  }
  return found;
}

function rangeOf(from: number, to: number): NumberRange | null {
  return from === 0 ? null : [from, to];
}
