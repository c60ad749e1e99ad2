// A mask of tokens has the bit `1 << i` for the token `i`.

/** Returns the mask of all of some tokens. */
export function allBits(count: number): number {
  return 2 ** count - 1;
}

/** Returns the first token of a mask, -1 for none. */
export function firstOf(mask: number): number {
  return mask === 0 ? -1 : 31 - Math.clz32(mask & -mask);
}

/** Returns the last token of a mask, -1 for none. */
export function lastOf(mask: number): number {
  return 31 - Math.clz32(mask);
}

/** Counts the tokens of a mask. */
export function countBits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
