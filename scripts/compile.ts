/**
 * Compiles the service into one executable without dependencies:
 *
 *     deno task compile [--target TARGET] [--output FILE]
 *
 * Deno downloads its base binary for the target once; `DENORT_BIN` names a file
 * to use instead.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import workspace from "../deno.json" with { type: "json" };
import { describeEnd, outputOf, run } from "./process.ts";
import { ROOT } from "./root.ts";

/** Systems to compile for, by their names in Deno. */
export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;

/** Options of {@linkcode compile}. */
export interface CompileOptions {
  readonly target: (typeof TARGETS)[number];
  /** Path of the executable; for Windows, `.exe` is added. */
  readonly output: string;
  /** Executable to embed the program into, instead of Deno's base binary. */
  readonly base?: string;
}

/** Package from npm. */
export interface NpmPackage {
  readonly name: string;
  /** Folder in the cache of Deno; absent for packages of other systems. */
  readonly localPath: string;
}

const PROGRAM = "cep/main.ts";

/**
 * Reads `--target` and `--output`.
 *
 * @throws {TypeError} If the target or an option is unknown.
 */
export function parseOptions(args: readonly string[]): CompileOptions {
  const { values: { target: name, output } } = parseArgs({
    args: [...args],
    options: {
      target: { type: "string", default: Deno.build.target },
      output: { type: "string", default: "dist/carteiro-cep" },
    },
  });
  const target = TARGETS.find((it) => it === name);
  if (target !== undefined) return { target, output: resolve(output) };
  throw new TypeError(
    `Cannot compile for "${name}": must be one of ${TARGETS.join(", ")}`,
  );
}

/**
 * Compiles the program.
 *
 * @returns Output of Deno: the tree of embedded files with their sizes.
 * @throws {Error} With the output of Deno, if it fails.
 */
export async function compile(
  { target, output, base = process.env.DENORT_BIN }: CompileOptions,
): Promise<string> {
  const { imports, compilerOptions } = workspace;
  // Nothing reads them at run time.
  const documents = ["README.md", "README.pt-BR.md"]
    .map((it) => join(ROOT, dirname(PROGRAM), it));
  const exclude = [...await listLeftOut(await listPackages()), ...documents];
  // A file, because the list is too long for a command line on Windows. The
  // paths of the embedded files are relative to it.
  const config = join(ROOT, "dist", `${target}.json`);
  await mkdir(dirname(config), { recursive: true });
  await mkdir(dirname(output), { recursive: true });
  const settings = { imports, compilerOptions, compile: { exclude } };
  await writeFile(config, JSON.stringify(settings));
  const { stderr, ...end } = await outputOf([
    process.execPath,
    "compile",
    // Permissions cannot restrict the native code of libSQL anyway.
    ...["--allow-all", "--no-check"],
    // Several threads share a port.
    "--unstable-net",
    // Excludes packages of scripts and tests, which the lock file also lists.
    ...["--exclude-unused-npm", "--lock", "deno.lock", "--frozen"],
    ...["--config", config, "--target", target, "--output", output],
    // The whole folder, with the files that modules read at run time.
    ...["--include", dirname(PROGRAM)],
    PROGRAM,
  ], { cwd: ROOT, env: { NO_COLOR: "1", DENORT_BIN: base } });
  if (end.code === 0) return stderr;
  throw new Error(
    `Cannot compile for ${target}: ${describeEnd(end)}\n${stderr}`,
  );
}

/** Downloads and lists the npm packages that the program needs. */
export async function listPackages(): Promise<NpmPackage[]> {
  const deno = (...args: string[]) =>
    run([process.execPath, ...args, PROGRAM], { cwd: ROOT });
  await deno("install", "--entrypoint");
  const { modules, npmPackages } = JSON.parse(await deno("info", "--json"));
  const ids = new Set<string>(
    modules.flatMap((it: { npmPackage?: string }) => it.npmPackage ?? []),
  );
  // The loop also visits ids that are added in its body.
  for (const id of ids) {
    for (const it of npmPackages[id].dependencies) ids.add(it);
  }
  return [...ids].map((id) => npmPackages[id]);
}

/**
 * Lists files that a running program does not read: libraries for musl, because
 * Deno needs glibc; the parts of `deno-std` that the service does not import;
 * declarations, source maps, tests and documentation.
 *
 * Deno 2.9 overflows its stack when it embeds 2 MB of samples of one package
 * (https://github.com/denoland/deno/issues/36746).
 */
export async function listLeftOut(
  packages: readonly NpmPackage[],
): Promise<string[]> {
  const foreign =
    /\.(d\.[cm]?ts|map)$|^(tests?|__tests__|specs?|examples?|docs|skills)$|^(readme|changelog)\.md$/i;
  const paths = packages.map(async ({ name, localPath }) => {
    if (/^@types\/|-musl(eabihf)?$/.test(name)) return [localPath];
    if (!existsSync(localPath)) return [];
    const files = await readdir(localPath, { recursive: true });
    return files
      .filter((it) =>
        foreign.test(it) ||
        name === "deno-std" && /^(?!encoding|http|package)/.test(it)
      )
      .map((it) => join(localPath, it));
  });
  return (await Promise.all(paths)).flat().sort();
}

if (import.meta.main) {
  console.log(await compile(parseOptions(process.argv.slice(2))));
}
