/** The census read in the simplest way, to compare with. */
import type { CensusRow, NumberRange } from "../../../../cep/record/census.ts";
import { titleCase } from "../../../../cep/import/cnefe/names.ts";
import type { Values } from "./_census.ts";

/** Groups items by a text, in order of the texts. */
function groupBy<T>(
  items: readonly T[],
  textOf: (item: T) => string,
): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const text = textOf(item);
    groups.set(text, [...groups.get(text) ?? [], item]);
  }
  return [...groups].sort(([a], [b]) => a < b ? -1 : a === b ? 0 : 1);
}

/** Sorts groups by size, then by their texts. */
function bySize<T>(groups: [string, T[]][]): [string, T[]][] {
  return groups.toSorted(([, a], [, b]) => b.length - a.length);
}

/**
 * Returns the rows of a census whose points are all at one level, and as few
 * per CEP as a sample holds.
 *
 * @param fileOf Name of the file of a municipality.
 */
export function readSlowly(
  rows: readonly Values[],
  fileOf: (ibge: string) => string,
): CensusRow[] {
  const addresses = groupBy(rows, (row) => row.COD_UNICO_ENDERECO!)
    .map(([, [first]]) => first!);
  return groupBy(addresses, (row) => row.CEP!).map(([cep, all]) => {
    const groups = bySize(groupBy(all, (row) => row.COD_MUNICIPIO!));
    const [ibge, group] = groups[0]!;
    return toRow(cep, ibge, group, fileOf(ibge));
  });
}

function toRow(
  cep: string,
  ibge: string,
  group: readonly Values[],
  file: string,
): CensusRow {
  const localities = bySize(
    groupBy(group, (row) => row.DSC_LOCALIDADE!.trim())
      .filter(([name]) => name !== ""),
  );
  const streets = bySize(
    groupBy(group, (row) => `${row.NOM_SEGLOGR};${row.NOM_TIPO_SEGLOGR}`),
  );
  return {
    cep,
    ibge,
    locality: titleCase(localities[0]?.[0] ?? ""),
    point: {
      latitude: median(group, "LATITUDE"),
      longitude: median(group, "LONGITUDE"),
      radius: 6,
    },
    addresses: group.length,
    streets: streets.slice(0, 8).map(([street, rows]) => {
      const [name = "", type = ""] = street.split(";");
      return {
        type: titleCase(type),
        name: titleCase(name, { continues: true }),
        addresses: rows.length,
        odd: rangeOf(rows, 1),
        even: rangeOf(rows, 0),
      };
    }),
    streetCount: streets.length,
    file,
  };
}

function median(rows: readonly Values[], column: string): number {
  const sorted = rows.map((row) => Math.round(Number(row[column]) * 1e6))
    .sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const value = sorted.length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return Math.round(value / 10) / 1e5;
}

function rangeOf(rows: readonly Values[], rest: number): NumberRange | null {
  const numbers = rows.map((row) => Number(row.NUM_ENDERECO))
    .filter((number) => number > 0 && number % 2 === rest);
  return numbers.length === 0
    ? null
    : [Math.min(...numbers), Math.max(...numbers)];
}
