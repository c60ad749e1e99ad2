/**
 * Places of a release: ranges of states, municipalities, districts and
 * neighbourhoods.
 */
import type { Release } from "./release.ts";
import { type Connection, readRows, type TableNames } from "./connection.ts";
import { bisect } from "../util/bisect.ts";

/** Range of CEPs, including both ends. */
export interface CepRange {
  /** First CEP, as a number. */
  readonly first: number;
  /** Last CEP, as a number. */
  readonly last: number;
}

/** Range of CEPs of a locality. */
export interface LocalityRange extends CepRange {
  /** LOC_TIPO_FAIXA: `T` for the whole municipality, `C` for its seat. */
  readonly type: string;
}

/** Municipality, or one of its districts and villages. */
export interface GazetteerLocality {
  /** LOC_NU. */
  readonly number: number;
  /** LOC_NO. */
  readonly name: string;
  /** UFE_SG. */
  readonly uf: string;
  /** IBGE code of the municipality, `""` where the DNE has none. */
  readonly ibge: string;
  /** LOC_IN_TIPO_LOC: `M`, `D` or `P`. */
  readonly type: string;
  /** General CEP, `""` for a locality that is coded by street. */
  readonly cep: string;
  /** Ranges, in order of CEP. */
  readonly ranges: readonly LocalityRange[];
}

/** Neighbourhood of a municipality. */
export interface GazetteerNeighbourhood {
  /** BAI_NU. */
  readonly number: number;
  /** BAI_NO. */
  readonly name: string;
  /** District or village that it lies in, `""` in the municipality's seat. */
  readonly district: string;
  /** Ranges, in order of CEP. */
  readonly ranges: readonly CepRange[];
}

/**
 * Places of one release. Ranges are empty if the file of the DNE that contains
 * them was not imported, see {@linkcode Release.optionalFiles}.
 */
export interface Gazetteer {
  /** Release of the places. */
  readonly release: Release;
  /** Returns the ranges of a state, in order of CEP. */
  stateRanges(uf: string): readonly CepRange[];
  /** Returns the municipalities of a state, in order of name. */
  municipalities(uf: string): readonly GazetteerLocality[];
  /** Finds a municipality by its IBGE code. */
  municipality(ibge: string): GazetteerLocality | undefined;
  /**
   * Finds the municipality in whose range (of type `T`) a CEP lies, existing or
   * not; in the narrowest one if ranges overlap.
   */
  municipalityOf(cep: string): GazetteerLocality | undefined;
  /** Returns the districts and villages of a municipality, in order of name. */
  districts(municipality: GazetteerLocality): readonly GazetteerLocality[];
  /**
   * Returns the neighbourhoods of a municipality and of its districts, in order
   * of name.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  neighbourhoods(
    municipality: GazetteerLocality,
  ): Promise<readonly GazetteerNeighbourhood[]>;
}

/** Type of a range that covers a whole municipality. */
const WHOLE = "T";

/**
 * Reads the places of a release. Localities and their ranges, about 12,000 and
 * 6,000 rows, are read into memory; neighbourhoods are queried.
 */
export async function readPlaces(
  connection: Connection,
  release: Release,
): Promise<Gazetteer> {
  const states = await readStateRanges(connection);
  const localities = await readLocalities(connection);
  return new PlaceQueries(connection, release, states, localities);
}

async function readStateRanges(
  connection: Connection,
): Promise<Map<string, CepRange[]>> {
  const select = await connection.prepare(
    `SELECT uf, cep_ini, cep_fim FROM ${connection.table("faixa_uf")}
     ORDER BY uf, cep_ini`,
  );
  const ranges = new Map<string, CepRange[]>();
  for (const row of await select.all()) {
    const [uf, first, last] = row as [string, number, number];
    addTo(ranges, uf, { first, last });
  }
  return ranges;
}

/** Locality with its LOC_NU_SUB. */
interface Row extends GazetteerLocality {
  readonly parent: number | null;
}

async function readLocalities(connection: Connection): Promise<Row[]> {
  const ranges = await readLocalityRanges(connection);
  const rows = await readRows<
    [number, ...[string, string, string, string, string], number | null]
  >(connection, {
    table: "localidade",
    columns: "loc_nu, nome, uf, mun_nu, tipo, cep, loc_nu_sub",
    key: ["loc_nu"],
  });
  return rows.map(([number, name, uf, ibge, type, cep, parent]) => ({
    number,
    name,
    uf,
    ibge,
    type,
    cep,
    parent,
    ranges: ranges.get(number) ?? [],
  }));
}

async function readLocalityRanges(
  connection: Connection,
): Promise<Map<number, LocalityRange[]>> {
  const select = await connection.prepare(
    `SELECT loc_nu, cep_ini, cep_fim, tipo
     FROM ${connection.table("faixa_localidade")}
     ORDER BY loc_nu, cep_ini, tipo DESC`,
  );
  const ranges = new Map<number, LocalityRange[]>();
  for (const row of await select.all()) {
    const [number, first, last, type] = row as [number, number, number, string];
    addTo(ranges, number, { first, last, type });
  }
  return ranges;
}

function selectNeighbourhoods(table: TableNames): string {
  return `SELECT bairro.bai_nu, nome, loc_nu, cep_ini, cep_fim
    FROM ${table("bairro")} AS bairro
    LEFT JOIN ${table("faixa_bairro")} AS faixa ON faixa.bai_nu = bairro.bai_nu
    WHERE loc_nu IN (SELECT value FROM json_each(?))
    ORDER BY bairro.bai_nu, cep_ini`;
}

type NeighbourhoodRow = [
  number: number,
  name: string,
  locality: number,
  first: number | null,
  last: number,
];

class PlaceQueries implements Gazetteer {
  readonly release: Release;
  readonly #connection: Connection;
  readonly #stateRanges: ReadonlyMap<string, readonly CepRange[]>;
  /** Municipalities by state, in order of name. */
  readonly #byState = new Map<string, GazetteerLocality[]>();
  readonly #byIbge = new Map<string, GazetteerLocality>();
  /** Districts by the number of their municipality, in order of name. */
  readonly #districts = new Map<number, GazetteerLocality[]>();
  readonly #wholeRanges: RangeIndex<GazetteerLocality>;

  constructor(
    connection: Connection,
    release: Release,
    stateRanges: ReadonlyMap<string, readonly CepRange[]>,
    localities: readonly Row[],
  ) {
    this.#connection = connection;
    this.release = release;
    this.#stateRanges = stateRanges;
    for (const it of localities) {
      if (it.parent !== null) addTo(this.#districts, it.parent, it);
    }
    const municipalities = new Map<number, GazetteerLocality>();
    for (const it of localities) {
      if (it.parent !== null) continue;
      const municipality = { ...it, ibge: this.#ibgeOf(it) };
      municipalities.set(it.number, municipality);
      addTo(this.#byState, it.uf, municipality);
      if (municipality.ibge) this.#byIbge.set(municipality.ibge, municipality);
    }
    for (const list of this.#byState.values()) list.sort(byName);
    for (const list of this.#districts.values()) list.sort(byName);
    this.#wholeRanges = new RangeIndex(
      localities.flatMap(({ number, parent, ranges }) => {
        const owner = municipalities.get(parent ?? number);
        return owner === undefined ? [] : ranges
          .filter(({ type }) => type === WHOLE)
          .map(({ first, last }) => ({ first, last, owner }));
      }),
    );
  }

  /**
   * Returns the IBGE code of a municipality. That of a new one may be missing
   * although its districts have it.
   */
  #ibgeOf({ number, ibge }: Row): string {
    const districts = this.#districts.get(number) ?? [];
    return ibge || districts.find((it) => it.ibge !== "")?.ibge || "";
  }

  stateRanges(uf: string): readonly CepRange[] {
    return this.#stateRanges.get(uf) ?? [];
  }

  municipalities(uf: string): readonly GazetteerLocality[] {
    return this.#byState.get(uf) ?? [];
  }

  municipality(ibge: string): GazetteerLocality | undefined {
    return this.#byIbge.get(ibge);
  }

  municipalityOf(cep: string): GazetteerLocality | undefined {
    return this.#wholeRanges.find(Number(cep));
  }

  districts({ number }: GazetteerLocality): readonly GazetteerLocality[] {
    return this.#districts.get(number) ?? [];
  }

  async neighbourhoods(
    municipality: GazetteerLocality,
  ): Promise<readonly GazetteerNeighbourhood[]> {
    const districts = new Map(
      this.districts(municipality).map(({ number, name }) => [number, name]),
    );
    const select = await this.#connection.prepare(
      selectNeighbourhoods(this.#connection.table),
    );
    const numbers = [municipality.number, ...districts.keys()];
    const rows = await select.all([JSON.stringify(numbers)]);
    const found: (GazetteerNeighbourhood & { ranges: CepRange[] })[] = [];
    for (const row of rows as NeighbourhoodRow[]) {
      const [number, name, locality, first, last] = row;
      if (found.at(-1)?.number !== number) {
        const district = districts.get(locality) ?? "";
        found.push({ number, name, district, ranges: [] });
      }
      if (first !== null) found.at(-1)!.ranges.push({ first, last });
    }
    return found.sort(byName);
  }
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

const COLLATOR = new Intl.Collator("pt");

type Named = Pick<GazetteerLocality, "name" | "number">;

function byName(a: Named, b: Named): number {
  return COLLATOR.compare(a.name, b.name) || a.number - b.number;
}

/** Range and its owner. */
interface OwnedRange<T> extends CepRange {
  readonly owner: T;
}

/** Finds the narrowest range that contains a CEP. */
export class RangeIndex<T> {
  /** In order of the first CEP. */
  readonly #ranges: readonly OwnedRange<T>[];
  /** Highest last CEP of each range and all before it. */
  readonly #reach: readonly number[];

  constructor(ranges: readonly OwnedRange<T>[]) {
    this.#ranges = ranges.toSorted((a, b) => a.first - b.first);
    let reach = -1;
    this.#reach = this.#ranges.map(({ last }) => reach = Math.max(reach, last));
  }

  /** Returns the owner of the narrowest range that contains a CEP. */
  find(cep: number): T | undefined {
    let found: OwnedRange<T> | undefined;
    for (
      let i = this.#lastUpTo(cep);
      i >= 0 && this.#reach[i]! >= cep;
      i--
    ) {
      const range = this.#ranges[i]!;
      if (range.last < cep) continue;
      if (found === undefined || width(range) < width(found)) found = range;
    }
    return found?.owner;
  }

  /** Returns the index of the last range that begins at a CEP or before it. */
  #lastUpTo(cep: number): number {
    const { length } = this.#ranges;
    return bisect(length, (i) => this.#ranges[i]!.first <= cep) - 1;
  }
}

function width({ first, last }: CepRange): number {
  return last - first;
}
