/**
 * Returns the most similar name, if it differs in at most a quarter of its
 * letters, or the only one that begins with these words.
 */
export function nearestName(
  name: string,
  names: readonly string[],
): string | undefined {
  const [nearest] = names
    .map((known) => ({ known, distance: distanceOf(name, known) }))
    .filter(({ distance }) => distance <= name.length / 4)
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest !== undefined) return nearest.known;
  const longer = names.filter((known) =>
    /^[_-]/.test(known.slice(name.length)) && known.startsWith(name)
  );
  return longer.length === 1 ? longer[0] : undefined;
}

/**
 * Returns the number of letters to insert, remove or replace, or of neighbours
 * to exchange, to get one name from another.
 */
function distanceOf(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= from.length; i++) {
    const last = rows[i - 1]!;
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && from[i - 1] === to[j - 2] &&
        from[i - 2] === to[j - 1];
      const exchanged = isExchanged ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, last[j]! + 1, row[j - 1]! + 1, exchanged));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
