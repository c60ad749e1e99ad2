/**
 * Spelling of the names of parameters and options.
 *
 * @module
 */
import { invalid } from "./type_error.ts";

/** Camel case of a name in snake case: `redirectUri` for `redirect_uri`. */
export type CamelCase<Name extends string> = Name extends
  `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Snake case of a name in camel case: `raise_errors` for `raiseErrors`. */
export type SnakeCase<Name extends string> = Name extends
  `${infer Letter}${infer Rest}` ? `${Letter extends Lowercase<Letter> ? Letter
    : `_${Lowercase<Letter>}`}${SnakeCase<
    Rest
  >}`
  : Name;

/** Names in the other spelling convention, which are type errors. */
export type Misspelled<Names extends string> = {
  readonly [
    Name in Names as Exclude<CamelCase<Name> | SnakeCase<Name>, Names>
  ]?: never;
};

/** Known names, by exact and by normalized spelling. */
export type KnownNames = ReadonlyMap<string, string>;

/** Indexes names for {@linkcode checkName}. */
export function knownNames(names: Iterable<string>): KnownNames {
  const known = new Map<string, string>();
  for (const name of names) known.set(normalize(name), name).set(name, name);
  return known;
}

/**
 * Refuses a name that differs from a known name only in case or underscores: it
 * would be silently ignored.
 *
 * @throws {TypeError} If the name is misspelled; the message has the right
 * spelling.
 */
export function checkName(name: string, known: KnownNames): void {
  const right = known.get(name) ?? known.get(normalize(name)) ?? name;
  if (right !== name) {
    throw invalid(`Cannot use "${name}": it is spelled "${right}"`);
  }
}

function normalize(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
