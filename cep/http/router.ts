import type { Route, Variables } from "./exchange.ts";
import { HttpError } from "./errors.ts";

/** Route that matches a path. */
interface Match<R> {
  readonly route: R;
  /** Values of its variables, decoded. */
  readonly variables: Variables;
}

const NO_VARIABLES: Variables = {};
const NO_ROUTES: readonly never[] = [];

/**
 * Routes by their patterns, which consist of plain segments and, in any
 * position, variables such as `:cep`. If two patterns match a path, a plain
 * segment takes precedence over a variable.
 */
export class Router<R extends { readonly pattern: string }> {
  /**
   * Routes without variables, by the length of their path. Comparing a path with
   * the few of its length is faster than hashing it.
   */
  readonly #plain = new Map<number, R[]>();
  /** Routes with variables, in ascending number of these. */
  readonly #variable: (readonly [Pattern, R])[] = [];

  /**
   * @throws {TypeError} If a pattern is malformed, or if two patterns match the
   * same path and neither takes precedence.
   */
  constructor(routes: readonly R[]) {
    const patterns: Pattern[] = [];
    for (const route of routes) {
      const pattern = new Pattern(route.pattern);
      patterns.forEach((other) => refuseClash(other, pattern));
      patterns.push(pattern);
      if (pattern.variables > 0) this.#variable.push([pattern, route]);
      else this.#plainOf(pattern.text.length).push(route);
    }
    this.#variable.sort(([a], [b]) => a.variables - b.variables);
  }

  #plainOf(length: number): R[] {
    const plain = this.#plain.get(length) ?? [];
    this.#plain.set(length, plain);
    return plain;
  }

  /** Finds the route of a path, with or without a trailing slash. */
  match(path: string): Match<R> | undefined {
    const plain = path.length > 1 && path.endsWith("/")
      ? path.slice(0, -1)
      : path;
    for (const route of this.#plain.get(plain.length) ?? NO_ROUTES) {
      if (route.pattern === plain) return { route, variables: NO_VARIABLES };
    }
    for (const [pattern, route] of this.#variable) {
      const variables = pattern.match(plain);
      if (variables !== undefined) return { route, variables };
    }
    return undefined;
  }
}

/** Parsed pattern. */
class Pattern {
  readonly segments: readonly string[];
  readonly #names: readonly string[];
  /** Texts before each variable and after the last one. */
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

  get variables(): number {
    return this.#names.length;
  }

  /** Returns the variables of a path, `undefined` if it does not match. */
  match(path: string): Variables | undefined {
    if (!path.startsWith(this.#between[0]!)) return undefined;
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
    const matches = path.length === end + rest.length && path.endsWith(rest);
    return matches ? variables : undefined;
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
    `Cannot route "${b.text}": "${a.text}" matches the same paths`,
  );
}

/** Decodes a segment; a malformed segment is returned unchanged. */
function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Route of all paths that match no other. */
export const UNKNOWN: Route = {
  id: "unknown",
  pattern: "unknown",
  summary: { en: "no such route", pt: "rota inexistente" },
  parameters: [],
  lenient: true,
  answers: {},
  errors: ["route_not_found"],
  handle() {
    throw new HttpError("route_not_found");
  },
};
