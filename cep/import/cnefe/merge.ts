import { orderOf, textAt } from "./tables.ts";
import type { FileResult } from "./read_file.ts";
import type {
  CensusPoint,
  CensusRow,
  CensusStreet,
  NumberRange,
} from "../../record/census.ts";
import { NO_POINT } from "./summarize.ts";
import { titleCase } from "./names.ts";

/** Group of a file. */
export interface Winner {
  readonly result: FileResult;
  /** Index of the group in the file. */
  readonly group: number;
}

/** Groups that stand for the CEPs: those with most addresses. */
export class MergedCounts {
  readonly size: number;
  readonly #results: readonly FileResult[];
  /** Index of the file of each CEP, in order of CEP. */
  readonly #files: Uint32Array;
  /** Index of the group of each CEP in its file. */
  readonly #groups: Uint32Array;

  /**
   * Chooses the group of each CEP. Of two with as many addresses, that of the
   * lower municipality is chosen, so that the order of the files does not
   * matter.
   *
   * @param leftOut Municipalities to leave out of each file.
   */
  constructor(
    results: readonly FileResult[],
    leftOut: readonly ReadonlySet<number>[],
  ) {
    this.#results = results;
    const total = results.reduce(
      (sum, { counts }) => sum + counts.groups.ceps.length,
      0,
    );
    const ceps = new Uint32Array(total);
    const files = new Uint32Array(total);
    const groups = new Uint32Array(total);
    let size = 0;
    for (const [file, { counts }] of results.entries()) {
      const { ceps: own, municipalities } = counts.groups;
      const without = leftOut[file]!;
      for (let group = 0; group < own.length; group++) {
        if (without.has(municipalities[group]!)) continue;
        ceps[size] = own[group]!;
        files[size] = file;
        groups[size] = group;
        size++;
      }
    }
    const order = orderOf(ceps.subarray(0, size));
    this.#files = new Uint32Array(size);
    this.#groups = new Uint32Array(size);
    let last = -1;
    for (const position of order) {
      const file = files[position]!;
      const group = groups[position]!;
      const isSame = last >= 0 && ceps[position] === this.#cepAt(last);
      if (isSame && !this.#loses(last, file, group)) continue;
      if (!isSame) last++;
      this.#files[last] = file;
      this.#groups[last] = group;
    }
    this.size = last + 1;
  }

  /** Returns the group of a CEP by its position in order of CEP. */
  at(index: number): Winner {
    return {
      result: this.#results[this.#files[index]!]!,
      group: this.#groups[index]!,
    };
  }

  #cepAt(index: number): number {
    return this.#groupsOf(this.#files[index]!).ceps[this.#groups[index]!]!;
  }

  #groupsOf(file: number) {
    return this.#results[file]!.counts.groups;
  }

  /** True if another group has more addresses than the one chosen so far. */
  #loses(index: number, file: number, group: number): boolean {
    const other = this.#groupsOf(file);
    const own = this.#groupsOf(this.#files[index]!);
    const chosen = this.#groups[index]!;
    const more = other.addresses[group]! - own.addresses[chosen]!;
    if (more !== 0) return more > 0;
    return other.municipalities[group]! < own.municipalities[chosen]!;
  }
}

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
