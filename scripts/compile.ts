/**
 * Builds the service as one executable that needs nothing installed:
 *
 *     deno task compile [--target TARGET] [--output FILE]
 *
 * For this system and as `dist/carteiro-cep` unless told otherwise. Deno
 * downloads its base binary for the target, once; where it cannot, the
 * variable `DENORT_BIN` names a file to take instead.
 */
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { compile, type CompileOptions } from "./compile/compile.ts";
import { parseTarget } from "./compile/targets.ts";

/**
 * Reads `--target` and `--output`.
 *
 * @throws {TypeError} If one is not what it should be.
 */
export function parseOptions(args: readonly string[]): CompileOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: "string", default: Deno.build.target },
      output: { type: "string", default: "dist/carteiro-cep" },
    },
  });
  return {
    target: parseTarget(values.target),
    output: resolve(values.output),
  };
}

if (import.meta.main) {
  console.log(await compile(parseOptions(process.argv.slice(2))));
}
