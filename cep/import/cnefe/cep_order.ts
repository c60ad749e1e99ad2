/** More than the highest position. A CEP times it is an exact number. */
const POSITIONS = 2 ** 26;

/**
 * Returns the positions of CEPs, sorted by CEP, then by position.
 *
 * @throws {RangeError} If there are 2^26 CEPs or more.
 */
export function orderOf(ceps: Uint32Array): Uint32Array<ArrayBuffer> {
  if (ceps.length >= POSITIONS) {
    throw new RangeError(`Cannot sort ${ceps.length} CEPs: too many`);
  }
  // An array of numbers is sorted without calls, unlike one of positions.
  const keys = new Float64Array(ceps.length);
  for (let i = 0; i < keys.length; i++) keys[i] = ceps[i]! * POSITIONS + i;
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) order[i] = keys[i]! % POSITIONS;
  return order;
}
