import type { Client } from "../core/client.ts";
import type {
  AccessToken,
  TokenClass,
  TokenConstructor,
} from "../core/token.ts";
import {
  asText,
  findToken,
  HashReader,
  type TokenHash,
  type TokenOptions,
} from "../core/token_hash.ts";
import { ValidationError } from "../core/validation_error.ts";

/** Field of a token with the thumbprint of its key. */
const THUMBPRINT = "dpop_jkt";
const HEADER_FORMAT = "DPoP %s";

/** Rules for the tokens of a client. */
export interface DpopTokenRules {
  /** Thumbprint of the key. */
  readonly thumbprint: string;
  /** Accepts a token that is not bound. */
  readonly allowBearer: boolean;
}

/**
 * Creates a class of tokens that are bound to a key. Their field `dpop_jkt` has
 * its thumbprint, so that a stored token is used only with its key.
 */
export function dpopTokenClass<T extends AccessToken>(
  base: TokenClass<T>,
  rules: DpopTokenRules,
): TokenClass<T> {
  // The constructor of a mixin takes any arguments.
  // deno-lint-ignore no-explicit-any
  const Base = base as unknown as (new (...args: any[]) => AccessToken) & {
    fromHash: typeof AccessToken.fromHash;
  };
  class DpopToken extends Base {
    static override fromHash<U extends AccessToken>(
      this: TokenConstructor<U>,
      client: Client,
      hash: TokenHash,
      options: TokenOptions = {},
    ): U {
      const bound = options.response
        ? readResponse(hash, options, rules)
        : restore(hash, options, rules);
      return Base.fromHash.call(
        this as TokenConstructor<AccessToken>,
        client,
        bound.hash,
        bound.options,
      ) as U;
    }
  }
  return DpopToken as unknown as TokenClass<T>;
}

/** Fields and options of a token. */
interface Parts {
  readonly hash: TokenHash;
  readonly options: TokenOptions;
}

/**
 * Binds the token of a response.
 *
 * @throws {ValidationError} If the server did not bind it, and must.
 */
function readResponse(
  hash: TokenHash,
  options: TokenOptions,
  { thumbprint, allowBearer }: DpopTokenRules,
): Parts {
  // An error response, which has no token.
  if (!findToken(new HashReader(hash), options.tokenName)) {
    return { hash, options };
  }
  if (isDpop(hash)) {
    return {
      hash: { ...hash, [THUMBPRINT]: thumbprint },
      options: { ...options, headerFormat: HEADER_FORMAT },
    };
  }
  if (!allowBearer) refuseBearer();
  const { [THUMBPRINT]: _, ...fields } = hash;
  const { headerFormat, ...others } = options;
  const isInherited = headerFormat === HEADER_FORMAT;
  return { hash: fields, options: isInherited ? others : options };
}

/**
 * Restores a stored token.
 *
 * @throws {ValidationError} If it is bound to another or an unknown key, or is
 * not bound, and must be.
 */
function restore(
  hash: TokenHash,
  options: TokenOptions,
  { thumbprint, allowBearer }: DpopTokenRules,
): Parts {
  const found = hash[THUMBPRINT] ?? undefined;
  if (found === undefined && !isDpop(hash)) {
    const fields = new HashReader(hash);
    const tokenName = options.tokenName ?? fields.takeTokenName();
    if (!allowBearer && findToken(fields, tokenName)) refuseBearer();
    return { hash, options };
  }
  if (found === undefined) {
    throw new ValidationError(
      "invalid_key",
      `Cannot use the token: it has no ${THUMBPRINT}, the thumbprint of its DPoP key`,
    );
  }
  if (found !== thumbprint) {
    throw new ValidationError(
      "invalid_key",
      `Cannot use the token: it is bound to another DPoP key than "${thumbprint}"`,
    );
  }
  return {
    hash: { ...hash, token_type: "DPoP" },
    options: { ...options, headerFormat: HEADER_FORMAT },
  };
}

function refuseBearer(): never {
  throw new ValidationError(
    "invalid_token_type",
    "Cannot use the token: its token_type is not DPoP; allowBearer accepts it",
  );
}

function isDpop({ token_type, tokenType }: TokenHash): boolean {
  return asText(token_type ?? tokenType)?.toLowerCase() === "dpop";
}
