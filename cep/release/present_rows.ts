import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
  Origin,
} from "../record/entry.ts";
import type { CensusRow } from "../record/census.ts";
import type { NumberSet } from "../util/number_set.ts";
import { readCensus } from "./census_rows.ts";
import { StoredChanges } from "./cep_history.ts";
import {
  type Connection,
  one,
  readPages,
  readRows,
  type TableNames,
  type Value,
} from "./connection.ts";
import type { PresentRows } from "./staging.ts";

/** Rows per query. */
const ROWS = 5000;

/** CEPs per query. */
const CODES = 50_000;

/** Numbers per query. */
const NUMBERS = 500;

/** Columns of `cep` and `duplicado`, in the order of {@linkcode toEntry}. */
const ENTRY_COLUMNS =
  "cep, numero, loc_nu, bai_nu, origem, ordem, logradouro, complemento, nome";

type EntryRow = [
  cep: number,
  number: number,
  locality: number,
  neighbourhood: number | null,
  origin: number,
  order: number,
  street: string,
  complement: string,
  name: string,
];

/** Members of an entry that are in the table `origem`. */
type OriginMembers = Pick<
  Entry,
  "typeInName" | "streetType" | "origin" | "uf" | "file"
>;

/** Reader of the rows of a release. */
export class StoredRows implements PresentRows {
  readonly #connection: Connection;
  readonly #table: TableNames;
  #origins: Map<number, OriginMembers> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#table = connection.table;
  }

  async findDamage(): Promise<string | undefined> {
    return await this.#connection.findDamage?.();
  }

  async localities(): Promise<Locality[]> {
    const rows = await readRows(this.#connection, {
      table: "localidade",
      columns: "loc_nu, uf, nome, cep, situacao, tipo, loc_nu_sub, mun_nu, " +
        "nome_abrev",
      key: ["ordem"],
    });
    return rows.map(toLocality);
  }

  async neighbourhoods(): Promise<Neighbourhood[]> {
    const rows = await readRows(this.#connection, {
      table: "bairro",
      columns: "bai_nu, uf, loc_nu, nome, nome_abrev",
      key: ["bai_nu"],
    });
    return rows.map(toNeighbourhood);
  }

  async *details(table: DetailTable): AsyncGenerator<DetailRow[]> {
    const key = await this.#all(
      "SELECT name, cid FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
      [this.#table(table)],
    ) as [name: string, position: number][];
    const names = key.map(([name]) => name).join(", ");
    const select = (where: string) =>
      this.#connection.prepare(
        `SELECT * FROM ${
          this.#table(table)
        } ${where} ORDER BY ${names} LIMIT ${ROWS}`,
      );
    const next = await select(
      `WHERE (${names}) > (${key.map(() => "?").join(", ")})`,
    );
    let rows = await (await select("")).all();
    while (rows.length > 0) {
      yield rows as DetailRow[];
      const last = rows.at(-1)!;
      rows = await next.all(key.map(([, position]) => last[position]!));
    }
  }

  census(): AsyncGenerator<CensusRow[]> {
    return readCensus(this.#connection);
  }

  async *entries(): AsyncGenerator<Entry[]> {
    const origins = await this.#readOrigins();
    const pages = readPages<EntryRow>(this.#connection, {
      table: "cep",
      columns: ENTRY_COLUMNS,
      key: ["cep"],
    });
    for await (const rows of pages) {
      yield rows.map((row) => toEntry(row, origins));
    }
  }

  async *dneCodes(): AsyncGenerator<number[]> {
    const cep = this.#table("cep");
    const ofDne = `SELECT cep FROM ${cep} WHERE origem NOT IN
      (SELECT id FROM ${this.#table("origem")} WHERE tipo_origem = 'cnefe')`;
    const changed = `SELECT DISTINCT cep FROM ${this.#table("historico")}`;
    yield* this.#codesOf(`${ofDne} AND cep > ?`);
    yield* this.#codesOf(`${changed} WHERE cep > ?`);
  }

  /** Iterates over the CEPs of a query with a parameter: the last CEP. */
  async *#codesOf(query: string): AsyncGenerator<number[]> {
    // One text per query, because an array per row would take longer.
    const select = await this.#connection.prepare(
      `SELECT group_concat(cep), max(cep)
       FROM (${query} ORDER BY cep LIMIT ${CODES})`,
    );
    let last: number | null = -1;
    while (last !== null) {
      const [row] = await select.all([last]);
      const [text, max] = row as [string | null, number | null];
      if (text !== null) yield `${text}`.split(",").map(Number);
      last = max;
    }
  }

  async duplicates(): Promise<Entry[]> {
    const origins = await this.#readOrigins();
    const rows = await readRows<EntryRow>(this.#connection, {
      table: "duplicado",
      columns: ENTRY_COLUMNS,
      key: ["cep", "id"],
    });
    return rows.map((row) => toEntry(row, origins));
  }

  async findEntries(numbers: readonly number[]): Promise<Entry[]> {
    const found: Entry[] = [];
    for (let i = 0; i < numbers.length; i += NUMBERS) {
      const some = numbers.slice(i, i + NUMBERS).join(",");
      found.push(
        ...await this.#entriesOf(
          `SELECT ${ENTRY_COLUMNS} FROM ${this.#table("cep")}
           WHERE numero IN (${some})`,
        ),
      );
    }
    return found;
  }

  async lastOrder(): Promise<number> {
    return await one<number>(
      this.#connection,
      `SELECT max(ifnull((SELECT max(ordem) FROM ${this.#table("cep")}), 0),
       ifnull((SELECT max(ordem) FROM ${this.#table("duplicado")}), 0))`,
    );
  }

  async unknownMoves(
    moves: readonly Move[],
    dneVersion: string,
  ): Promise<Move[]> {
    const changes = await StoredChanges.prepare(this.#connection);
    // A CEP that is current again may move again, in another version.
    // Queries of a server are sent together.
    const isKnown = await Promise.all(moves.map(async ({ from, to }) => {
      const known = (await changes.of(from))
        .filter(({ successor }) => successor === to);
      return known.some((it) => it.dneVersion === dneVersion) ||
        known.length > 0 && !await changes.isCurrent(from);
    }));
    return moves.filter((_, i) => !isKnown[i]);
  }

  /** Returns the entries whose CEP is not in a set. */
  async missingFrom(codes: NumberSet): Promise<Entry[]> {
    const missing: number[] = [];
    const present = `SELECT cep FROM ${this.#table("cep")} WHERE cep > ?`;
    for await (const some of this.#codesOf(present)) {
      missing.push(...some.filter((cep) => !codes.has(cep)));
    }
    const found: Entry[] = [];
    for (let i = 0; i < missing.length; i += NUMBERS) {
      const some = missing.slice(i, i + NUMBERS).join(",");
      found.push(
        ...await this.#entriesOf(
          `SELECT ${ENTRY_COLUMNS} FROM ${this.#table("cep")}
           WHERE cep IN (${some}) ORDER BY cep`,
        ),
      );
    }
    return found;
  }

  async #entriesOf(sql: string): Promise<Entry[]> {
    const origins = await this.#readOrigins();
    const rows = await this.#all(sql) as EntryRow[];
    return rows.map((row) => toEntry(row, origins));
  }

  async #readOrigins(): Promise<Map<number, OriginMembers>> {
    return this.#origins ??= new Map(
      (await this.#all(
        `SELECT id, prefixo, tipo_logradouro, tipo_origem, uf, nome_origem
         FROM ${this.#table("origem")}`,
      )).map(([id, prefix, streetType, origin, uf, file]) => [id as number, {
        typeInName: prefix !== "",
        streetType: streetType as string,
        origin: origin as Origin,
        uf: uf as string,
        file: file as string,
      }]),
    );
  }

  async #all(sql: string, values: readonly Value[] = []): Promise<Value[][]> {
    return await (await this.#connection.prepare(sql)).all(values);
  }
}

function toLocality(row: readonly Value[]): Locality {
  const [number, uf, name, cep, situation, type, parent, ibge, abbreviation] =
    row;
  return {
    number,
    uf,
    name,
    cep,
    situation,
    type,
    parent,
    ibge,
    abbreviation,
  } as Locality;
}

function toNeighbourhood(row: readonly Value[]): Neighbourhood {
  const [number, uf, locality, name, abbreviation] = row;
  return { number, uf, locality, name, abbreviation } as Neighbourhood;
}

function toEntry(
  [cep, number, locality, neighbourhood, origin, order, ...texts]: EntryRow,
  origins: ReadonlyMap<number, OriginMembers>,
): Entry {
  const [street, complement, name] = texts;
  const { uf, streetType, typeInName, origin: kind, file } = origins.get(
    origin,
  )!;
  return {
    cep: `${cep}`.padStart(8, "0"),
    number,
    uf,
    locality,
    neighbourhood,
    streetType,
    typeInName,
    street,
    complement,
    name,
    origin: kind,
    file,
    order,
  };
}
