/** Functions, parsers and classes that vectors name. */
import { XMLParser } from "fast-xml-parser";
import {
  AccessToken,
  type Client,
  type TokenConstructor,
  type TokenHash,
  type TokenOptions,
} from "../../../oauth2/mod.ts";
import { isObject, type Json, type ParserName } from "./vector.ts";

const FUNCTIONS: Record<string, (value: unknown) => unknown> = {
  shout: (body) => ({ shout: String(body).toUpperCase() }),
  data: (fields) => (fields as Json).data,
  throw: () => {
    throw new Error("thrown");
  },
};

/** Parsers with their media types. */
export const PARSERS: Record<
  ParserName,
  [string[], (body: string) => unknown]
> = {
  xml: [
    ["text/xml", "application/xml"],
    (body) => new XMLParser({ ignoreDeclaration: true }).parse(body, true),
  ],
  shout: [["application/foo-bar"], FUNCTIONS.shout!],
};

/** Class that reads the token from `custom_token`. */
class CustomToken extends AccessToken {
  static override fromHash<T extends AccessToken>(
    this: TokenConstructor<T>,
    client: Client,
    { custom_token: token = "", ...fields }: TokenHash,
    options?: TokenOptions,
  ): T {
    return new this(client, String(token), fields, options);
  }
}

/** Classes of tokens. */
export const TOKEN_CLASSES: Record<string, typeof AccessToken> = {
  AccessToken,
  CustomToken,
};

/** Converts `{"function": name}` and `{"function": {verb: mode}}`. */
export function toFunction(value: unknown): unknown {
  if (!isObject(value) || !("function" in value)) return value;
  const { function: name } = value;
  return isObject(name)
    ? (verb: string) => name[verb.toLowerCase()]
    : FUNCTIONS[String(name)];
}
