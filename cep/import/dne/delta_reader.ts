import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
} from "../../record/entry.ts";
import {
  type DeltaFamily,
  type DeltaFile,
  type DeltaRow,
  type Operation,
  parseDeltaRow,
  toPreviousCep,
} from "./delta_layout.ts";
import type { DeltaTally, DeltaWarning } from "./delta_report.ts";
import { toDetail } from "./details.ts";
import { FileEnd } from "./file_end.ts";
import { Join, type Warning } from "./join.ts";
import { RejectedRow, type Row } from "./layout.ts";
import type { Places } from "../../record/places.ts";
import { readLines } from "./lines.ts";
import { SeedError } from "./seed_error.ts";

/** Row of the DNE, of any file. */
export type AnyRow = Locality | Neighbourhood | Entry | DetailRow;

/** Line of a delta. */
export interface DeltaLine<T extends AnyRow = AnyRow> {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Operation. */
  readonly operation: Operation;
  /** Number of the row in the DNE; for a range, also its start. */
  readonly key: string;
  /** Row after the operation, or the one to delete. */
  readonly row: T;
}

/** Lines of one file of a delta. */
export interface DeltaContent {
  /** File. */
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
export const DETAIL_KEYS: Readonly<Record<DetailTable, readonly number[]>> = {
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
