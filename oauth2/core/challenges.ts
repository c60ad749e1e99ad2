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

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`;
/**
 * A parameter, a scheme, which only a comma or the start may precede, or
 * a malformed part.
 */
const ITEM = new RegExp(
  String
    .raw`[\s,]*(?![\s,])(?:(${TOKEN})[ \t]*=[ \t]*(?:${QUOTED}|(${TOKEN}))` +
    String.raw`|(?<=(?:^|,)[\s,]*)(${TOKEN})(?!${TOKEN}|[ \t]*=)` +
    String.raw`(?:[ \t]+([\w.~+/-]+=*)(?=[ \t]*(?:,|$)))?` +
    `|(?:[^",]|${QUOTED})+)`,
  "gys",
);

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
  const challenges: Challenge[] = [];
  let params: Record<string, string> = {};
  for (
    const [, name, quoted, value, scheme, token68] of (header ?? "")
      .slice(0, MAX_LENGTH).matchAll(ITEM)
  ) {
    if (scheme !== undefined) {
      params = Object.create(null);
      challenges.push({
        scheme: scheme.toLowerCase(),
        ...token68 && { token68 },
        params,
      });
    } else if (name !== undefined) {
      params[name.toLowerCase()] ??= quoted?.replace(/\\(.)/gs, "$1") ?? value!;
    }
  }
  return challenges;
}
