import type { Defined } from "./params.ts";
import type { OAuth2Response } from "./response.ts";
import { checkNames, checkSpelling, knownNames } from "./names.ts";
import { toSnakeCase } from "./snaky.ts";

/** Fields of a token, as a server sends them. */
export type TokenHash = { readonly [field: string]: unknown };

/** Part of a request that carries the token (RFC 6750 section 2). */
export type Placement = "header" | "query" | "body";

/**
 * Part of a request that carries the token, or a function or map from the verb
 * in lower case to it. The default of a map is the header.
 */
export type Mode =
  | Placement
  | ((verb: string) => Placement)
  | { readonly [verb: string]: Placement };

/** Options for reading and using a token, which a server cannot set. */
export interface TokenOptions {
  /**
   * Seconds subtracted from the time of expiry.
   *
   * @default {0}
   */
  expiresLatency?: number | string | undefined;
  /**
   * Name of the field with the token.
   *
   * @default {the first of access_token, token and accessToken}
   */
  tokenName?: string | undefined;
  /**
   * Part of a request that carries the token.
   *
   * @default {"header"}
   */
  mode?: Mode | undefined;
  /**
   * Value of the `Authorization` header; `%s` stands for the token.
   *
   * @default {"Bearer %s"}
   */
  headerFormat?: string | undefined;
  /**
   * Name of the parameter, for the modes `query` and `body`.
   *
   * @default {"access_token"}
   */
  paramName?: string | undefined;
  /**
   * Origins to which the token may be sent, among those of the client. They are
   * not part of the hash of the token.
   *
   * @default {all origins of the client}
   */
  allowedOrigins?: readonly string[] | undefined;
  /** Response that contained the token. */
  response?: OAuth2Response | undefined;
}

/** Options of a token, and fields that override those of the server. */
export type TokenOverrides = TokenOptions & TokenHash;

/** Names of the token, in order of precedence. */
export const TOKEN_NAMES: readonly string[] = [
  "access_token",
  "token",
  "accessToken",
];
export const REFRESH_TOKEN_NAMES: readonly string[] = [
  "refresh_token",
  "refreshToken",
];
export const EXPIRES_AT_NAMES: readonly string[] = ["expires_at", "expiresAt"];
export const EXPIRES_IN_NAMES: readonly string[] = [
  "expires_in",
  "expiresIn",
  "expires",
];
/** Names of the options in a hash and in {@linkcode TokenOptions}. */
export const OPTION_NAMES = ([
  "expiresLatency",
  "tokenName",
  "mode",
  "headerFormat",
  "paramName",
] as const).map((name) => [toSnakeCase(name), name] as const);
const OPTIONS = knownNames([
  ...OPTION_NAMES.map(([, name]) => name),
  "allowedOrigins",
  "response",
]);
/** Names in a hash that are read as options. */
const RESERVED_NAMES = new Set(["params", ...OPTION_NAMES.flat()]);
/** Names in a hash that {@linkcode HashReader} may take. */
const KNOWN_NAMES = [
  ...RESERVED_NAMES,
  ...TOKEN_NAMES,
  ...REFRESH_TOKEN_NAMES,
  ...EXPIRES_AT_NAMES,
  ...EXPIRES_IN_NAMES,
];

/** Attributes of an ordinary field, which assigning to "__proto__" would not create. */
const PLAIN = { configurable: true, enumerable: true, writable: true };

/** Reader of the fields of a hash, which keeps track of those it has taken. */
export class HashReader {
  #fields: TokenHash;
  #taken: string[] = [];

  constructor(fields: TokenHash) {
    this.#fields = fields;
  }

  /** Takes the first field that has a value. */
  take(names: readonly string[]): unknown {
    let taken: unknown;
    for (const name of names) {
      const value = this.#fields[name] ?? undefined;
      if (taken === undefined || value === undefined) this.#taken.push(name);
      taken ??= value;
    }
    return taken;
  }

  /** Takes the options of a token, in snake or camel case. */
  takeOptions(): Defined<TokenOptions> {
    const options: Record<string, unknown> = {};
    // Most hashes have none.
    if (!hasField(this.#fields, RESERVED_NAMES)) return options;
    for (const names of OPTION_NAMES) {
      const value = this.take(names);
      if (value !== undefined) options[names[1]] = value;
    }
    return options;
  }

  takeTokenName(): string | undefined {
    return this.take(["token_name", "tokenName"]) as string | undefined;
  }

  rest(): Record<string, unknown> {
    const rest: Record<string, unknown> = {};
    // Faster than to copy all fields and delete some.
    for (const name of Object.keys(this.#fields)) {
      if (this.#taken.includes(name)) continue;
      const value = this.#fields[name];
      if (name !== "__proto__") rest[name] = value;
      else Object.defineProperty(rest, name, { value, ...PLAIN });
    }
    return rest;
  }
}

function hasField(fields: TokenHash, names: ReadonlySet<string>): boolean {
  return Object.keys(fields).some((name) => names.has(name));
}

/** Takes the value of the token: a non-empty string. */
export function findToken(
  fields: HashReader,
  tokenName: string | undefined,
): string | undefined {
  return asText(
    fields.take(tokenName === undefined ? TOKEN_NAMES : [tokenName]),
  );
}

/** Returns a non-empty string, or undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Moves fields that would be read as options into `params`, so that a server
 * cannot choose how the token is sent.
 */
export function nestReserved(
  fields: TokenHash,
  names: ReadonlySet<string> = RESERVED_NAMES,
): TokenHash {
  if (!hasField(fields, names)) return fields;
  const filter = (isReserved: boolean) =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => names.has(name) === isReserved),
    );
  return { ...filter(false), params: filter(true) };
}

/** Moves fields with known names into `params`, so that they remain params. */
export function nestKnown(
  params: TokenHash,
  tokenName: string,
): TokenHash {
  return nestReserved(params, new Set([...KNOWN_NAMES, tokenName]));
}

/** Checks the names of options. */
export function checkTokenOptions(options: TokenOptions): void {
  checkNames(options, OPTIONS);
}

/** Checks the names of options among fields. */
export function checkOverrides(options: TokenOverrides): void {
  for (const name of Object.keys(options)) checkSpelling(name, OPTIONS);
}
