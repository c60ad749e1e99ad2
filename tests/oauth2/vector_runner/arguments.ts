/** Arguments of calls as the library spells them. */
import { toFunction } from "./functions.ts";
import { withTestKey } from "./keys.ts";
import { isObject, type Json } from "./vector.ts";

/** Values of grants that configure the library; all others are sent. */
const GRANT_OPTIONS = new Set([
  "headers",
  "parse",
  "snaky",
  "snaky_hash_class",
  "token_method",
  "raise_errors",
  "signal",
  "timeout",
]);

/** Options of tokens; all others are fields. */
const TOKEN_OPTIONS = new Set([
  "expires_latency",
  "token_name",
  "mode",
  "header_format",
  "param_name",
]);

const GRANT = (value: unknown) => camelizeSome(value, GRANT_OPTIONS);
/** Options of a token and fields beside them. */
export const TOKEN = (value: unknown) => camelizeSome(value, TOKEN_OPTIONS);
const REQUEST = (value: unknown) => camelizeKeys(value);
export const PLAIN = (value: unknown) => value;
/** What signs an assertion. */
export const SIGNING = (value: unknown) =>
  isObject(value) ? withTestKey(camelizeKeys(value) as Json) : value;

/** How the arguments of each call are read; those of the others are plain. */
export const ARGUMENTS: Record<string, ((value: unknown) => unknown)[]> = {
  "client.get_token": [GRANT, TOKEN],
  "client.request": [PLAIN, PLAIN, REQUEST],
  "client.revoke_token": [PLAIN, PLAIN, GRANT],
  "client.auth_code.get_token": [PLAIN, GRANT, TOKEN],
  "client.password.get_token": [PLAIN, PLAIN, GRANT, TOKEN],
  "client.client_credentials.get_token": [GRANT, TOKEN],
  "client.assertion.get_token": [PLAIN, SIGNING, GRANT, TOKEN],
  "access_token.new": [PLAIN, PLAIN, TOKEN],
  "access_token.from_hash": [PLAIN, TOKEN],
  "access_token.from_kvform": [PLAIN, TOKEN],
  "token.request": [PLAIN, PLAIN, REQUEST],
  "token.get": [PLAIN, REQUEST],
  "token.post": [PLAIN, REQUEST],
  "token.put": [PLAIN, REQUEST],
  "token.patch": [PLAIN, REQUEST],
  "token.delete": [PLAIN, REQUEST],
  "token.refresh": [GRANT, TOKEN],
  "token.revoke": [GRANT],
  "configure": [camelizeKeys],
};

/** Spells a name as the library does. */
export function camelize(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Spells all names of options as the library does. */
export function camelizeKeys(value: unknown): unknown {
  return camelizeSome(value, undefined);
}

function camelizeSome(
  value: unknown,
  options: ReadonlySet<string> | undefined,
): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) =>
      !options || options.has(name)
        ? [camelize(name), toFunction(item)]
        : [name, item]
    ),
  );
}
