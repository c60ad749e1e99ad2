/** Region of Brazil. */
export type Region =
  | "Norte"
  | "Nordeste"
  | "Centro-Oeste"
  | "Sudeste"
  | "Sul";

/** Facts about a state or the Federal District. */
export interface StateFacts {
  /** Name. */
  readonly name: string;
  /** Region. */
  readonly region: Region;
  /** IBGE code: the first two digits of the codes of its municipalities. */
  readonly ibge: string;
}

/** States and the Federal District by abbreviation, in order of IBGE code. */
const FACTS: ReadonlyMap<string, StateFacts> = new Map(
  ([
    ["RO", "Rondônia", "Norte", "11"],
    ["AC", "Acre", "Norte", "12"],
    ["AM", "Amazonas", "Norte", "13"],
    ["RR", "Roraima", "Norte", "14"],
    ["PA", "Pará", "Norte", "15"],
    ["AP", "Amapá", "Norte", "16"],
    ["TO", "Tocantins", "Norte", "17"],
    ["MA", "Maranhão", "Nordeste", "21"],
    ["PI", "Piauí", "Nordeste", "22"],
    ["CE", "Ceará", "Nordeste", "23"],
    ["RN", "Rio Grande do Norte", "Nordeste", "24"],
    ["PB", "Paraíba", "Nordeste", "25"],
    ["PE", "Pernambuco", "Nordeste", "26"],
    ["AL", "Alagoas", "Nordeste", "27"],
    ["SE", "Sergipe", "Nordeste", "28"],
    ["BA", "Bahia", "Nordeste", "29"],
    ["MG", "Minas Gerais", "Sudeste", "31"],
    ["ES", "Espírito Santo", "Sudeste", "32"],
    ["RJ", "Rio de Janeiro", "Sudeste", "33"],
    ["SP", "São Paulo", "Sudeste", "35"],
    ["PR", "Paraná", "Sul", "41"],
    ["SC", "Santa Catarina", "Sul", "42"],
    ["RS", "Rio Grande do Sul", "Sul", "43"],
    ["MS", "Mato Grosso do Sul", "Centro-Oeste", "50"],
    ["MT", "Mato Grosso", "Centro-Oeste", "51"],
    ["GO", "Goiás", "Centro-Oeste", "52"],
    ["DF", "Distrito Federal", "Centro-Oeste", "53"],
  ] as const).map(([uf, name, region, ibge]) => [uf, { name, region, ibge }]),
);

/**
 * Returns the facts about a state by its abbreviation in upper case,
 * `undefined` for an unknown one.
 */
export function stateFacts(uf: string): StateFacts | undefined {
  return FACTS.get(uf);
}

/** Abbreviations by IBGE code. */
const BY_IBGE: ReadonlyMap<string, string> = new Map(
  Array.from(FACTS, ([uf, { ibge }]) => [ibge, uf]),
);

/**
 * Returns the abbreviation of a state by its IBGE code or that of one of its
 * municipalities, `undefined` for an unknown one.
 */
export function stateOfIbge(ibge: string): string | undefined {
  return BY_IBGE.get(ibge.slice(0, 2));
}
