import { build, type BuildOptions } from "esbuild";
import { cp } from "node:fs/promises";
import { join, posix, relative, resolve } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { npmName } from "../npm/packages.ts";
import { ROOT } from "../root.ts";
import { TEST } from "./harness.ts";

/**
 * Translates the modules of `scripts/` and `tests/` into a folder with the
 * packages in its `node_modules`, and copies the data of the tests.
 */
export async function translate(folder: string): Promise<void> {
  for (const path of ["samples", "tests"]) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  await build({
    absWorkingDir: ROOT,
    // Names of the import map, replaced with those on npm.
    alias: Object.fromEntries(
      Object.entries(manifest.imports)
        .map(([name, target]) => [name, npmName(target)]),
    ),
    bundle: true,
    charset: "utf8",
    define: { "Deno.test": TEST },
    entryPoints: ["scripts/**/*.ts", "tests/**/*.ts"],
    format: "esm",
    logLevel: "error",
    outbase: ".",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    packages: "external",
    platform: "node",
    plugins: [{
      name: "modules",
      setup({ onResolve }) {
        onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
          if (kind === "entry-point") return;
          const source = pathOf(resolve(resolveDir, path));
          const isPacked = /^(cep|oauth2)\//.test(source);
          // Inlines the JSON beside the tests into their modules.
          if (path.endsWith(".json") && !isPacked) return;
          const target = isPacked
            ? `node_modules/@carteiro/${source}`
              .replace(/\.ts$/, ".js")
              .replace(/deno\.json$/, "package.json")
            : source.replace(/\.ts$/, ".mjs");
          const from = posix.relative(pathOf(resolveDir), target);
          return { path: `./${from}`, external: true };
        });
      },
    }],
    // The oldest Node lacks `using`.
    target: "node22",
  });
}

function pathOf(absolute: string): string {
  return relative(ROOT, absolute).replaceAll("\\", "/");
}

/** Options of {@linkcode bundle}, in addition to those of esbuild. */
interface BundleOptions extends BuildOptions {
  /** Folder with the installed packages and the translated tests. */
  readonly folder: string;
  /**
   * Client registered with an authorization server: the global `registered` of
   * the tests.
   */
  readonly registered: object;
  /** Code that calls `run()`, which resolves to the results of the tests. */
  readonly entry: string;
}

/** Bundles a file of tests into one module, for runtimes without files. */
export async function bundle(
  file: string,
  { folder, registered, entry, ...options }: BundleOptions,
): Promise<string> {
  const contents = `
    import { runTests } from "./scripts/runtimes/harness.mjs";
    globalThis.registered = ${JSON.stringify(registered)};
    const run = () => Array.fromAsync(runTests(() => import("./${file}")));
    ${entry}`;
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    charset: "utf8",
    format: "esm",
    logLevel: "silent",
    stdin: { contents, resolveDir: folder },
    target: "es2022",
    write: false,
  });
  return outputFiles[0]!.text;
}
