/**
 * Rows of the DNE as the import passes them to the database: localities,
 * neighbourhoods and entries, linked by their numbers in the DNE.
 */
/** Kind of source file, in order of precedence. */
export type Origin =
  | "localidade"
  | "logradouro"
  | "grande_usuario"
  | "unid_oper"
  | "cpc"
  | "cnefe";

/** Line of LOG_LOCALIDADE: a municipality, district or village. */
export interface Locality {
  /** LOC_NU. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NO. */
  readonly name: string;
  /** General CEP, `""` for a locality that is coded by street. */
  readonly cep: string;
  /** LOC_IN_SIT. */
  readonly situation: string;
  /** LOC_IN_TIPO_LOC. */
  readonly type: string;
  /** LOC_NU_SUB, the municipality of a district or village. */
  readonly parent: number | null;
  /** MUN_NU, the IBGE code, `""` where the DNE has none. */
  readonly ibge: string;
  /** LOC_NO_ABREV. */
  readonly abbreviation: string;
}

/** Line of LOG_BAIRRO. */
export interface Neighbourhood {
  /** BAI_NU. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NU. */
  readonly locality: number;
  /** BAI_NO. */
  readonly name: string;
  /** BAI_NO_ABREV. */
  readonly abbreviation: string;
}

/**
 * Line with a CEP: a locality with a general CEP, a street, a large user, an
 * operational unit or a community mailbox.
 */
export interface Entry {
  /** Eight digits. */
  readonly cep: string;
  /** LOC_NU, LOG_NU, GRU_NU, UOP_NU or CPC_NU, depending on `origin`. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NU. */
  readonly locality: number;
  /** BAI_NU, `null` where the file has none. */
  readonly neighbourhood: number | null;
  /** TLO_TX, the street type; `""` if the entry is not a street. */
  readonly streetType: string;
  /** True if the type is written before the name. */
  readonly typeInName: boolean;
  /** LOG_NO, or the address of a large user, unit or community mailbox. */
  readonly street: string;
  /** LOG_COMPLEMENTO without its leading hyphen. */
  readonly complement: string;
  /** Name of the large user, unit or community mailbox. */
  readonly name: string;
  /** Kind of the source file. */
  readonly origin: Origin;
  /** Name of the source file, e.g. `LOG_LOGRADOURO_SP.TXT`. */
  readonly file: string;
  /**
   * Position within its source file: of two entries of a file with the same
   * CEP, the lower one has precedence.
   */
  readonly order: number;
}

/** Table of an optional file, whose rows the import only checks. */
export type DetailTable =
  | "faixa_uf"
  | "faixa_localidade"
  | "faixa_bairro"
  | "faixa_cpc"
  | "faixa_uop"
  | "var_loc"
  | "var_bai"
  | "var_log"
  | "num_sec";

/** Row of a {@linkcode DetailTable}: its columns, in the order of the DNE. */
export type DetailRow = readonly (string | number)[];

/** Names of the neighbourhood, district and municipality of an entry. */
export interface Place {
  /** Neighbourhood, `""` if the entry has none. */
  readonly neighbourhood: string;
  /** District or village, `""` in the municipality's seat. */
  readonly district: string;
  /** Municipality. */
  readonly municipality: string;
  /** IBGE code of the municipality. */
  readonly ibge: string;
}

/** Change of an entry's CEP that a delta states. */
export interface Move {
  /** Previous CEP, eight digits. */
  readonly from: string;
  /** Present CEP, eight digits. */
  readonly to: string;
}
