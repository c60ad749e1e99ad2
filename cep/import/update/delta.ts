import { Join, type Warning, ZERO_STATES } from "../dne/join.ts";
import {
  COLUMNS,
  type Family,
  FILES,
  RejectedRow,
  type Row,
  toCep,
} from "../dne/layout.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
} from "../../record/entry.ts";
import { toDetail } from "../dne/details.ts";
import { FileEnd, readLines } from "../dne/lines.ts";
import type { Places } from "../../record/places.ts";
import { SeedError } from "../errors.ts";

/** Family of files that a delta contains: Correios makes none for others. */
export type DeltaFamily = Exclude<
  Family,
  "LOG_VAR_LOC" | "LOG_VAR_BAI" | "LOG_VAR_LOG"
>;

/** Operation of a row. */
export type Operation = "INS" | "UPD" | "DEL";

export interface DeltaFile {
  /** Name in upper case, e.g. `DELTA_LOG_LOGRADOURO.TXT`. */
  readonly name: string;
  /** Family of the files that it changes. */
  readonly family: DeltaFamily;
}

/** Names that differ from the family's. */
const SHORT_NAMES: { readonly [F in DeltaFamily]?: string } = {
  LOG_FAIXA_LOCALIDADE: "LOG_FAIXA_LOC",
  LOG_FAIXA_BAIRRO: "LOG_FAIXA_BAI",
};

/**
 * Files of a delta, in the order of import. There is one for the streets of all
 * states. The ranges of localities and neighbourhoods have a short name, but
 * may also have the one of the layout document.
 */
export const DELTA_FILES: readonly DeltaFile[] = [
  ...new Set(FILES.map(({ family }) => family)),
].filter(isDelta)
  .flatMap((family) =>
    [family, ...[SHORT_NAMES[family] ?? []].flat()]
      .map((name) => ({ name: `DELTA_${name}.TXT`, family }))
  );

function isDelta(family: Family): family is DeltaFamily {
  return !family.startsWith("LOG_VAR_");
}

export interface DeltaRow<F extends DeltaFamily> {
  readonly operation: Operation;
  /** Columns of the base. */
  readonly row: Row<F>;
  /** CEP_ANT, the previous CEP of an updated row, or `""`. */
  readonly previousCep: string;
}

const OPERATION = "OPERACAO";
const PREVIOUS_CEP = "CEP_ANT";

/** Returns the columns of a delta: those of the base and two more. */
export function deltaColumns(family: DeltaFamily): readonly string[] {
  const columns: readonly string[] = COLUMNS[family];
  // In this file alone, the operation is not behind the columns of the base.
  if (family === "LOG_FAIXA_LOCALIDADE") {
    return [...columns.slice(0, -1), OPERATION, ...columns.slice(-1)];
  }
  return columns.includes("CEP")
    ? [...columns, OPERATION, PREVIOUS_CEP]
    : [...columns, OPERATION];
}

/**
 * Splits a line of a delta into its fields, trimmed.
 *
 * @throws {RejectedRow} If the number of columns or the operation is wrong, or
 * if the line contains a NUL.
 */
export function parseDeltaRow<F extends DeltaFamily>(
  family: F,
  line: string,
): DeltaRow<F> {
  if (line.includes("\0")) throw new RejectedRow("NUL character", "");
  const columns = deltaColumns(family);
  const values = line.split("@");
  if (values.length === COLUMNS[family].length) {
    throw new RejectedRow("unknown operation", "none");
  }
  if (values.length !== columns.length) {
    throw new RejectedRow(
      "wrong column count",
      `${values.length} instead of ${columns.length}`,
    );
  }
  const {
    [OPERATION]: operation = "",
    [PREVIOUS_CEP]: previousCep = "",
    ...row
  } = Object.fromEntries(columns.map((name, i) => [name, values[i]!.trim()]));
  if (operation !== "INS" && operation !== "UPD" && operation !== "DEL") {
    throw new RejectedRow("unknown operation", operation || "none");
  }
  return { operation, row: row as unknown as Row<F>, previousCep };
}

/**
 * Checks CEP_ANT.
 *
 * @param uf State of the row.
 * @returns The CEP, `""` if the column is empty, or `undefined` if it is
 * unusable.
 */
export function toPreviousCep(text: string, uf: string): string | undefined {
  try {
    return text === "" ? "" : toCep(text, () => ZERO_STATES.has(uf), () => {});
  } catch {
    return undefined;
  }
}

/** Row of the DNE, of any file. */
export type AnyRow = Locality | Neighbourhood | Entry | DetailRow;

export interface DeltaLine<T extends AnyRow = AnyRow> {
  readonly line: number;
  readonly operation: Operation;
  /** Number of the row in the DNE; for a range, also its start. */
  readonly key: string;
  /** Row after the operation, or the one to delete. */
  readonly row: T;
}

/** Lines of one file of a delta. */
export interface DeltaContent {
  readonly file: DeltaFile;
  /** Counts of its lines. */
  readonly tally: DeltaTally;
  /** Its usable lines. */
  readonly lines: readonly DeltaLine[];
  /** Changes of CEPs that it states. */
  readonly moves: readonly Move[];
}

/** Called with a line that is rejected or that does not fit the release. */
export type ReportLine = (line: number, reason: string, detail: string) => void;

/** Blank line, or the Ctrl-Z at the end of a file: neither is counted. */
const BLANK = /^[\s\cZ]*$/;

/** Warnings about a delta's row by itself, without the rows of the release. */
const OWN_WARNINGS: ReadonlySet<Warning> = new Set<Warning>([
  "unusable IBGE code",
  "no general CEP",
  "CEP padded with a zero",
]);

/** Positions of the columns that identify a row of an optional file. */
const DETAIL_KEYS: Readonly<Record<DetailTable, readonly number[]>> = {
  faixa_uf: [0, 1],
  faixa_localidade: [0, 1, 3],
  faixa_bairro: [0, 1],
  faixa_cpc: [0, 1],
  faixa_uop: [0, 1],
  var_loc: [0, 1],
  var_bai: [0, 1],
  var_log: [0, 1],
  num_sec: [0],
};

/** Returns the key of a row of an optional file. */
export function detailKey(table: DetailTable, row: DetailRow): string {
  return DETAIL_KEYS[table].map((position) => row[position]).join("/");
}

/**
 * Reads a file of a delta.
 *
 * @param places Places of the release. References to them are not checked until
 * the whole delta is known.
 */
export async function readDeltaFile(
  file: DeltaFile,
  chunks: AsyncIterable<Uint8Array>,
  places: Places,
  tally: DeltaTally,
  report: ReportLine,
): Promise<DeltaContent> {
  const lines: DeltaLine[] = [];
  const moves: Move[] = [];
  const warnings: DeltaWarning[] = [];
  const warn = (warning: Warning) => {
    if (OWN_WARNINGS.has(warning)) warnings.push(warning);
  };
  const end = new FileEnd();
  let number = 0;
  for await (const texts of linesOf(file, end.watch(chunks))) {
    for (const text of texts) {
      number++;
      if (BLANK.test(text)) continue;
      tally.lines++;
      warnings.length = 0;
      try {
        const parsed = parseDeltaRow(file.family, text);
        const { key, row } = convert(file.family, parsed.row, warn, places);
        const { operation } = parsed;
        lines.push({ line: number, operation, key, row });
        moves.push(...moveOf(parsed, row, () => {
          warnings.push("unusable CEP_ANT");
          end.noteFault(number);
          report(number, "unusable CEP_ANT", parsed.previousCep);
        }));
        for (const warning of warnings) tally.warn(warning);
      } catch (error) {
        if (!(error instanceof RejectedRow)) throw error;
        tally.rejected++;
        end.noteFault(number);
        report(number, error.reason, error.detail);
      }
    }
  }
  end.check("update from", file.name, number);
  return { file, tally, lines, moves };
}

async function* linesOf(
  { name }: DeltaFile,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string[]> {
  try {
    yield* readLines(chunks);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new SeedError(`Cannot update from ${name}: ${cause.message}`, {
      cause,
    });
  }
}

/** Returns the change of a CEP that an updated row states. */
function moveOf(
  { operation, previousCep }: DeltaRow<DeltaFamily>,
  row: AnyRow,
  warn: () => void,
): Move[] {
  if (operation !== "UPD" || !("cep" in row)) return [];
  const from = toPreviousCep(previousCep, row.uf);
  if (from === undefined) warn();
  // Without a CEP, a locality is now coded by street.
  return !from || row.cep === "" || from === row.cep
    ? []
    : [{ from, to: row.cep }];
}

/**
 * Converts the columns of a row.
 *
 * @throws {RejectedRow} If a value is unusable.
 */
function convert(
  family: DeltaFamily,
  columns: Row<DeltaFamily>,
  warn: (warning: Warning) => void,
  places: Places,
): { key: string; row: AnyRow } {
  const join = new Join(warn);
  switch (family) {
    case "LOG_LOCALIDADE":
      return numbered(
        join.addLocality(columns as Row<"LOG_LOCALIDADE">)!,
      );
    case "LOG_BAIRRO":
      return numbered(
        join.addNeighbourhood(columns as Row<"LOG_BAIRRO">)!,
      );
    case "LOG_LOGRADOURO": {
      const row = columns as Row<"LOG_LOGRADOURO">;
      return numbered(join.street(row, `LOG_LOGRADOURO_${row.UFE_SG}.TXT`));
    }
    case "LOG_GRANDE_USUARIO":
      return numbered(
        join.largeUser(
          columns as Row<"LOG_GRANDE_USUARIO">,
          `${family}.TXT`,
        ),
      );
    case "LOG_UNID_OPER":
      return numbered(
        join.operationalUnit(columns as Row<"LOG_UNID_OPER">, `${family}.TXT`),
      );
    case "LOG_CPC":
      return numbered(
        join.communityPost(columns as Row<"LOG_CPC">, `${family}.TXT`),
      );
    default: {
      const { table, row } = toDetail(
        family,
        columns as Row<typeof family>,
        warn,
        (...args) => new Join(warn, places).hasZeros(...args),
      );
      return { key: detailKey(table, row), row };
    }
  }
}

function numbered<T extends Locality | Neighbourhood | Entry>(
  row: T,
): { key: string; row: T } {
  return { key: `${row.number}`, row };
}

/** Warning about a line of a delta that is applied. */
export type DeltaWarning =
  | Warning
  | "unknown number"
  | "known number"
  | "unusable CEP_ANT";

/**
 * Counts of one file. Every line is counted once as inserted, updated, deleted,
 * unchanged or rejected.
 */
export interface DeltaFileReport {
  /** Name of the file. */
  readonly file: string;
  /** Lines in total, without blank ones. */
  readonly lines: number;
  /** Lines that added a row. */
  readonly inserted: number;
  /** Lines that changed a row. */
  readonly updated: number;
  /** Lines that removed a row. */
  readonly deleted: number;
  /**
   * Lines that the release contained already, or that a later line of the file
   * replaces.
   */
  readonly unchanged: number;
  /** Lines that could not be used. */
  readonly rejected: number;
  /**
   * Lines that refer to an unknown locality, neighbourhood or municipality.
   */
  readonly dangling: number;
  /** Counts of warnings about lines that were applied. */
  readonly warnings: { readonly [W in DeltaWarning]?: number };
  /** Milliseconds spent on the file. */
  readonly milliseconds: number;
}

/** Running counts of one file, see {@linkcode DeltaFileReport}. */
export class DeltaTally {
  lines = 0;
  inserted = 0;
  updated = 0;
  deleted = 0;
  unchanged = 0;
  rejected = 0;
  dangling = 0;
  readonly warnings: { [W in DeltaWarning]?: number } = {};

  /** Counts a warning. */
  warn(warning: DeltaWarning): void {
    this.warnings[warning] = (this.warnings[warning] ?? 0) + 1;
  }
}
