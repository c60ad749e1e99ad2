/**
 * JSONP: JSON as the argument of a function that the client names.
 */
import { type Body, textBody } from "../exchange.ts";
import { matching, type Schema } from "../open_api/schema.ts";

/** A path of identifiers and indexes, such as `angular.callbacks[0]`. */
const CALLBACK =
  /^[A-Za-z_$][0-9A-Za-z_$]*(?:\.[A-Za-z_$][0-9A-Za-z_$]*|\[\d{1,9}\])*$/;

const MAX_LENGTH = 200;

/** Schema of a callback, which may be empty. */
export const CALLBACK_TEXT: Schema = {
  ...matching(new RegExp(`^$|${CALLBACK.source}`), "mostrar"),
  maxLength: MAX_LENGTH,
};

/** True if a text is the name of a function, and nothing else. */
export function isCallback(text: string): boolean {
  return text.length <= MAX_LENGTH && CALLBACK.test(text);
}

/** Creates a body that calls a function with a JSON text. */
export function jsonpBody(callback: string, json: string): Body {
  // Line ends in string literals before ES2019, but not in JSON.
  const argument = json.replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return textBody(
    `${callback}(${argument});`,
    "application/javascript; charset=utf-8",
  );
}
