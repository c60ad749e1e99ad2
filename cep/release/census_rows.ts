/**
 * Rows of the CNEFE in a release: their columns, written and read.
 */
import { parseCep } from "../record/address.ts";
import {
  type CensusPoint,
  type CensusRow,
  type CensusStreet,
  MAX_CENSUS_STREETS,
  type NumberRange,
} from "../record/census.ts";
import { toDegrees, toUnits } from "./points/points_layout.ts";
import {
  type Connection,
  readPages,
  type TableNames,
  type WritableConnection,
} from "./connection.ts";
import { type Literal, RowBuffer } from "./row_batch.ts";

/**
 * Checks a row.
 *
 * @throws {TypeError} If it cannot be stored.
 */
function requireCensusRow(row: CensusRow): void {
  const problem = findProblem(row);
  if (problem !== undefined) {
    throw new TypeError(`Cannot add census row ${row.cep}: ${problem}`);
  }
}

function findProblem(row: CensusRow): string | undefined {
  const { cep, ibge, point, addresses, streets, streetCount } = row;
  if (parseCep(cep) !== cep) return "its CEP is not eight digits";
  if (!/^\d{7}$/.test(ibge)) return `"${ibge}" is not an IBGE code`;
  if (!isCount(addresses, 1)) return "its number of addresses is not a count";
  if (point !== null && !isPoint(point)) return "its point is not on the Earth";
  if (!isCount(streetCount)) return "its number of streets is not a count";
  const expected = Math.min(streetCount, MAX_CENSUS_STREETS);
  if (streets.length !== expected) {
    return `it has ${streets.length} of ${expected} streets`;
  }
  return streets.every(isStreet)
    ? undefined
    : "the numbers of a street are not counts";
}

function isPoint({ latitude, longitude, radius }: CensusPoint): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 &&
    isCount(radius);
}

function isStreet({ addresses, odd, even }: CensusStreet): boolean {
  return isCount(addresses, 1) && isRange(odd) && isRange(even);
}

function isRange(range: NumberRange | null): boolean {
  return range === null || range.every((it) => isCount(it));
}

function isCount(number: number, least = 0): boolean {
  return Number.isInteger(number) && number >= least && number < 2 ** 32;
}

/** Returns the columns of the table `censo`. */
function toCensusColumns(row: CensusRow): Literal[] {
  const { cep, ibge, locality, point, addresses, streetCount, file } = row;
  return [
    Number(cep),
    ibge,
    locality,
    point && toUnits(point.latitude),
    point && toUnits(point.longitude),
    point && point.radius,
    addresses,
    streetCount,
    file,
  ];
}

/** Returns the columns of the table `censo_logradouro`. */
function toStreetColumns(
  { cep }: CensusRow,
  { type, name, addresses, odd, even }: CensusStreet,
  order: number,
): Literal[] {
  const [oddFrom = null, oddTo = null] = odd ?? [];
  const [evenFrom = null, evenTo = null] = even ?? [];
  const limits = [oddFrom, oddTo, evenFrom, evenTo];
  return [Number(cep), order, type, name, addresses, ...limits];
}

/** Columns of a row, in the order of {@linkcode toCensusRow}. */
type Columns = [
  cep: number,
  ibge: string,
  locality: string,
  latitude: number | null,
  longitude: number | null,
  radius: number | null,
  addresses: number,
  streetCount: number,
  file: string,
  streets: StreetColumns[],
];

type StreetColumns = [
  type: string,
  name: string,
  addresses: number,
  oddFrom: number | null,
  oddTo: number | null,
  evenFrom: number | null,
  evenTo: number | null,
];

/** Returns the expressions of {@linkcode Columns} over a row of `censo`. */
function censusColumns(table: TableNames, row: string): string {
  return `${row}.cep, mun_nu, localidade, latitude, longitude, raio_m,
    enderecos, logradouros, arquivo,
    json((SELECT json_group_array(json_array(tipo_logradouro, nome, enderecos,
      impar_ini, impar_fim, par_ini, par_fim)) FROM
      (SELECT * FROM ${table("censo_logradouro")} AS streets
       WHERE streets.cep = ${row}.cep ORDER BY ordem)))`;
}

/** Returns the query for the row of a CEP, as a JSON array. */
export function selectCensusRow(table: TableNames): string {
  return `SELECT json_array(${censusColumns(table, "censo")})
    FROM ${table("censo")} AS censo WHERE cep = ?`;
}

/** Reads the JSON array of a row. */
export function parseCensusRow(json: string): CensusRow {
  return toCensusRow(JSON.parse(json));
}

/** Iterates over all rows, in batches and in order of CEP. */
export async function* readCensus(
  connection: Connection,
): AsyncGenerator<CensusRow[]> {
  const pages = readPages<Columns>(connection, {
    table: "censo",
    columns: censusColumns(connection.table, "page"),
    key: ["cep"],
  });
  for await (const rows of pages) yield rows.map(toCensusRow);
}

function toCensusRow(columns: Columns): CensusRow {
  const [cep, ibge, locality, latitude, longitude, radius, ...others] = columns;
  const [addresses, streetCount, file, streets] = others;
  return {
    cep: `${cep}`.padStart(8, "0"),
    ibge,
    locality,
    point: latitude === null || longitude === null ? null : {
      latitude: toDegrees(latitude),
      longitude: toDegrees(longitude),
      radius: radius ?? 0,
    },
    addresses,
    streets: streets.map(toStreet),
    streetCount,
    file,
  };
}

function toStreet(
  [type, name, addresses, oddFrom, oddTo, evenFrom, evenTo]: StreetColumns,
): CensusStreet {
  return {
    type,
    name,
    addresses,
    odd: toRange(oddFrom, oddTo),
    even: toRange(evenFrom, evenTo),
  };
}

function toRange(from: number | null, to: number | null): NumberRange | null {
  return from === null || to === null ? null : [from, to];
}

/** Collects rows of the tables `censo` and `censo_logradouro`. */
export class CensusBuffer {
  readonly #rows: RowBuffer;
  readonly #streets: RowBuffer;

  constructor(connection: WritableConnection) {
    this.#rows = new RowBuffer(connection, "censo");
    this.#streets = new RowBuffer(connection, "censo_logradouro");
  }

  /**
   * Adds a row. Returns true if there are enough rows for a statement.
   *
   * @throws {TypeError} If it cannot be stored.
   */
  add(row: CensusRow): boolean {
    requireCensusRow(row);
    let isFull = this.#rows.add(toCensusColumns(row));
    row.streets.forEach((street, i) => {
      isFull = this.#streets.add(toStreetColumns(row, street, i)) || isFull;
    });
    return isFull;
  }

  async insert(): Promise<void> {
    // At once, because other rows may be added meanwhile.
    await Promise.all([this.#rows.insert(), this.#streets.insert()]);
  }
}
