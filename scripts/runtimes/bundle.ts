import { build, type BuildOptions } from "esbuild";

/** Options of {@linkcode bundle}, in addition to those of esbuild. */
export interface BundleOptions extends BuildOptions {
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
