/** Cases that a server does not offer, by name, with one reason for all. */
export function lacking(
  reason: string,
  ...names: readonly string[]
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
