import { CHUNK_BYTES } from "../files/bytes.ts";

/** Maximum length of a row in bytes. The longest of IBGE's have about 400. */
export const MAX_ROW_BYTES = 1 << 14;

/** Maximum number of fields of a row that are told apart. */
export const MAX_FIELDS = 256;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SEPARATOR = 0x3B;

/** Reason why a row is not split into fields. */
export type ScanFault = "overlong row" | "NUL byte";

/** Receiver of rows. */
export interface RowVisitor {
  /**
   * Called for each row that is not blank.
   *
   * @param bytes Bytes that are valid during the call.
   * @param starts Start of each field, and after the last one the end of the
   * row plus one. Field `i` ends before `starts[i + 1] - 1`.
   * @param count Number of fields, which may exceed {@linkcode MAX_FIELDS}.
   * @param line Number of the line, from 1.
   * @param isWhole False for the last row, if it has no line end.
   */
  row(
    bytes: Uint8Array,
    starts: Int32Array,
    count: number,
    line: number,
    isWhole: boolean,
  ): void;
  /** Called for a row that cannot be read. */
  fault(fault: ScanFault, line: number): void;
  /** Called after the fault of the last row, if it has no line end. */
  cut(line: number): void;
}

/** Splits chunks of bytes into rows and fields. A quote is a character. */
export class RowScanner {
  readonly #visitor: RowVisitor;
  /** Start of a row, then the next chunk. */
  readonly #buffer = new Uint8Array(MAX_ROW_BYTES + 2 + CHUNK_BYTES);
  readonly #starts = new Int32Array(MAX_FIELDS + 1);
  /** Number of bytes of the unfinished row. */
  #rest = 0;
  #line = 0;
  /** True within a row that is too long. */
  #skips = false;

  constructor(visitor: RowVisitor) {
    this.#visitor = visitor;
  }

  /** Visits the rows that end in a chunk. */
  push(chunk: Uint8Array): void {
    for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
      this.#pushPart(chunk.subarray(start, start + CHUNK_BYTES));
    }
  }

  /** Visits the last row, if it has no line end. */
  finish(): void {
    if (this.#skips) return this.#visitor.cut(this.#line);
    if (this.#rest === 0) return;
    this.#buffer[this.#rest] = LINE_FEED;
    this.#scan(this.#rest + 1, false);
  }

  #pushPart(part: Uint8Array): void {
    let from = 0;
    if (this.#skips) {
      from = part.indexOf(LINE_FEED) + 1;
      if (from === 0) return;
      this.#skips = false;
    }
    const kept = from === 0 ? part : part.subarray(from);
    this.#buffer.set(kept, this.#rest);
    const length = this.#rest + kept.length;
    const scanned = this.#scan(length, true);
    this.#rest = length - scanned;
    if (this.#rest > MAX_ROW_BYTES + 1) {
      this.#line++;
      this.#visitor.fault("overlong row", this.#line);
      this.#skips = true;
      this.#rest = 0;
    } else {
      this.#buffer.copyWithin(0, scanned, length);
    }
  }

  /** Visits the rows up to a position. Returns the end of the last one. */
  #scan(length: number, isWhole: boolean): number {
    const bytes = this.#buffer;
    const starts = this.#starts;
    let start = 0;
    let count = 1;
    let hasNul = false;
    starts[0] = 0;
    for (let i = 0; i < length; i++) {
      const byte = bytes[i]!;
      // Most bytes are letters or digits.
      if (byte > SEPARATOR) continue;
      if (byte === SEPARATOR) {
        if (count < MAX_FIELDS) starts[count] = i + 1;
        count++;
      } else if (byte === LINE_FEED) {
        this.#line++;
        const end = i > start && bytes[i - 1] === CARRIAGE_RETURN ? i - 1 : i;
        if (end - start > MAX_ROW_BYTES) {
          this.#fault("overlong row", isWhole);
        } else if (hasNul) {
          this.#fault("NUL byte", isWhole);
        } else if (end > start) {
          starts[Math.min(count, MAX_FIELDS)] = end + 1;
          this.#visitor.row(bytes, starts, count, this.#line, isWhole);
        }
        start = i + 1;
        count = 1;
        hasNul = false;
        starts[0] = start;
      } else if (byte === 0) {
        hasNul = true;
      }
    }
    return start;
  }

  #fault(fault: ScanFault, isWhole: boolean): void {
    this.#visitor.fault(fault, this.#line);
    if (!isWhole) this.#visitor.cut(this.#line);
  }
}

/** Columns without which no address can be counted. */
export const REQUIRED_COLUMNS = [
  "COD_MUNICIPIO",
  "CEP",
  "NOM_TIPO_SEGLOGR",
  "NOM_TITULO_SEGLOGR",
  "NOM_SEGLOGR",
] as const;

/** Columns without which fewer facts are known. */
export const OPTIONAL_COLUMNS = [
  "COD_UNICO_ENDERECO",
  "DSC_LOCALIDADE",
  "NUM_ENDERECO",
  "LATITUDE",
  "LONGITUDE",
  "NV_GEO_COORD",
] as const;

/** Name of a column that is read. */
export type ColumnName =
  | (typeof REQUIRED_COLUMNS)[number]
  | (typeof OPTIONAL_COLUMNS)[number];

/** Position of each column, `undefined` for a missing optional one. */
export type Columns =
  & { readonly [C in (typeof REQUIRED_COLUMNS)[number]]: number }
  & { readonly [C in (typeof OPTIONAL_COLUMNS)[number]]: number | undefined };

/** Header row. */
export interface Header {
  readonly columns: Columns;
  /** Number of columns in each row. */
  readonly count: number;
  /** Optional columns that are missing. */
  readonly missing: readonly ColumnName[];
}

/**
 * Reads a header row.
 *
 * @throws {Error} If columns are missing or duplicate, with a guess at what the
 * file is instead, or if there are too many.
 */
export function readHeader(line: string): Header {
  const names = line.replace(/^\uFEFF/, "").split(";")
    .map((name) => name.trim().toUpperCase());
  const has = (name: string) => names.includes(name);
  const missing = REQUIRED_COLUMNS.filter((name) => !has(name));
  if (missing.length > 0) {
    throw new Error(
      `its first row does not name the columns ${missing.join(", ")}` +
        explain(line, has),
    );
  }
  const needed = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];
  const twice = needed.find((name) =>
    names.indexOf(name) !== names.lastIndexOf(name)
  );
  if (twice !== undefined) {
    throw new Error(`its first row names the column ${twice} twice`);
  }
  if (names.length > MAX_FIELDS) {
    throw new Error(`it has ${names.length} columns, more than ${MAX_FIELDS}`);
  }
  const positions = needed.filter(has).map((name) => [
    name,
    names.indexOf(name),
  ]);
  return {
    columns: Object.fromEntries(positions),
    count: names.length,
    missing: OPTIONAL_COLUMNS.filter((name) => !has(name)),
  };
}

/** Guesses at what a file without the columns is. */
function explain(line: string, has: (name: string) => boolean): string {
  if (line.includes("\0")) return "; it seems to be in UTF-16, not in ASCII";
  if (/"CEP"/i.test(line)) {
    return "; it seems to be quoted, unlike IBGE's files";
  }
  if (/\bCEP\b[,\t|]|[,\t|]CEP\b/i.test(line)) {
    return '; it seems to be separated by other characters than ";"';
  }
  if (has("LATITUDE") && !has("CEP")) {
    return "; it seems to be from Coordenadas_enderecos, which has no CEPs: " +
      "the files of Arquivos_CNEFE do";
  }
  if (has("CEP") && !has("NOM_SEGLOGR")) {
    return "; it seems to be from Agregados_por_CEP: " +
      "take the files of Arquivos_CNEFE";
  }
  if (/^\d+;/.test(line)) return "; it seems to have no header row";
  return "; it is not a file of the CNEFE of 2022";
}

const ZERO = 0x30;
const MINUS = 0x2D;
const POINT = 0x2E;

/** Fraction digits of a coordinate. Further ones are cut off. */
const FRACTION_DIGITS = 6;

/** Value of bytes that are not a number. */
export const NO_NUMBER = -1;

/** Value of bytes that are not a coordinate. */
export const NO_COORDINATE = 0x7FFFFFFF;

/**
 * Reads digits from one position up to another.
 *
 * @returns The number, {@linkcode NO_NUMBER} for no digits, more than 9, or
 * another byte.
 */
export function readDigits(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (end <= start || end - start > 9) return NO_NUMBER;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - ZERO;
    if (digit < 0 || digit > 9) return NO_NUMBER;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * Reads a coordinate in degrees, with at most three digits before the point.
 *
 * @returns Millionths of a degree, or {@linkcode NO_COORDINATE}.
 */
export function readCoordinate(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let point = first;
  while (point < end && bytes[point] !== POINT) point++;
  const degrees = readDigits(bytes, first, point);
  if (degrees === NO_NUMBER || degrees > 180) return NO_COORDINATE;
  let value = degrees;
  const last = point + FRACTION_DIGITS;
  for (let i = point + 1; i <= last || i < end; i++) {
    const digit = i < end ? bytes[i]! - ZERO : 0;
    if (digit < 0 || digit > 9) return NO_COORDINATE;
    if (i <= last) value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}
