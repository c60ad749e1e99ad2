/** Finds the first of some sorted items that is not before what is wanted. */
export function bisect(
  count: number,
  isBefore: (i: number) => boolean,
): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = low + high >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the first item that is not less than a value. */
export function lowerBound(
  items: Uint32Array,
  value: number,
  low: number,
  high: number,
): number {
  while (low < high) {
    const middle = low + high >>> 1;
    if (items[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
