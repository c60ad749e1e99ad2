import type { Address } from "../../record/address.ts";
import type { CensusRow } from "../../record/census.ts";
import { type Compared, compareSources, nameOf } from "./difference.ts";
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

const DIFFERENCES_HEADER: string = toLine(Object.keys(COLUMNS));

/** Formats a difference as a line. */
function toDifferenceLine(compared: Compared): string {
  return toLine(Object.values(COLUMNS).map((valueOf) => valueOf(compared)));
}

function toLine(cells: readonly string[]): string {
  return `${joinCells(cells, ",")}\r\n`;
}

/** Counts of the CEPs of a state, or of all. */
export interface Agreement {
  readonly dne: number;
  readonly cnefe: number;
  readonly both: number;
  /** CEPs of both without a difference. */
  readonly same: number;
  /** CEPs of both in different municipalities. */
  readonly otherMunicipality: number;
  /** CEPs of both with different streets. */
  readonly otherStreet: number;
  /** CEPs of the DNE alone. */
  readonly onlyDne: number;
  /** CEPs of the CNEFE alone. */
  readonly onlyCnefe: number;
}

type Counts = { -readonly [K in keyof Agreement]: number };

const NONE: Agreement = {
  dne: 0,
  cnefe: 0,
  both: 0,
  same: 0,
  otherMunicipality: 0,
  otherStreet: 0,
  onlyDne: 0,
  onlyCnefe: 0,
};

/** Running counts of a comparison. */
class Agreements {
  readonly #total: Counts = { ...NONE };
  readonly #byState = new Map<string, Counts>();

  /** Counts a CEP. */
  add(compared: Compared): void {
    let counts = this.#byState.get(compared.uf);
    if (counts === undefined) {
      counts = { ...NONE };
      this.#byState.set(compared.uf, counts);
    }
    count(counts, compared);
    count(this.#total, compared);
  }

  /** Counts of all CEPs. */
  get total(): Agreement {
    return { ...this.#total };
  }

  /** Counts by state, in order of abbreviation; `""` for an unknown one. */
  get byState(): ReadonlyMap<string, Agreement> {
    const states = [...this.#byState].sort(([a], [b]) => a < b ? -1 : 1);
    return new Map(states);
  }
}

function count(counts: Counts, { record, row, kind }: Compared): void {
  if (record !== undefined) counts.dne++;
  if (row !== undefined) counts.cnefe++;
  if (record !== undefined && row !== undefined) counts.both++;
  switch (kind) {
    case null:
      counts.same++;
      break;
    case "municipio":
      counts.otherMunicipality++;
      break;
    case "logradouro":
      counts.otherStreet++;
      break;
    case "somente_dne":
      counts.onlyDne++;
      break;
    case "somente_cnefe":
      counts.onlyCnefe++;
      break;
  }
}

/** Share of the CEPs of both that agree, in percent; `null` without any. */
export function agreementPercent({ both, same }: Agreement): number | null {
  return both === 0 ? null : Math.round(same / both * 10_000) / 100;
}

/** Items of two sources with one key. */
interface Joined<A, B> {
  readonly key: string;
  readonly one: A | undefined;
  readonly other: B | undefined;
}

/**
 * Joins two sequences that are in order of their distinct keys. Only a batch of
 * each is in memory.
 */
export async function* joinSources<A, B>(
  ones: AsyncIterable<readonly A[]>,
  others: AsyncIterable<readonly B[]>,
  keyOf: (one: A) => string,
  otherKeyOf: (other: B) => string,
): AsyncGenerator<Joined<A, B>> {
  const left = items(ones);
  const right = items(others);
  try {
    let one = (await left.next()).value;
    let other = (await right.next()).value;
    while (one !== undefined || other !== undefined) {
      const a = one === undefined ? undefined : keyOf(one);
      const b = other === undefined ? undefined : otherKeyOf(other);
      const key = b === undefined || a !== undefined && a < b ? a! : b;
      const isOne = a === key;
      const isOther = b === key;
      yield {
        key,
        one: isOne ? one : undefined,
        other: isOther ? other : undefined,
      };
      if (isOne) one = (await left.next()).value;
      if (isOther) other = (await right.next()).value;
    }
  } finally {
    await left.return(undefined);
    await right.return(undefined);
  }
}

async function* items<T>(
  batches: AsyncIterable<readonly T[]>,
): AsyncGenerator<T, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}
