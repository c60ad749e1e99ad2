/**
 * The directory's own rows as the import reads them and the database keeps
 * them: localities, neighbourhoods and entries, tied by the directory's
 * numbers.
 *
 * @module
 */

/** The five sources of the directory, in the order of precedence. */
export type Origin =
  | "localidade"
  | "logradouro"
  | "grande_usuario"
  | "unid_oper"
  | "cpc";

/** A line of LOG_LOCALIDADE: a municipality, district or village. */
export interface Locality {
  /** LOC_NU. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NO. */
  readonly name: string;
  /** CEP, `""` for a locality that is coded by street. */
  readonly cep: string;
  /** LOC_IN_SIT. */
  readonly situation: string;
  /** LOC_IN_TIPO_LOC. */
  readonly type: string;
  /** LOC_NU_SUB, the municipality of a district or village. */
  readonly parent: number | null;
  /** MUN_NU, the code at IBGE, `""` where the directory has none. */
  readonly ibge: string;
}

/** A line of LOG_BAIRRO. */
export interface Neighbourhood {
  /** BAI_NU. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NU. */
  readonly locality: number;
  /** BAI_NO. */
  readonly name: string;
}

/**
 * A line that has a CEP: a locality with a general CEP, a street, a large user,
 * an operational unit or a community post.
 */
export interface Entry {
  /** Eight digits. */
  readonly cep: string;
  /** LOC_NU, LOG_NU, GRU_NU, UOP_NU or CPC_NU, by {@linkcode Entry.origin}. */
  readonly number: number;
  /** UFE_SG. */
  readonly uf: string;
  /** LOC_NU. */
  readonly locality: number;
  /** BAI_NU, `null` where the file has none. */
  readonly neighbourhood: number | null;
  /** TLO_TX, the street's type; `""` for all but streets. */
  readonly streetType: string;
  /** `true` if the type is written before the name. */
  readonly typeInName: boolean;
  /** LOG_NO; the address of a large user, unit or community post. */
  readonly street: string;
  /** LOG_COMPLEMENTO without its leading hyphen. */
  readonly complement: string;
  /** Name of the large user, unit or community post. */
  readonly name: string;
  /** The source. */
  readonly origin: Origin;
  /** The text file, e.g. `LOG_LOGRADOURO_SP.TXT`. */
  readonly file: string;
}

/** Names of the neighbourhood and locality that an entry lies in. */
export interface Place {
  /** Neighbourhood, `""` where the entry has none. */
  readonly neighbourhood: string;
  /** District or village, `""` in the municipality's seat. */
  readonly district: string;
  /** Municipality. */
  readonly municipality: string;
  /** The municipality's code at IBGE. */
  readonly ibge: string;
}
