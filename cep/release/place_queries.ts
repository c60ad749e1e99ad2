/**
 * Places of an open release. Localities and their ranges, about 12,000 and
 * 6,000 rows, are read into memory; neighbourhoods are queried.
 */
import type { Connection, TableNames } from "./connection.ts";
import type {
  CepRange,
  Gazetteer,
  GazetteerLocality,
  GazetteerNeighbourhood,
  LocalityRange,
} from "./gazetteer.ts";
import { readRows } from "./row_pages.ts";
import { RangeIndex } from "./range_index.ts";
import type { Release } from "./release.ts";

/** Type of a range that covers a whole municipality. */
const WHOLE = "T";

/** Reads the places of a release. */
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
