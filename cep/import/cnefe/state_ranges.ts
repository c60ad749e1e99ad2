/** Prefixes of five digits, inclusive, by the IBGE code of a state. */
const RANGES: Readonly<Record<number, readonly [number, number][]>> = {
  11: [[76800, 76999]],
  12: [[69900, 69999]],
  13: [[69000, 69299], [69400, 69899]],
  14: [[69300, 69399]],
  15: [[66000, 68899]],
  16: [[68900, 68999]],
  17: [[77000, 77999]],
  21: [[65000, 65999]],
  22: [[64000, 64999]],
  23: [[60000, 63999]],
  24: [[59000, 59999]],
  25: [[58000, 58999]],
  26: [[50000, 56999]],
  27: [[57000, 57999]],
  28: [[49000, 49999]],
  29: [[40000, 48999]],
  31: [[30000, 39999]],
  32: [[29000, 29999]],
  33: [[20000, 28999]],
  35: [[1000, 19999]],
  41: [[80000, 87999]],
  42: [[88000, 89999]],
  43: [[90000, 99999]],
  50: [[79000, 79999]],
  51: [[78000, 78899]],
  52: [[72800, 72999], [73700, 76799]],
  53: [[70000, 72799], [73000, 73699]],
};

/** State of each prefix of five digits, 0 without. */
let states: Uint8Array | undefined;

function statesByPrefix(): Uint8Array {
  const states = new Uint8Array(100_000);
  for (const [state, ranges] of Object.entries(RANGES)) {
    for (const [first, last] of ranges) {
      states.fill(Number(state), first, last + 1);
    }
  }
  return states;
}

/**
 * Returns the IBGE code of the state to which a CEP belongs, 0 for a CEP of
 * none.
 *
 * @param cep The CEP as a number.
 */
export function stateOfCep(cep: number): number {
  states ??= statesByPrefix();
  return states[Math.trunc(cep / 1000)] ?? 0;
}

/** True for the IBGE code of a state. */
export function isState(code: number): boolean {
  return code in RANGES;
}
