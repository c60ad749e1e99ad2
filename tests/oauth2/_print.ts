/** Printed forms of a value, for tests of redaction. */
import { inspect, type InspectOptions } from "node:util";

type Inspect = (value: unknown, options?: InspectOptions) => string;

/** Inspection of Deno and Bun, which `node:util` may not match. */
const runtime = globalThis as {
  readonly Deno?: { readonly inspect: Inspect };
  readonly Bun?: { readonly inspect: Inspect };
};

/** Returns the text that `console.log` of this runtime prints, without colours. */
export const show: Inspect = runtime.Deno?.inspect ?? runtime.Bun?.inspect ??
  inspect;

/** Returns the printed forms of an error, without its stack. */
export function printWithoutStack(error: unknown): string {
  return print(error).split("\n    at ")[0]!;
}

/**
 * Returns a text of all ways to print a value. Properties that are not
 * enumerable are not printed: an error `code` with a secret is one of them.
 */
export function print(value: unknown): string {
  const error = value instanceof Error ? value : undefined;
  return [
    show(value, { depth: 20 }),
    inspect(value, { depth: 20 }),
    show({ value }, { depth: 20 }),
    JSON.stringify({ value }),
    show({ ...value as object }, { depth: 20 }),
    String(value),
    error?.stack ?? "",
    error ? show(error.cause) : "",
  ].join("\n");
}
