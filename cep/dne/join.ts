/**
 * Localities and neighbourhoods in memory, and with them the rows of the
 * directory as addresses.
 *
 * @module
 */
import {
  type Address,
  type Entry,
  type Locality,
  type Neighbourhood,
  type Origin,
  STATES,
} from "../address.ts";
import { RejectedRow, type Row } from "./layout.ts";

/** What was noticed on a line that is kept. */
export type Warning =
  | "unknown locality"
  | "unknown neighbourhood"
  | "unknown municipality of a district"
  | "no IBGE code"
  | "no general CEP"
  | "CEP padded with a zero";

/** Where an address lies: the fields that follow from its locality. */
interface Place extends Pick<Address, "distrito" | "cidade" | "codigo_ibge"> {
  readonly warnings: readonly Warning[];
}

const NOWHERE: Place = {
  distrito: "",
  cidade: "",
  codigo_ibge: "",
  warnings: ["unknown locality"],
};

/** The columns that all files of addresses share. */
type AddressRow = { readonly [C in "UFE_SG" | "LOC_NU" | "CEP"]: string };

/** The fields that each file of addresses fills in its own way. */
interface OwnFields extends
  Pick<
    Address,
    "logradouro" | "complemento" | "tipo_logradouro" | "tipo_origem" | "nome"
  > {
  readonly number: string;
  readonly neighbourhood: string | null;
}

/**
 * Turns rows into records. Localities and neighbourhoods are told to it first,
 * then it joins every other row with them. A row whose references lead nowhere
 * is kept, with a warning and `""` in the fields concerned.
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
 * console.assert(locality && join.generalCode(locality).address.uf === "AC");
 * ```
 */
export class Join {
  readonly #localities = new Map<number, Locality>();
  readonly #neighbourhoods = new Map<number, Neighbourhood>();
  readonly #places = new Map<number, Place>();
  readonly #warn: (warning: Warning) => void;

  /**
   * A join that knows nothing yet.
   *
   * @param warn Called for everything noticed on a row that is kept.
   */
  constructor(warn: (warning: Warning) => void = () => {}) {
    this.#warn = warn;
  }

  /**
   * Learns a locality. One whose CEP is unusable is learnt without it, for
   * others lie in it.
   *
   * @returns The locality, `undefined` if its number is known already.
   * @throws {RejectedRow} If its state, number or CEP is unusable.
   */
  addLocality(row: Row<"LOG_LOCALIDADE">): Locality | undefined {
    const withoutCep: Locality = {
      number: toNumber(row.LOC_NU),
      uf: toState(row.UFE_SG),
      name: row.LOC_NO,
      cep: "",
      situation: row.LOC_IN_SIT,
      type: row.LOC_IN_TIPO_LOC,
      parent: row.LOC_NU_SUB === "" ? null : toNumber(row.LOC_NU_SUB),
      ibge: row.MUN_NU,
    };
    if (this.#localities.has(withoutCep.number)) return undefined;
    this.#localities.set(withoutCep.number, withoutCep);
    if (row.CEP === "") {
      const byStreet = row.LOC_IN_SIT === "1" || row.LOC_IN_SIT === "2";
      if (!byStreet) this.#warn("no general CEP");
      return withoutCep;
    }
    const locality = { ...withoutCep, cep: this.#toCep(row.CEP) };
    this.#localities.set(locality.number, locality);
    return locality;
  }

  /**
   * Learns a neighbourhood.
   *
   * @returns The neighbourhood, `undefined` if its number is known already.
   * @throws {RejectedRow} If its state or a number is unusable.
   */
  addNeighbourhood(row: Row<"LOG_BAIRRO">): Neighbourhood | undefined {
    const neighbourhood = {
      number: toNumber(row.BAI_NU),
      uf: toState(row.UFE_SG),
      locality: toNumber(row.LOC_NU),
      name: row.BAI_NO,
    };
    if (this.#neighbourhoods.has(neighbourhood.number)) return undefined;
    if (!this.#localities.has(neighbourhood.locality)) {
      this.#warn("unknown locality");
    }
    this.#neighbourhoods.set(neighbourhood.number, neighbourhood);
    return neighbourhood;
  }

  /** All localities learnt, in their order. */
  get localities(): Iterable<Locality> {
    return this.#localities.values();
  }

  /** All neighbourhoods learnt, in their order. */
  get neighbourhoods(): Iterable<Neighbourhood> {
    return this.#neighbourhoods.values();
  }

  /**
   * The record of a locality's general CEP. To be asked when all localities are
   * known, for a district may stand before its municipality.
   */
  generalCode(locality: Locality): Entry {
    const place = this.#placeOf(locality.number);
    return {
      number: locality.number,
      locality: locality.number,
      neighbourhood: null,
      address: {
        cep: locality.cep,
        logradouro: "",
        complemento: "",
        bairro: place.distrito,
        distrito: place.distrito,
        cidade: place.cidade,
        uf: locality.uf,
        codigo_ibge: place.codigo_ibge,
        tipo_logradouro: "",
        tipo_origem: "localidade",
        nome: "",
        nome_origem: "LOG_LOCALIDADE.TXT",
      },
    };
  }

  /**
   * The record of a street.
   *
   * @throws {RejectedRow} If its CEP, state or a number is unusable.
   */
  street(row: Row<"LOG_LOGRADOURO">, file: string): Entry {
    return this.#entry(row, file, {
      number: row.LOG_NU,
      neighbourhood: row.BAI_NU_INI,
      logradouro: streetName(row),
      complemento: row.LOG_COMPLEMENTO.replace(/^-\s*/, ""),
      tipo_logradouro: row.TLO_TX,
      tipo_origem: "logradouro",
      nome: "",
    });
  }

  /**
   * The record of a large user.
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
   * The record of an operational unit, such as a post office.
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
   * The record of a community post, which the directory gives no
   * neighbourhood.
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

  #entry(row: AddressRow, file: string, own: OwnFields): Entry {
    const number = toNumber(own.number);
    const locality = toNumber(row.LOC_NU);
    const neighbourhood = this.#toNeighbourhood(own.neighbourhood);
    const uf = toState(row.UFE_SG);
    const cep = this.#toCep(row.CEP);
    const place = this.#placeOf(locality);
    return {
      number,
      locality,
      neighbourhood,
      address: {
        cep,
        logradouro: own.logradouro,
        complemento: own.complemento,
        bairro: this.#neighbourhoodName(neighbourhood),
        distrito: place.distrito,
        cidade: place.cidade,
        uf,
        codigo_ibge: place.codigo_ibge,
        tipo_logradouro: own.tipo_logradouro,
        tipo_origem: own.tipo_origem,
        nome: own.nome,
        nome_origem: file,
      },
    };
  }

  #toNeighbourhood(text: string | null): number | null {
    if (text === null) return null;
    if (text !== "") return toNumber(text);
    this.#warn("unknown neighbourhood");
    return null;
  }

  #neighbourhoodName(number: number | null): string {
    if (number === null) return "";
    const neighbourhood = this.#neighbourhoods.get(number);
    if (neighbourhood === undefined) this.#warn("unknown neighbourhood");
    return neighbourhood?.name ?? "";
  }

  #placeOf(number: number): Place {
    let place = this.#places.get(number);
    if (place === undefined) {
      place = this.#findPlace(number);
      this.#places.set(number, place);
    }
    place.warnings.forEach(this.#warn);
    return place;
  }

  #findPlace(number: number): Place {
    const locality = this.#localities.get(number);
    if (locality === undefined) return NOWHERE;
    const isDistrict = locality.parent !== null;
    const municipality = isDistrict
      ? this.#localities.get(locality.parent)
      : locality;
    // A district may carry the code of its municipality, and one that was made
    // a municipality lately may lack it.
    const ibge = municipality?.ibge || locality.ibge;
    const warnings: Warning[] = [];
    if (municipality === undefined) {
      warnings.push("unknown municipality of a district");
    }
    if (ibge === "") warnings.push("no IBGE code");
    return {
      distrito: isDistrict ? locality.name : "",
      cidade: municipality?.name ?? "",
      codigo_ibge: ibge,
      warnings,
    };
  }

  /** Files that passed through a spreadsheet lost the leading zero. */
  #toCep(text: string): string {
    if (/^\d{8}$/.test(text)) return text;
    if (!/^\d{7}$/.test(text)) throw new RejectedRow("unusable CEP", text);
    this.#warn("CEP padded with a zero");
    return `0${text}`;
  }
}

function streetName(row: Row<"LOG_LOGRADOURO">): string {
  const { TLO_TX: type, LOG_NO: name } = row;
  const separate = type !== "" && row.LOG_STA_TLO !== "N" &&
    !`${name} `.toLowerCase().startsWith(`${type} `.toLowerCase());
  return separate ? `${type} ${name}` : name;
}

function located(
  origin: Origin,
  name: string,
  address: string,
): Omit<OwnFields, "number" | "neighbourhood"> {
  return {
    logradouro: address,
    complemento: "",
    tipo_logradouro: "",
    tipo_origem: origin,
    nome: name,
  };
}

function toState(text: string): string {
  if (!STATES.includes(text)) throw new RejectedRow("unknown state", text);
  return text;
}

function toNumber(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new RejectedRow("unusable number", text);
  return Number(text);
}
