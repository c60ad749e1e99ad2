/** Rows of the distances, for words of at most 32 letters. */
const ROWS = [new Uint8Array(40), new Uint8Array(40), new Uint8Array(40)];

/**
 * Counts the letters that are wrong, missing, added or swapped with the next
 * (restricted Damerau-Levenshtein distance).
 *
 * @returns A number above `most` if there are more.
 */
export function countEdits(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let start = 0;
  let [end, otherEnd] = [one.length, other.length];
  while (start < end && start < otherEnd && one[start] === other[start]) {
    start++;
  }
  while (
    end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]
  ) {
    end--;
    otherEnd--;
  }
  const [height, width] = [end - start, otherEnd - start];
  if (height === 0 || width === 0) return height + width;
  if (Math.max(height, width) >= ROWS[0]!.length) return most + 1;
  let [before, above, row] = ROWS as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= width; j++) above[j] = j;
  for (let i = 1; i <= height; i++) {
    row[0] = i;
    let least = i;
    const letter = one[start + i - 1];
    for (let j = 1; j <= width; j++) {
      const same = letter === other[start + j - 1];
      let edits = above[j - 1]! + (same ? 0 : 1);
      if (above[j]! + 1 < edits) edits = above[j]! + 1;
      if (row[j - 1]! + 1 < edits) edits = row[j - 1]! + 1;
      const isSwapped = i > 1 && j > 1 && letter === other[start + j - 2] &&
        one[start + i - 2] === other[start + j - 1];
      if (isSwapped && before[j - 2]! + 1 < edits) edits = before[j - 2]! + 1;
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return least;
    [before, above, row] = [above, row, before];
  }
  return above[width]!;
}
