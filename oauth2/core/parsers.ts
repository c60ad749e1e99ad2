import { isForm } from "./params.ts";

/** Body that does not match its media type. */
export class MalformedBody extends SyntaxError {}

/** Parses a JSON object or array. Other JSON values are returned as text. */
export function parseJson(body: string): unknown {
  if (body === "") return body;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The platform's message would quote the body.
    throw new MalformedBody("Cannot parse the body: it is not JSON");
  }
  return typeof value === "object" && value !== null ? value : body;
}

/** Parses a form. Values are text, or a list of texts for a repeated name. */
export function parseForm(
  body: string,
): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const earlier = fields.get(name);
    if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, earlier === undefined ? value : [earlier, value]);
  }
  return Object.fromEntries(fields);
}

/** Parses a token response without a media type, as a form or as JSON. */
export function parseUntyped(body: string): unknown {
  return isForm(body) ? parseForm(body) : parseJson(body);
}
