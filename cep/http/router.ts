/**
 * From a path to its route.
 *
 * @module
 */
import type { Variables } from "./exchange.ts";

/** A route that a path leads to. */
export interface Match<R> {
  /** The route. */
  readonly route: R;
  /** The values of its variables, decoded. */
  readonly variables: Variables;
}

const NO_VARIABLES: Variables = {};

/**
 * Routes by their patterns: plain segments and variables such as `:cep`, which
 * may stand anywhere. Where two patterns fit a path, the one with a plain
 * segment in place of the other's variable wins.
 */
export class Router<R extends { readonly pattern: string }> {
  /**
   * Routes without variables by the lengths of their paths, then by the paths:
   * to look up a path takes longer than to fit it to a pattern.
   */
  readonly #plain = new Map<number, Map<string, R>>();
  /** The others, those with few variables first. */
  readonly #variable: (readonly [Pattern, R])[] = [];

  /**
   * @throws {TypeError} If a pattern is malformed, or two of them fit one path
   * and neither is more specific.
   */
  constructor(routes: readonly R[]) {
    const patterns: Pattern[] = [];
    for (const route of routes) {
      const pattern = new Pattern(route.pattern);
      patterns.forEach((other) => refuseClash(other, pattern));
      patterns.push(pattern);
      if (pattern.variables > 0) this.#variable.push([pattern, route]);
      else this.#plainOf(pattern.text.length).set(pattern.text, route);
    }
    this.#variable.sort(([a], [b]) => a.variables - b.variables);
  }

  #plainOf(length: number): Map<string, R> {
    const plain = this.#plain.get(length) ?? new Map<string, R>();
    this.#plain.set(length, plain);
    return plain;
  }

  /** The route of a path, with or without a trailing slash. */
  match(path: string): Match<R> | undefined {
    const plain = path.length > 1 && path.endsWith("/")
      ? path.slice(0, -1)
      : path;
    const route = this.#plain.get(plain.length)?.get(plain);
    if (route !== undefined) return { route, variables: NO_VARIABLES };
    for (const [pattern, route] of this.#variable) {
      const variables = pattern.read(plain);
      if (variables !== undefined) return { route, variables };
    }
    return undefined;
  }
}

/** A pattern, taken apart. */
class Pattern {
  readonly segments: readonly string[];
  /** Names of the variables. */
  readonly #names: readonly string[];
  /** Texts before each variable, and after the last. */
  readonly #between: readonly string[];

  constructor(readonly text: string) {
    this.segments = text.split("/");
    this.#names = this.segments.filter(isVariable).map((it) => it.slice(1));
    this.#between = text.split(/:[^/]*/);
    const isMalformed = !text.startsWith("/") ||
      (this.segments.slice(1).includes("") && text !== "/") ||
      this.#names.includes("") ||
      new Set(this.#names).size < this.#names.length;
    if (isMalformed) {
      throw new TypeError(`Cannot route "${text}": malformed pattern`);
    }
  }

  /** Number of variables. */
  get variables(): number {
    return this.#names.length;
  }

  /** The variables of a path, `undefined` if the pattern does not fit. */
  read(path: string): Variables | undefined {
    const variables: Record<string, string> = {};
    let end = 0;
    for (let i = 0; i < this.#names.length; i++) {
      const before = this.#between[i]!;
      if (!path.startsWith(before, end)) return undefined;
      const start = end + before.length;
      const slash = path.indexOf("/", start);
      end = slash === -1 ? path.length : slash;
      variables[this.#names[i]!] = decode(path.slice(start, end));
    }
    const rest = this.#between[this.#names.length]!;
    const fits = path.length === end + rest.length && path.endsWith(rest);
    return fits ? variables : undefined;
  }
}

function isVariable(segment: string): boolean {
  return segment.startsWith(":");
}

function refuseClash(a: Pattern, b: Pattern): void {
  if (a.segments.length !== b.segments.length) return;
  let [aWins, bWins] = [false, false];
  for (const [i, segment] of a.segments.entries()) {
    const other = b.segments[i]!;
    if (isVariable(segment) && !isVariable(other)) bWins = true;
    else if (isVariable(other) && !isVariable(segment)) aWins = true;
    else if (!isVariable(segment) && segment !== other) return;
  }
  if (aWins !== bWins) return;
  throw new TypeError(
    `Cannot route "${b.text}": "${a.text}" fits the same paths`,
  );
}

/** The meaning of a segment; one that is badly encoded means itself. */
function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
