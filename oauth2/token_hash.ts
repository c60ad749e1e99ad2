import type { Defined } from "./defaults.ts";
import type { OAuth2Response } from "./response.ts";
import { checkName, knownNames, type Misspelled } from "./names.ts";
import { toSnakeCase } from "./snaky.ts";

/** Fields of a token as a server or a caller spells them. */
export type TokenHash = { readonly [field: string]: unknown };

/** Place of the token in a request (RFC 6750 section 2). */
export type Placement = "header" | "query" | "body";

/**
 * Place of the token in requests: always the same, or one by the verb in lower
 * case. A verb that a map leaves out has it in the header.
 */
export type Mode =
  | Placement
  | ((verb: string) => Placement)
  | { readonly [verb: string]: Placement };

/** Options by which a token is read and used. A server can set none of these. */
export interface TokenOptions {
  /**
   * Seconds by which the token is taken to expire early.
   *
   * @default 0
   */
  expiresLatency?: number | string | undefined;
  /**
   * Name of the field that holds the token.
   *
   * @default the first of access_token, token and accessToken
   */
  tokenName?: string | undefined;
  /**
   * Place of the token in requests.
   *
   * @default "header"
   */
  mode?: Mode | undefined;
  /**
   * Value of the `Authorization` header; `%s` stands for the token.
   *
   * @default "Bearer %s"
   */
  headerFormat?: string | undefined;
  /**
   * Name of the parameter, in the modes query and body.
   *
   * @default "access_token"
   */
  paramName?: string | undefined;
  /** Response that the token came with. */
  response?: OAuth2Response | undefined;
}

/** Options of a token, and beside them fields that win over the server's. */
export type TokenOverrides =
  & TokenOptions
  & TokenHash
  & Misspelled<keyof TokenOptions>;

/** Names under which the token is looked for, in this order. An id_token is not an access token. */
export const TOKEN_NAMES: readonly string[] = [
  "access_token",
  "token",
  "accessToken",
];
/** Names of the refresh token. */
export const REFRESH_TOKEN_NAMES: readonly string[] = [
  "refresh_token",
  "refreshToken",
];
/** Names of the time of expiry. */
export const EXPIRES_AT_NAMES: readonly string[] = ["expires_at", "expiresAt"];
/** Names of the lifetime. */
export const EXPIRES_IN_NAMES: readonly string[] = [
  "expires_in",
  "expiresIn",
  "expires",
];
/** Names of the options in a hash and here. */
export const OPTION_NAMES = ([
  "expiresLatency",
  "tokenName",
  "mode",
  "headerFormat",
  "paramName",
] as const).map((name) => [toSnakeCase(name), name] as const);
const OPTIONS = knownNames(OPTION_NAMES.map(([, name]) => name));
/** Names in a hash that are not fields of a token. */
const RESERVED_NAMES = ["params", ...OPTION_NAMES.flat()];
/** Names that a hash keeps apart, so that they are read as ordinary fields. */
const READ_NAMES = [
  ...RESERVED_NAMES,
  ...TOKEN_NAMES,
  ...REFRESH_TOKEN_NAMES,
  ...EXPIRES_AT_NAMES,
  ...EXPIRES_IN_NAMES,
];

/** Fields of a hash, of which some are taken and the rest is kept. */
export class HashReader {
  #fields: TokenHash;
  #taken = new Set<string>();

  constructor(fields: TokenHash) {
    this.#fields = fields;
  }

  /** Takes the first of some fields that has a value. */
  take(names: readonly string[]): unknown {
    let taken: unknown;
    for (const name of names) {
      if (!Object.hasOwn(this.#fields, name)) continue;
      const value = this.#fields[name] ?? undefined;
      if (taken === undefined || value === undefined) this.#taken.add(name);
      taken ??= value;
    }
    return taken;
  }

  /** Takes the options of a token, by either of their names. */
  takeOptions(): Defined<TokenOptions> {
    const options: Record<string, unknown> = {};
    for (const names of OPTION_NAMES) {
      const value = this.take(names);
      if (value !== undefined) options[names[1]] = value;
    }
    return options;
  }

  /** Copies the fields that were not taken. */
  rest(): Record<string, unknown> {
    const rest: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(this.#fields)) {
      if (this.#taken.has(name)) continue;
      // Assigned, "__proto__" would not be a field.
      if (name !== "__proto__") rest[name] = value;
      else {
        Object.defineProperty(rest, name, {
          value,
          configurable: true,
          enumerable: true,
          writable: true,
        });
      }
    }
    return rest;
  }
}

/** Finds the value of a token among its fields: a string that is not empty. */
export function findToken(
  fields: HashReader,
  tokenName: string | undefined,
): string | undefined {
  return asText(
    fields.take(tokenName === undefined ? TOKEN_NAMES : [tokenName]),
  );
}

/** A string that is not empty, or undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Sets the fields apart that would be read as options, so that a server cannot
 * say where a token is sent.
 */
export function setApart(
  fields: TokenHash,
  names: readonly string[] = RESERVED_NAMES,
): TokenHash {
  if (!names.some((name) => Object.hasOwn(fields, name))) return fields;
  const entries = Object.entries(fields);
  return {
    ...Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    params: Object.fromEntries(
      entries.filter(([name]) => names.includes(name)),
    ),
  };
}

/** Sets the fields apart that are read in any way, so that `params` stay params. */
export function setParamsApart(
  params: TokenHash,
  tokenName: string,
): TokenHash {
  return setApart(params, [...READ_NAMES, tokenName]);
}

/**
 * Refuses misspelled options.
 *
 * @throws {TypeError} Naming the right spelling.
 */
export function checkTokenOptions(options: TokenOptions): void {
  for (const name of Object.keys(options)) checkName(name, OPTIONS);
}
