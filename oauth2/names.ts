/** `redirectUri` for `redirect_uri`. */
export type CamelCase<Name extends string> = Name extends
  `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** `raise_errors` for `raiseErrors`. */
export type SnakeCase<Name extends string> = Name extends
  `${infer Letter}${infer Rest}` ? `${Letter extends Lowercase<Letter> ? Letter
    : `_${Lowercase<Letter>}`}${SnakeCase<
    Rest
  >}`
  : Name;

/** Names in the spelling of the other convention, none of which is allowed. */
export type Misspelled<Names extends string> = {
  readonly [
    Name in Names as Exclude<CamelCase<Name> | SnakeCase<Name>, Names>
  ]?: never;
};

/** Known names by their spelling, and by what is left without case and underscores. */
export type KnownNames = ReadonlyMap<string, string>;

/** Indexes names for {@link checkName}. */
export function knownNames(names: Iterable<string>): KnownNames {
  const known = new Map<string, string>();
  for (const name of names) known.set(plain(name), name).set(name, name);
  return known;
}

/**
 * Refuses a name that differs from a known one only in letter case or
 * underscores: it would silently have no effect.
 *
 * @throws {TypeError} Naming the right spelling.
 */
export function checkName(name: string, known: KnownNames): void {
  const right = known.get(name) ?? known.get(plain(name)) ?? name;
  if (right !== name) {
    throw new TypeError(`Cannot use "${name}": it is spelled "${right}"`);
  }
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
