/** Range of five-digit CEP prefixes, both ends included. */
export type Range = readonly [first: number, last: number];

/** Public facts about a state. */
export interface StateFacts {
  readonly uf: string;
  /** Share of the country's streets. */
  readonly weight: number;
  readonly municipalities: number;
  readonly ranges: readonly Range[];
  readonly capital: Capital;
}

/** Capital, the only municipality with its real name and code. */
export interface Capital {
  readonly name: string;
  readonly ibge: string;
  readonly ranges: readonly Range[];
}

type Row = [
  uf: string,
  weight: number,
  municipalities: number,
  ranges: Range[],
  capital: string,
  ibge: string,
  capitalRanges: Range[],
];

const BRASILIA: Range[] = [[70000, 72799], [73000, 73699]];

// deno-fmt-ignore
const ROWS: readonly Row[] = [
  ["AC", 5, 22, [[69900, 69999]], "Rio Branco", "1200401", [[69900, 69923]]],
  ["AL", 14, 102, [[57000, 57999]], "Maceió", "2704302", [[57000, 57099]]],
  ["AM", 20, 62, [[69000, 69299], [69400, 69899]], "Manaus", "1302603", [[69000, 69099]]],
  ["AP", 5, 16, [[68900, 68999]], "Macapá", "1600303", [[68900, 68911]]],
  ["BA", 60, 417, [[40000, 48999]], "Salvador", "2927408", [[40000, 42599]]],
  ["CE", 48, 184, [[60000, 63999]], "Fortaleza", "2304400", [[60000, 61599]]],
  ["DF", 20, 1, BRASILIA, "Brasília", "5300108", BRASILIA],
  ["ES", 28, 78, [[29000, 29999]], "Vitória", "3205309", [[29000, 29099]]],
  ["GO", 55, 246, [[72800, 72999], [73700, 76799]], "Goiânia", "5208707", [[74000, 74899]]],
  ["MA", 22, 217, [[65000, 65999]], "São Luís", "2111300", [[65000, 65109]]],
  ["MG", 115, 853, [[30000, 39999]], "Belo Horizonte", "3106200", [[30000, 31999]]],
  ["MS", 22, 79, [[79000, 79999]], "Campo Grande", "5002704", [[79000, 79124]]],
  ["MT", 27, 142, [[78000, 78899]], "Cuiabá", "5103403", [[78000, 78109]]],
  ["PA", 32, 144, [[66000, 68899]], "Belém", "1501402", [[66000, 66999]]],
  ["PB", 22, 223, [[58000, 58999]], "João Pessoa", "2507507", [[58000, 58099]]],
  ["PE", 52, 185, [[50000, 56999]], "Recife", "2611606", [[50000, 52999]]],
  ["PI", 17, 224, [[64000, 64999]], "Teresina", "2211001", [[64000, 64099]]],
  ["PR", 75, 399, [[80000, 87999]], "Curitiba", "4106902", [[80000, 82999]]],
  ["RJ", 90, 92, [[20000, 28999]], "Rio de Janeiro", "3304557", [[20000, 23799]]],
  ["RN", 20, 167, [[59000, 59999]], "Natal", "2408102", [[59000, 59139]]],
  ["RO", 13, 52, [[76800, 76999]], "Porto Velho", "1100205", [[76800, 76834]]],
  ["RR", 5, 15, [[69300, 69399]], "Boa Vista", "1400100", [[69300, 69339]]],
  ["RS", 65, 497, [[90000, 99999]], "Porto Alegre", "4314902", [[90000, 91999]]],
  ["SC", 50, 295, [[88000, 89999]], "Florianópolis", "4205407", [[88000, 88099]]],
  ["SE", 11, 75, [[49000, 49999]], "Aracaju", "2800308", [[49000, 49099]]],
  ["SP", 220, 645, [[1000, 19999]], "São Paulo", "3550308", [[1000, 5999], [8000, 8499]]],
  ["TO", 12, 139, [[77000, 77999]], "Palmas", "1721000", [[77000, 77249]]],
];

/** The 26 states and the Federal District, by their letters. */
export const STATE_FACTS: readonly StateFacts[] = ROWS.map((
  [uf, weight, municipalities, ranges, name, ibge, capitalRanges],
) => ({
  uf,
  weight,
  municipalities,
  ranges,
  capital: { name, ibge, ranges: capitalRanges },
}));

/** Returns every prefix of the ranges, in order. */
export function prefixesOf(ranges: readonly Range[]): number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  );
}

/**
 * Returns the smallest list of ranges with exactly these ascending prefixes.
 */
export function rangesOf(prefixes: readonly number[]): Range[] {
  const ranges: [number, number][] = [];
  for (const prefix of prefixes) {
    const last = ranges.at(-1);
    if (last?.[1] === prefix - 1) last[1] = prefix;
    else ranges.push([prefix, prefix]);
  }
  return ranges;
}
