import type { Address } from "../../record/address.ts";
import type { CensusRow } from "../../record/census.ts";
import { type Agreement, Agreements } from "./agreement.ts";
import { type Compared, compareSources, nameOf } from "./difference.ts";
import { joinSources } from "./join_sources.ts";
import { municipalityNames } from "../../record/municipality_names.ts";
import { joinCells } from "../../tables/csv.ts";

/** Content of a release, in batches and in order of CEP. */
export interface Comparable {
  /** Records as JSON. */
  readonly records: AsyncIterable<readonly string[]>;
  /** Rows of the CNEFE. */
  readonly census: AsyncIterable<readonly CensusRow[]>;
}

/** Result of a comparison. */
export interface Comparison {
  /** Counts of all CEPs. */
  readonly total: Agreement;
  /** Counts by state. */
  readonly byState: ReadonlyMap<string, Agreement>;
}

/** Lines that are written at once. */
const BATCH = 500;

/**
 * Writes what both sources disagree about as CSV, in order of CEP.
 *
 * @param write Writes text.
 */
export async function compareRelease(
  { records, census }: Comparable,
  write: (text: string) => Promise<void>,
): Promise<Comparison> {
  const agreements = new Agreements();
  await write(DIFFERENCES_HEADER);
  let lines: string[] = [];
  const joined = joinSources(
    parsed(records),
    census,
    ({ cep }) => cep,
    ({ cep }) => cep,
  );
  for await (const { key, one, other } of joined) {
    const compared = compareSources(key, one, other);
    agreements.add(compared);
    if (compared.kind === null) continue;
    if (lines.push(toDifferenceLine(compared)) < BATCH) continue;
    await write(lines.join(""));
    lines = [];
  }
  if (lines.length > 0) await write(lines.join(""));
  return { total: agreements.total, byState: agreements.byState };
}

async function* parsed(
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<Address[]> {
  for await (const page of pages) yield page.map((json) => JSON.parse(json));
}

/** Columns, with the value of each. */
const COLUMNS: Readonly<Record<string, (compared: Compared) => string>> = {
  cep: ({ cep }) => cep,
  diferenca: ({ kind }) => kind ?? "",
  uf: ({ uf }) => uf,
  tipo_origem: ({ record }) => record?.tipo_origem ?? "",
  codigo_ibge_dne: ({ record }) => record?.codigo_ibge ?? "",
  cidade_dne: ({ record }) => record?.cidade ?? "",
  logradouro_dne: ({ record }) => record?.logradouro ?? "",
  codigo_ibge_cnefe: ({ row }) => row?.ibge ?? "",
  cidade_cnefe: ({ row, record }) =>
    row?.ibge === record?.codigo_ibge
      ? record?.cidade ?? ""
      : municipalityNames().get(row?.ibge ?? "") ?? "",
  logradouro_cnefe: ({ street }) => street === undefined ? "" : nameOf(street),
  semelhanca: ({ similarity }) => similarity?.toFixed(2) ?? "",
  enderecos: ({ row }) => row === undefined ? "" : `${row.addresses}`,
  enderecos_logradouro: ({ street }) =>
    street === undefined ? "" : `${street.addresses}`,
};

/** Header. */
const DIFFERENCES_HEADER: string = toLine(Object.keys(COLUMNS));

/** Formats a difference as a line. */
function toDifferenceLine(compared: Compared): string {
  return toLine(Object.values(COLUMNS).map((valueOf) => valueOf(compared)));
}

function toLine(cells: readonly string[]): string {
  return `${joinCells(cells, ",")}\r\n`;
}
