/** Items of two sources with one key. */
export interface Joined<A, B> {
  readonly key: string;
  readonly one: A | undefined;
  readonly other: B | undefined;
}

/**
 * Joins two sequences that are in order of their distinct keys. Only a batch of
 * each is in memory.
 */
export async function* joinSources<A, B>(
  ones: AsyncIterable<readonly A[]>,
  others: AsyncIterable<readonly B[]>,
  keyOf: (one: A) => string,
  otherKeyOf: (other: B) => string,
): AsyncGenerator<Joined<A, B>> {
  const left = items(ones);
  const right = items(others);
  try {
    let one = (await left.next()).value;
    let other = (await right.next()).value;
    while (one !== undefined || other !== undefined) {
      const a = one === undefined ? undefined : keyOf(one);
      const b = other === undefined ? undefined : otherKeyOf(other);
      const key = b === undefined || a !== undefined && a < b ? a! : b;
      const isOne = a === key;
      const isOther = b === key;
      yield {
        key,
        one: isOne ? one : undefined,
        other: isOther ? other : undefined,
      };
      if (isOne) one = (await left.next()).value;
      if (isOther) other = (await right.next()).value;
    }
  } finally {
    await left.return(undefined);
    await right.return(undefined);
  }
}

async function* items<T>(
  batches: AsyncIterable<readonly T[]>,
): AsyncGenerator<T, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}
