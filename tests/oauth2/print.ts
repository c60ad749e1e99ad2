/** What people see who print a thing, for tests that nothing secret shows. */
import { inspect } from "node:util";

/** Every way to print a thing, as one text. */
export function print(thing: unknown): string {
  const error = thing instanceof Error ? thing : undefined;
  return [
    Deno.inspect(thing, { depth: 20, showHidden: true }),
    inspect(thing, { depth: 20, showHidden: true }),
    Deno.inspect({ thing }, { depth: 20 }),
    JSON.stringify({ thing }),
    Deno.inspect({ ...thing as object }, { depth: 20 }),
    String(thing),
    error?.stack ?? "",
    error ? Deno.inspect(error.cause) : "",
  ].join("\n");
}
