/**
 * The tests in JavaScript, for runtimes that are not Deno: `Deno.test` is that
 * of the harness, and what they import of `cep` and `oauth2` comes from the
 * installed packages, not from the sources.
 */
import { build, type BuildOptions, type Plugin } from "esbuild";
import { join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import { npmName } from "../npm/npm_name.ts";
import { ROOT } from "../root.ts";

const HARNESS = "scripts/runtimes/harness.ts";

/** What runs the tests of a translated module. */
export const RUN_FILE = "scripts/runtimes/run_file.ts";

/** Options of {@linkcode translate}. */
export interface TranslateOptions {
  /** Folder that the packages are installed in. */
  readonly folder: string;
}

/** What both ways have in common. */
const OPTIONS: BuildOptions = {
  absWorkingDir: ROOT,
  // The names of the import map as those on npm.
  alias: Object.fromEntries(
    Object.entries(manifest.imports).map(([name, target]) => [
      name,
      npmName(target),
    ]),
  ),
  bundle: true,
  charset: "utf8",
  define: { "Deno.test": "DenoTest" },
  format: "esm",
  inject: ["scripts/runtimes/deno_global.ts"],
  legalComments: "none",
  logLevel: "error",
};

/**
 * Writes modules, and those that they import, one by one into the folder, at
 * the places that their sources have in the repository.
 */
export async function translate(
  sources: readonly string[],
  { folder }: TranslateOptions,
): Promise<void> {
  const known = new Set<string>([...sources, HARNESS]);
  for (let todo = [...known]; todo.length > 0;) {
    const found = new Set<string>();
    await build({
      ...OPTIONS,
      entryPoints: todo,
      outbase: ROOT,
      outdir: folder,
      packages: "external",
      platform: "node",
      plugins: [outside((source) => {
        if (!isPacked(source)) found.add(source);
        return pathToFileURL(outputOf(source, folder)).href;
      })],
      // The oldest Node knows no `using`.
      target: "node22",
    });
    todo = [...found].filter((source) => !known.has(source));
    for (const source of todo) known.add(source);
  }
}

/** Options of {@linkcode bundle}. */
export interface BundleOptions extends TranslateOptions {
  /** Conditions under which packages are resolved. */
  readonly conditions: readonly string[];
  /** Modules of the runtime. */
  readonly external?: readonly string[];
  /** Files that stand in for modules, by the names of these. */
  readonly alias?: Readonly<Record<string, string>>;
}

/** Makes one module of lines of code, with all that they import. */
export async function bundle(
  code: string,
  { folder, conditions, external = [], alias = {} }: BundleOptions,
): Promise<string> {
  const { outputFiles } = await build(
    {
      ...OPTIONS,
      alias: { ...OPTIONS.alias, ...alias },
      conditions: [...conditions],
      external: [...external],
      nodePaths: [join(folder, "node_modules")],
      plugins: [inside((source) => outputOf(source, folder))],
      stdin: { contents: code, resolveDir: ROOT, loader: "ts" },
      target: "es2022",
      write: false,
    } satisfies BuildOptions,
  );
  return outputFiles[0]!.text;
}

const RELATIVE = /^\..*\.(?:ts|json)$/;

/** Leaves TypeScript modules outside, at the addresses given. */
function outside(locate: (source: string) => string): Plugin {
  return {
    name: "outside",
    setup({ onResolve }) {
      onResolve({ filter: RELATIVE }, ({ path, resolveDir, importer }) => {
        if (importer === "") return undefined;
        const source = sourceOf(path, resolveDir);
        if (path.endsWith(".json") && !isPacked(source)) return undefined;
        return { path: locate(source), external: true };
      });
    },
  };
}

/** Takes what is in the packages from where they are installed. */
function inside(locate: (source: string) => string): Plugin {
  return {
    name: "inside",
    setup({ onResolve }) {
      onResolve({ filter: RELATIVE }, ({ path, resolveDir }) => {
        const source = sourceOf(path, resolveDir);
        return isPacked(source) ? { path: locate(source) } : undefined;
      });
    },
  };
}

/** The path in the repository of what a module imports. */
function sourceOf(path: string, folder: string): string {
  return relative(ROOT, resolve(folder, path)).split(sep).join("/");
}

function isPacked(source: string): boolean {
  return /^(?:cep|oauth2)\//.test(source);
}

/** Where a module is once it is translated or installed. */
function outputOf(source: string, folder: string): string {
  const path = source
    .replace(/\.ts$/, ".js")
    // What the sources call their manifest.
    .replace(/^(\w+)\/deno\.json$/, "$1/package.json");
  return isPacked(source)
    ? join(folder, "node_modules", "@carteiro", path)
    : join(folder, path);
}
