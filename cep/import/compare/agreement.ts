import type { Compared } from "./difference.ts";

/** Counts of the CEPs of a state, or of all. */
export interface Agreement {
  /** CEPs of the DNE. */
  readonly dne: number;
  /** CEPs of the CNEFE. */
  readonly cnefe: number;
  /** CEPs of both. */
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
export class Agreements {
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
