/** What people see who print a thing, for tests that nothing secret shows. */
import { inspect, type InspectOptions } from "node:util";

type Inspect = (value: unknown, options?: InspectOptions) => string;

/** What Deno and Bun print with, where `node:util` is not it. */
const runtime = globalThis as {
  readonly Deno?: { readonly inspect: Inspect };
  readonly Bun?: { readonly inspect: Inspect };
};

/** A thing as `console.log` of this runtime shows it, without colours. */
export const show: Inspect = runtime.Deno?.inspect ?? runtime.Bun?.inspect ??
  inspect;

/**
 * Every way to print a thing, as one text. Properties that are not enumerable
 * are left out: the code of an error is one where the server put a secret in it.
 */
export function print(thing: unknown): string {
  const error = thing instanceof Error ? thing : undefined;
  return [
    show(thing, { depth: 20 }),
    inspect(thing, { depth: 20 }),
    show({ thing }, { depth: 20 }),
    JSON.stringify({ thing }),
    show({ ...thing as object }, { depth: 20 }),
    String(thing),
    error?.stack ?? "",
    error ? show(error.cause) : "",
  ].join("\n");
}
