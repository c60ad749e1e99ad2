import { invalid } from "./type_error.ts";

/** Known names, by exact and by normalized spelling. */
export type KnownNames = ReadonlyMap<string, string>;

/** Letters at the start that a name must share with the nearest one. */
const SHARED = 3;

/**
 * Indexes the names of an interface for {@linkcode checkNames}; the compiler
 * checks that none is missing.
 */
export function knownNames<Names extends object>(
  names:
    | { readonly [Name in keyof Required<Names>]: unknown }
    | Iterable<string>,
): KnownNames {
  const known = new Map<string, string>();
  const list = Symbol.iterator in names ? names : Object.keys(names);
  for (const name of list as Iterable<string>) {
    known.set(normalize(name), name).set(name, name);
  }
  return known;
}

/** Refuses unknown names of options; the message has the nearest known one. */
export function checkNames(options: object, known: KnownNames): void {
  if (Object(options) !== options || options instanceof Promise) {
    throw invalid(
      "Cannot use the options: they must be an object; await a Promise first",
    );
  }
  for (const name of Object.keys(options)) {
    checkSpelling(name, known);
    if (known.has(name)) continue;
    const nearest = findNearest(normalize(name), known);
    throw invalid(
      `Cannot use "${name}": there is no such option${
        nearest === undefined ? "" : `; the nearest is "${nearest}"`
      }`,
    );
  }
}

/** Checks that a value is a client, for constructors that need one. */
export function checkClient(client: unknown): void {
  if (Object(client) === client && !(client instanceof Promise)) return;
  throw invalid("Cannot use the client: it is not a Client");
}

/**
 * Refuses a name that differs from a known name only in case or underscores: it
 * would be silently ignored. Other names are accepted.
 */
export function checkSpelling(name: string, known: KnownNames): void {
  const right = known.get(name) ?? known.get(normalize(name)) ?? name;
  if (right !== name) {
    throw invalid(`Cannot use "${name}": it is spelled "${right}"`);
  }
}

/** Returns the known name with the longest common start; of two, the shorter. */
function findNearest(name: string, known: KnownNames): string | undefined {
  let nearest: string | undefined;
  let most = SHARED - 1;
  for (const [other, right] of known) {
    let shared = 0;
    while (shared < name.length && name[shared] === other[shared]) shared++;
    shared -= other.length / 1000;
    if (shared > most) [nearest, most] = [right, shared];
  }
  return nearest;
}

function normalize(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
