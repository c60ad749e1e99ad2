import {
  type Columns,
  type Header,
  MAX_ROW_BYTES,
  NO_COORDINATE,
  NO_NUMBER,
  readCoordinate,
  readDigits,
  type ScanFault,
} from "./rows.ts";
import { hashBytes, mix, PairTable, TextTable } from "./tables.ts";
import { Growing } from "../../util/growing.ts";
import { NumberSet } from "../../util/number_set.ts";
import { PointSamples } from "./point_samples.ts";
import { type CensusWarning, type Rejection, RowNotes } from "./report.ts";
import { isState, stateOfCep } from "./state_ranges.ts";

/** Lowest CEP, as a number. */
const LEAST_CEP = 1_000_000;

/** Highest building number: IBGE has no more than five digits. */
const MAX_NUMBER = 99_999;

/** Columns that are counted, except for the codes and the CEP. */
const SUMMED = [
  "DSC_LOCALIDADE",
  "NOM_TIPO_SEGLOGR",
  "NOM_TITULO_SEGLOGR",
  "NOM_SEGLOGR",
  "NUM_ENDERECO",
  "LATITUDE",
  "LONGITUDE",
  "NV_GEO_COORD",
] as const;

/** Bounds of Brazil with its islands, in millionths of a degree. */
const BRAZIL = { south: -34e6, north: 5.5e6, west: -74.1e6, east: -28.5e6 };

/** Counts the addresses of each CEP in each municipality: a group. */
export class AddressCounter {
  /** Rows without the header. */
  rows = 0;
  /** Rows with the code of an earlier row. */
  repeated = 0;
  /** Rows that are not counted. */
  readonly rejections = new RowNotes<Rejection>();
  /** Rows that are counted with a warning. */
  readonly warnings = new RowNotes<CensusWarning>();
  /** CEP and municipality of each group. */
  readonly groups = new PairTable();
  /** Number of addresses of each group. */
  readonly addresses = new Growing();
  /** Points of each group. */
  readonly points = new PointSamples();
  /** Streets of each group. */
  readonly streets = new StreetCounts();
  readonly localities = new TextTable();
  /** Group and text of each locality. */
  readonly groupLocalities = new PairTable();
  /** Number of addresses of each locality of a group. */
  readonly localityAddresses = new Growing();
  /** Rows of each municipality, and a sum that depends on their values. */
  readonly municipalities = new Map<number, { rows: number; sum: number }>();
  readonly #columns: Columns;
  readonly #count: number;
  /** Positions of the columns of {@linkcode SUMMED}. */
  readonly #summed: readonly number[];
  readonly #seen = new NumberSet();

  constructor({ columns, count }: Header) {
    this.#columns = columns;
    this.#summed = SUMMED.map((name) => columns[name])
      .filter((column) => column !== undefined);
    this.#count = count;
  }

  /** Counts a row that cannot be read. */
  fault(fault: ScanFault, line: number): void {
    this.rows++;
    this.rejections.add(fault, line);
  }

  row(
    bytes: Uint8Array,
    starts: Int32Array,
    count: number,
    line: number,
  ): void {
    this.rows++;
    if (count !== this.#count) {
      return this.rejections.add("number of columns", line);
    }
    const { CEP, COD_MUNICIPIO } = this.#columns;
    const cep = readCep(bytes, starts[CEP]!, starts[CEP + 1]! - 1);
    if (cep === NO_NUMBER) return this.rejections.add("CEP", line);
    const municipality = readMunicipality(
      bytes,
      starts[COD_MUNICIPIO]!,
      starts[COD_MUNICIPIO + 1]! - 1,
    );
    if (municipality === NO_NUMBER) {
      return this.rejections.add("municipality", line);
    }
    const code = this.#readCode(bytes, starts);
    const hash = code === NO_NUMBER
      ? hashBytes(bytes, starts[0]!, starts[count]! - 1)
      : mix(code);
    this.#sumUp(municipality, this.#hashValues(bytes, starts, hash ^ cep));
    if (code !== NO_NUMBER && !this.#seen.add(code)) {
      this.repeated++;
      return;
    }
    if (stateOfCep(cep) !== Math.trunc(municipality / 100_000)) {
      this.warnings.add("CEP of another state", line);
    }
    const group = this.groups.indexOf(cep, municipality);
    this.addresses.increment(group);
    const number = this.#readNumber(bytes, starts, line);
    this.streets.add(group, bytes, starts, this.#columns, number);
    this.#addLocality(group, bytes, starts);
    this.#addPoint(group, bytes, starts, line, hash);
  }

  /** Reads the code of an address. IBGE's begin at 1. */
  #readCode(bytes: Uint8Array, starts: Int32Array): number {
    const code = this.#readOptional(bytes, starts, "COD_UNICO_ENDERECO");
    return code === 0 ? NO_NUMBER : code;
  }

  #readOptional(
    bytes: Uint8Array,
    starts: Int32Array,
    name: "COD_UNICO_ENDERECO" | "NUM_ENDERECO" | "NV_GEO_COORD",
  ): number {
    const column = this.#columns[name];
    if (column === undefined) return NO_NUMBER;
    return readDigits(bytes, starts[column]!, starts[column + 1]! - 1);
  }

  /** Hashes the values of a row that are counted. */
  #hashValues(bytes: Uint8Array, starts: Int32Array, before: number): number {
    let hash = mix(before);
    for (const column of this.#summed) {
      hash = hashBytes(bytes, starts[column]!, starts[column + 1]! - 1, hash);
    }
    return hash;
  }

  /** Adds to the sum of a municipality, whatever the order of its rows. */
  #sumUp(municipality: number, hash: number): void {
    const sums = this.municipalities.get(municipality);
    if (sums === undefined) {
      this.municipalities.set(municipality, { rows: 1, sum: hash });
    } else {
      sums.rows++;
      sums.sum = sums.sum + hash >>> 0;
    }
  }

  /** Reads the building number, 0 without one. */
  #readNumber(bytes: Uint8Array, starts: Int32Array, line: number): number {
    const column = this.#columns.NUM_ENDERECO;
    if (column === undefined) return 0;
    const start = starts[column]!;
    const end = starts[column + 1]! - 1;
    if (end <= start) return 0;
    const number = readDigits(bytes, start, end);
    if (number >= 0 && number <= MAX_NUMBER) return number;
    this.warnings.add("building number", line);
    return 0;
  }

  #addLocality(group: number, bytes: Uint8Array, starts: Int32Array): void {
    const column = this.#columns.DSC_LOCALIDADE;
    if (column === undefined) return;
    const start = starts[column]!;
    const end = starts[column + 1]! - 1;
    if (end <= start) return;
    const text = this.localities.indexOf(bytes, start, end);
    const index = this.groupLocalities.indexOf(group, text);
    this.localityAddresses.increment(index);
  }

  #addPoint(
    group: number,
    bytes: Uint8Array,
    starts: Int32Array,
    line: number,
    hash: number,
  ): void {
    const { LATITUDE, LONGITUDE } = this.#columns;
    if (LATITUDE === undefined || LONGITUDE === undefined) return;
    const latitudeEnd = starts[LATITUDE + 1]! - 1;
    const longitudeEnd = starts[LONGITUDE + 1]! - 1;
    if (
      latitudeEnd === starts[LATITUDE] && longitudeEnd === starts[LONGITUDE]
    ) return;
    const latitude = readCoordinate(bytes, starts[LATITUDE]!, latitudeEnd);
    const longitude = readCoordinate(bytes, starts[LONGITUDE]!, longitudeEnd);
    if (!isInBrazil(latitude, longitude)) {
      return this.warnings.add("coordinates", line);
    }
    const tier = this.#columns.NV_GEO_COORD === undefined
      ? 0
      : tierOf(this.#readOptional(bytes, starts, "NV_GEO_COORD"));
    this.points.add(group, tier, hash, latitude, longitude);
  }
}

/** Reads a CEP of 7 or 8 digits: a leading zero may be missing. */
function readCep(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 7 || end - start > 8) return NO_NUMBER;
  const cep = readDigits(bytes, start, end);
  return cep < LEAST_CEP ? NO_NUMBER : cep;
}

function readMunicipality(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (end - start !== 7) return NO_NUMBER;
  const code = readDigits(bytes, start, end);
  return isState(Math.trunc(code / 100_000)) ? code : NO_NUMBER;
}

function isInBrazil(latitude: number, longitude: number): boolean {
  return latitude !== NO_COORDINATE && longitude !== NO_COORDINATE &&
    latitude >= BRAZIL.south && latitude <= BRAZIL.north &&
    longitude >= BRAZIL.west && longitude <= BRAZIL.east;
}

/**
 * Returns the tier of a level of precision: points of the census, estimates,
 * centres of localities and sectors.
 */
function tierOf(level: number): number {
  if (level === 1 || level === 2) return 0;
  return level === 3 || level === 4 ? 1 : 2;
}

const SEPARATOR = 0x3B;

/**
 * Counts the addresses of each street of each group, and the lowest and highest
 * building number on each side, 0 without.
 */
export class StreetCounts {
  /** Type, title and name of streets as written, between semicolons. */
  readonly texts = new TextTable();
  /** Group and text of each street of a group. */
  readonly pairs = new PairTable();
  readonly addresses = new Growing();
  /** Lowest odd number. */
  readonly oddFrom = new Growing();
  /** Highest odd number. */
  readonly oddTo = new Growing();
  /** Lowest even number. */
  readonly evenFrom = new Growing();
  /** Highest even number. */
  readonly evenTo = new Growing();
  readonly #numbers = [
    this.addresses,
    this.oddFrom,
    this.oddTo,
    this.evenFrom,
    this.evenTo,
  ];
  readonly #text = new Uint8Array(MAX_ROW_BYTES + 2);

  /**
   * Adds an address.
   *
   * @param number Building number, 0 without one.
   */
  add(
    group: number,
    bytes: Uint8Array,
    starts: Int32Array,
    columns: Columns,
    number: number,
  ): void {
    const index = this.pairs.indexOf(
      group,
      this.#textOf(bytes, starts, columns),
    );
    if (index === this.addresses.length) {
      for (const column of this.#numbers) column.push(0);
    }
    this.addresses.increment(index);
    if (number === 0) return;
    const isOdd = (number & 1) === 1;
    const from = isOdd ? this.oddFrom : this.evenFrom;
    const to = isOdd ? this.oddTo : this.evenTo;
    if (from.at(index) === 0 || number < from.at(index)) {
      from.set(index, number);
    }
    if (number > to.at(index)) to.set(index, number);
  }

  #textOf(bytes: Uint8Array, starts: Int32Array, columns: Columns): number {
    const {
      NOM_TIPO_SEGLOGR: type,
      NOM_TITULO_SEGLOGR: title,
      NOM_SEGLOGR: name,
    } = columns;
    const texts = this.texts;
    if (title === type + 1 && name === title + 1) {
      return texts.indexOf(bytes, starts[type]!, starts[name + 1]! - 1);
    }
    const text = this.#text;
    let end = 0;
    for (const column of [type, title, name]) {
      const field = bytes.subarray(starts[column], starts[column + 1]! - 1);
      text.set(field, end);
      end += field.length;
      text[end++] = SEPARATOR;
    }
    return texts.indexOf(text, 0, end - 1);
  }
}
