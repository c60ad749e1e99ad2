import type {
  Entry,
  Locality,
  Neighbourhood,
  Origin,
} from "../../record/entry.ts";
import { Places } from "../../record/places.ts";
import {
  type DetailFamily,
  type Row,
  toCep,
  toNumber,
  toState,
} from "./layout.ts";

/** Warning about a line that is kept. */
export type Warning =
  | "unknown locality"
  | "unknown neighbourhood"
  | "unknown municipality of a district"
  | "no IBGE code"
  | "unusable IBGE code"
  | "no general CEP"
  | "CEP padded with a zero";

/** Warnings about a dangling reference. */
export const DANGLING: ReadonlySet<Warning> = new Set<Warning>([
  "unknown locality",
  "unknown neighbourhood",
  "unknown municipality of a district",
]);

/** States whose CEPs begin with 0, which spreadsheets drop. */
export const ZERO_STATES: ReadonlySet<string> = new Set(["SP"]);

/** Columns that all files of entries share. */
type EntryRow = { readonly [C in "UFE_SG" | "LOC_NU" | "CEP"]: string };

/** Members whose columns differ between the families of files. */
type OwnMembers =
  & Omit<
    Entry,
    "cep" | "number" | "uf" | "locality" | "neighbourhood" | "file" | "order"
  >
  & {
    readonly number: string;
    readonly neighbourhood: string | null;
  };

/**
 * Converts rows into entries. Localities and neighbourhoods are added first;
 * the references of all other rows are checked against them. A row with a
 * dangling reference is kept, with a warning.
 *
 * @example
 * ```ts
 * import { Join, type Row } from "@carteiro/cep/dne";
 *
 * const join = new Join();
 * const row = { LOC_NU: "7", UFE_SG: "AC", LOC_NO: "Rio Novo", CEP: "69900000" };
 * const locality = join.addLocality({
 *   ...row,
 *   LOC_IN_SIT: "0",
 *   LOC_IN_TIPO_LOC: "M",
 *   LOC_NU_SUB: "",
 *   LOC_NO_ABREV: "",
 *   MUN_NU: "1200999",
 * });
 * console.assert(locality && join.generalCode(locality).cep === "69900000");
 * ```
 */
export class Join {
  readonly #places: Places;
  readonly #warnings = new Map<number, readonly Warning[]>();
  readonly #warn: (warning: Warning) => void;
  /** Entries returned so far. */
  #entries = 0;

  /**
   * Creates a join.
   *
   * @param warn Called for each warning about a row that is kept.
   * @param places Localities and neighbourhoods that are already known.
   */
  constructor(
    warn: (warning: Warning) => void = () => {},
    places: Places = new Places(),
  ) {
    this.#warn = warn;
    this.#places = places;
  }

  /**
   * Adds a locality. If its CEP is unusable, the row is rejected, but the
   * locality is added without the CEP because other rows refer to it.
   *
   * @returns The locality, `undefined` if its number is already known.
   * @throws {RejectedRow} If its state, number or CEP is unusable.
   */
  addLocality(row: Row<"LOG_LOCALIDADE">): Locality | undefined {
    const { localities } = this.#places;
    const withoutCep: Locality = {
      number: toNumber(row.LOC_NU),
      uf: toState(row.UFE_SG),
      name: row.LOC_NO,
      cep: "",
      situation: row.LOC_IN_SIT,
      type: row.LOC_IN_TIPO_LOC,
      parent: row.LOC_NU_SUB === "" ? null : toNumber(row.LOC_NU_SUB),
      ibge: this.#toIbge(row.MUN_NU),
      abbreviation: row.LOC_NO_ABREV,
    };
    if (localities.has(withoutCep.number)) return undefined;
    localities.set(withoutCep.number, withoutCep);
    if (row.CEP === "") {
      const byStreet = row.LOC_IN_SIT === "1" || row.LOC_IN_SIT === "2";
      if (!byStreet) this.#warn("no general CEP");
      return withoutCep;
    }
    const cep = this.#toCep(row.CEP, withoutCep.uf);
    const locality = { ...withoutCep, cep };
    localities.set(locality.number, locality);
    return locality;
  }

  /**
   * Adds a neighbourhood.
   *
   * @returns The neighbourhood, `undefined` if its number is already known.
   * @throws {RejectedRow} If its state or a number is unusable.
   */
  addNeighbourhood(row: Row<"LOG_BAIRRO">): Neighbourhood | undefined {
    const { localities, neighbourhoods } = this.#places;
    const neighbourhood = {
      number: toNumber(row.BAI_NU),
      uf: toState(row.UFE_SG),
      locality: toNumber(row.LOC_NU),
      name: row.BAI_NO,
      abbreviation: row.BAI_NO_ABREV,
    };
    if (neighbourhoods.has(neighbourhood.number)) return undefined;
    if (!localities.has(neighbourhood.locality)) {
      this.#warn("unknown locality");
    }
    neighbourhoods.set(neighbourhood.number, neighbourhood);
    return neighbourhood;
  }

  /** All localities, in the order in which they were added. */
  get localities(): Iterable<Locality> {
    return this.#places.localities.values();
  }

  /** All neighbourhoods, in the order in which they were added. */
  get neighbourhoods(): Iterable<Neighbourhood> {
    return this.#places.neighbourhoods.values();
  }

  /**
   * Checks the references of a locality. All localities must have been added: a
   * district may precede its municipality.
   */
  checkLocality({ number }: Locality): void {
    this.#warnOfPlace(number);
  }

  /**
   * Returns false if CEPs of a row of an optional file cannot begin with 0.
   *
   * @param key First column of the row.
   */
  hasZeros(family: DetailFamily, key: string | number): boolean {
    const { localities, neighbourhoods } = this.#places;
    const uf = family === "LOG_FAIXA_UF"
      ? String(key)
      : family === "LOG_FAIXA_LOCALIDADE"
      ? localities.get(Number(key))?.uf
      : neighbourhoods.get(Number(key))?.uf;
    return uf === undefined || ZERO_STATES.has(uf);
  }

  /** Returns the entry of a locality's general CEP. */
  generalCode({ number, uf, cep }: Locality): Entry {
    return {
      cep,
      number,
      uf,
      locality: number,
      neighbourhood: null,
      streetType: "",
      typeInName: false,
      street: "",
      complement: "",
      name: "",
      origin: "localidade",
      file: "LOG_LOCALIDADE.TXT",
      order: ++this.#entries,
    };
  }

  /**
   * Returns the entry of a street.
   *
   * @throws {RejectedRow} If its CEP, state or a number is unusable.
   */
  street(row: Row<"LOG_LOGRADOURO">, file: string): Entry {
    return this.#entry(row, file, {
      number: row.LOG_NU,
      neighbourhood: row.BAI_NU_INI,
      streetType: row.TLO_TX,
      typeInName: isTypeInName(row),
      street: row.LOG_NO,
      complement: withoutHyphen(row.LOG_COMPLEMENTO),
      name: "",
      origin: "logradouro",
    });
  }

  /**
   * Returns the entry of a large user.
   *
   * @throws {RejectedRow} If its CEP, state or a number is unusable.
   */
  largeUser(row: Row<"LOG_GRANDE_USUARIO">, file: string): Entry {
    return this.#entry(row, file, {
      number: row.GRU_NU,
      neighbourhood: row.BAI_NU,
      ...located("grande_usuario", row.GRU_NO, row.GRU_ENDERECO),
    });
  }

  /**
   * Returns the entry of an operational unit, such as a post office.
   *
   * @throws {RejectedRow} If its CEP, state or a number is unusable.
   */
  operationalUnit(row: Row<"LOG_UNID_OPER">, file: string): Entry {
    return this.#entry(row, file, {
      number: row.UOP_NU,
      neighbourhood: row.BAI_NU,
      ...located("unid_oper", row.UOP_NO, row.UOP_ENDERECO),
    });
  }

  /**
   * Returns the entry of a community mailbox (Caixa Postal Comunitária), for
   * which the DNE has no neighbourhood.
   *
   * @throws {RejectedRow} If its CEP, state or a number is unusable.
   */
  communityPost(row: Row<"LOG_CPC">, file: string): Entry {
    return this.#entry(row, file, {
      number: row.CPC_NU,
      neighbourhood: null,
      ...located("cpc", row.CPC_NO, row.CPC_ENDERECO),
    });
  }

  #entry(row: EntryRow, file: string, own: OwnMembers): Entry {
    const number = toNumber(own.number);
    const locality = toNumber(row.LOC_NU);
    const neighbourhood = this.#toNeighbourhood(own.neighbourhood);
    const uf = toState(row.UFE_SG);
    const cep = this.#toCep(row.CEP, uf);
    this.#warnOfPlace(locality);
    return {
      cep,
      number,
      uf,
      locality,
      neighbourhood,
      streetType: own.streetType,
      typeInName: own.typeInName,
      street: own.street,
      complement: own.complement,
      name: own.name,
      origin: own.origin,
      file,
      order: ++this.#entries,
    };
  }

  #toNeighbourhood(text: string | null): number | null {
    if (text === null) return null;
    const number = text === "" ? null : toNumber(text);
    if (number === null || !this.#places.neighbourhoods.has(number)) {
      this.#warn("unknown neighbourhood");
    }
    return number;
  }

  #warnOfPlace(number: number): void {
    let warnings = this.#warnings.get(number);
    if (warnings === undefined) {
      warnings = this.#checkPlace(number);
      this.#warnings.set(number, warnings);
    }
    for (const warning of warnings) this.#warn(warning);
  }

  #checkPlace(number: number): Warning[] {
    const { localities } = this.#places;
    const locality = localities.get(number);
    if (locality === undefined) return ["unknown locality"];
    const warnings: Warning[] = [];
    if (locality.parent !== null && !localities.has(locality.parent)) {
      warnings.push("unknown municipality of a district");
    }
    if (this.#places.find(number, null).ibge === "") {
      warnings.push("no IBGE code");
    }
    return warnings;
  }

  /** Seven digits, or `""` with a warning. */
  #toIbge(text: string): string {
    if (text === "" || /^\d{7}$/.test(text)) return text;
    this.#warn("unusable IBGE code");
    return "";
  }

  #toCep(text: string, uf: string): string {
    return toCep(
      text,
      () => ZERO_STATES.has(uf),
      () => this.#warn("CEP padded with a zero"),
    );
  }
}

/** True if the type belongs before the name, which does not begin with it. */
function isTypeInName(row: Row<"LOG_LOGRADOURO">): boolean {
  const { TLO_TX: type, LOG_NO: name } = row;
  return type !== "" && name !== "" && row.LOG_STA_TLO !== "N" &&
    !(mayBegin(name, type) &&
      `${name} `.toLowerCase().startsWith(`${type} `.toLowerCase()));
}

/** False if the first letters of a name and a type tell that they differ. */
function mayBegin(name: string, type: string): boolean {
  const [one, other] = [name.charCodeAt(0), type.charCodeAt(0)];
  // In ASCII, letter case is one bit.
  return one > 0x7F || other > 0x7F || (one | 0x20) === (other | 0x20);
}

function withoutHyphen(complement: string): string {
  return complement.startsWith("-")
    ? complement.replace(/^-\s*/, "")
    : complement;
}

function located(
  origin: Origin,
  name: string,
  address: string,
): Omit<OwnMembers, "number" | "neighbourhood"> {
  return {
    streetType: "",
    typeInName: false,
    street: address,
    complement: "",
    name,
    origin,
  };
}
