/**
 * Challenges of the `WWW-Authenticate` header (RFC 9110 section 11.6.1).
 *
 * @module
 */

/** Challenge of a server. */
export interface Challenge {
  /** Authentication scheme in lower case, e.g. `bearer` or `dpop`. */
  readonly scheme: string;
  /** Data that is not in parameters (token68), e.g. of `Negotiate`. */
  readonly token68?: string;
  /** Parameters by name in lower case. */
  readonly params: Readonly<Record<string, string>>;
}

/** Maximum length of a parsed header. */
const MAX_LENGTH = 16_384;

const SEPARATORS = /[\s,]*/y;
const SPACE = /[ \t]*/y;
const TOKEN = /[!#$%&'*+.^_`|~\w-]+/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/ys;
const TOKEN_68 = /[\w.~+/-]+=*(?=[ \t]*(?:,|$))/y;
/** Rest of a malformed parameter. */
const REST = /[^",]*/y;

/**
 * Parses the `WWW-Authenticate` header, in time proportional to its length.
 *
 * Of a parameter that is repeated in a challenge, the first value counts.
 * Malformed parts are skipped; a quotation mark that is not closed ends the
 * list.
 *
 * @example
 * ```ts
 * import { parseChallenges } from "@carteiro/oauth2/challenges";
 *
 * const [challenge] = parseChallenges('Bearer error="invalid_token"');
 * console.assert(challenge?.scheme === "bearer");
 * console.assert(challenge?.params.error === "invalid_token");
 * ```
 */
export function parseChallenges(
  source: Headers | string | null | undefined,
): Challenge[] {
  const header = typeof source === "object"
    ? source?.get("www-authenticate")
    : source;
  return new Parser(header?.slice(0, MAX_LENGTH) ?? "").parse();
}

/** Challenge that is being parsed. */
interface Draft {
  readonly scheme: string;
  token68?: string;
  readonly params: Record<string, string>;
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Challenge[] {
    const drafts: Draft[] = [];
    // Only after a comma may a scheme follow, only within a challenge a
    // parameter.
    let isAfterComma = true;
    for (;;) {
      const gap = this.#take(SEPARATORS)![0];
      isAfterComma ||= gap.includes(",");
      if (this.#at >= this.#text.length) return drafts;
      const name = this.#take(TOKEN)?.[0].toLowerCase();
      const last = drafts.at(-1);
      if (name !== undefined && this.#take(EQUALS)) {
        if (!this.#takeValue(last, name)) return drafts;
      } else if (name !== undefined && isAfterComma) {
        const draft: Draft = { scheme: name, params: Object.create(null) };
        const isSpaced = this.#take(SPACE)![0] !== "";
        const token68 = isSpaced ? this.#take(TOKEN_68)?.[0] : undefined;
        if (token68 !== undefined) draft.token68 = token68;
        drafts.push(draft);
      } else if (!this.#skip()) return drafts;
      isAfterComma = false;
    }
  }

  /** Takes the value of a parameter. Returns false at the end of the list. */
  #takeValue(challenge: Draft | undefined, name: string): boolean {
    const quoted = this.#take(QUOTED);
    const value = quoted
      ? quoted[1]!.replace(/\\(.)/gs, "$1")
      : this.#take(TOKEN)?.[0];
    if (value === undefined) return this.#skip();
    if (challenge) challenge.params[name] ??= value;
    return true;
  }

  /** Skips to the next comma. Returns false at the end of the list. */
  #skip(): boolean {
    do {
      this.#take(REST);
    } while (this.#take(QUOTED));
    return this.#text[this.#at] === ",";
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}
