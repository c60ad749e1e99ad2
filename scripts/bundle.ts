/**
 * Bundles for browsers: one file, minified. The service of esbuild goes on until
 * its `stop` is called.
 *
 * @module
 */
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import manifest from "../deno.json" with { type: "json" };
import { ROOT } from "./root.ts";

/** Module that a bundle loads at run time. */
export interface BundleImport {
  /** Specifier of the module. */
  readonly path: string;
  /** Kind of the import, as esbuild calls it: `dynamic-import`. */
  readonly kind: string;
}

/** One file with everything that it is made of. */
export interface Bundle {
  /** The code, minified. */
  readonly code: string;
  /** Bytes of the code after gzip -9. */
  readonly gzipped: number;
  /** Modules that stayed outside. */
  readonly imports: readonly BundleImport[];
}

/** Options of {@linkcode bundle}. */
export interface BundleOptions {
  /**
   * Folder whose `node_modules` holds the packages from npm.
   *
   * @default the root of the repository, which has none
   */
  readonly folder?: string;
  /**
   * Packages that stay outside.
   *
   * @default []
   */
  readonly external?: readonly string[];
}

/** Packages of the repository by name, as their sources. */
const SOURCES = Object.fromEntries(
  manifest.workspace.map((folder) => [
    folder.replace("./", "@carteiro/"),
    `${ROOT}${folder}/mod.ts`,
  ]),
);

/** Bundles a module, given as its code. */
export async function bundle(
  source: string,
  { folder = ROOT, external = [] }: BundleOptions = {},
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    alias: SOURCES,
    bundle: true,
    external: [...external],
    format: "esm",
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    minify: true,
    platform: "browser",
    stdin: { contents: source, loader: "ts", resolveDir: folder },
    target: "es2022",
    write: false,
  });
  const { contents, text } = outputFiles[0]!;
  return {
    code: text,
    gzipped: gzipSync(contents, { level: 9 }).length,
    imports: Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .map(({ path, kind }) => ({ path, kind })),
  };
}
