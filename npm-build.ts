/**
 * Builds the packages for npm into `npm/`, and checks them as users have them:
 * installed into a clean folder, compiled, and run on Node.
 */
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import process from "node:process";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import {
  buildPackages,
  type Installation,
  type Package,
  readTarball,
  withInstalled,
} from "./scripts/npm/build.ts";
import { npm, run } from "./scripts/process.ts";
import { ROOT } from "./scripts/root.ts";
import { NODE_MAJORS, nodeBinary } from "./scripts/runtimes/node.ts";

const FOLDER = join(ROOT, "npm");
const PROGRAM = join(ROOT, "tests/packages/_consumer.ts");
const SAMPLE = join(ROOT, "samples/dne/");

const COMPILERS = [
  "typescript@^7.0.2",
  // The oldest Node that lets CommonJS `require` ES modules.
  "typescript-oldest@npm:typescript@~5.8.3",
  "@types/node@^22.20.1",
];

const STRICT = "--target es2023 --strict --exactOptionalPropertyTypes " +
  "--noUncheckedIndexedAccess --skipLibCheck false";
const ON_NODE = `${STRICT} --lib es2023 --types node --module nodenext`;
const BUNDLED = `${STRICT} --module esnext --moduleResolution bundler --noEmit`;
const MODULES = "program.mts program.cts all.mts all.cts";

/** Compilers, with their arguments. */
const COMPILATIONS = [
  ["typescript", `${ON_NODE} --outDir compiled ${MODULES}`],
  ["typescript-oldest", `${ON_NODE} --noEmit ${MODULES}`],
  [
    "typescript",
    `${BUNDLED} --lib es2023 --types node program.mts all.mts`,
  ],
  // Without the types of Node.
  ["typescript", `${BUNDLED} --lib es2023,dom,dom.iterable browser.mts`],
] as const;

/**
 * Checks a tarball with publint and attw.
 *
 * @throws {Error} With their messages, including suggestions.
 */
export async function lintPackage(
  { name, path }: Pick<Package, "name" | "path">,
): Promise<void> {
  const { buffer: tarball } = new Uint8Array(await readFile(path));
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  if (messages.length > 0) {
    const lines = messages.map((it) =>
      formatMessage(it, pkg, { color: false })
    );
    throw new Error(
      `Cannot approve ${name}: publint says\n${lines.join("\n")}`,
    );
  }
  await run([
    process.execPath,
    ...["run", "-A", "@arethetypeswrong/cli", path, "--format=ascii"],
    // The packages are ES modules only. This profile leaves out resolution
    // without subpaths, and `require` on Node older than `engines` allows.
    "--profile=esm-only",
  ], { cwd: ROOT });
}

/**
 * Compiles a program that uses the packages, and one that imports every
 * subpath, each as an ES module and as CommonJS.
 */
async function compilePrograms({ folder, packages }: Installation) {
  const all = packages.flatMap(({ specifiers }) => specifiers);
  const inBrowsers = all.filter((it) => it.startsWith("@carteiro/oauth2"));
  await copyFile(PROGRAM, join(folder, "program.mts"));
  await copyFile(PROGRAM, join(folder, "program.cts"));
  await writeFile(join(folder, "all.mts"), importAll(all));
  await writeFile(join(folder, "all.cts"), importAll(all));
  await writeFile(join(folder, "browser.mts"), importAll(inBrowsers));
  for (const [compiler, args] of COMPILATIONS) {
    const tsc = join(folder, "node_modules", compiler, "bin", "tsc");
    await run(["node", tsc, ...args.split(" ")], { cwd: folder });
  }
}

function importAll(specifiers: readonly string[]): string {
  return specifiers.map((name, i) => `
    import * as _${i} from "${name}";
    if (Object.keys(_${i}).length === 0) throw new Error("${name} is empty");
  `).join("");
}

/** Runs the compiled programs and the commands of the packages. */
async function runPrograms({ folder, packages }: Installation, node: string) {
  for (const file of ["all.mjs", "all.cjs", "program.mjs", "program.cjs"]) {
    await run([node, join("compiled", file), SAMPLE], { cwd: folder });
  }
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  for (const { name, version, command } of packages) {
    if (command === undefined) continue;
    // `--no` makes a missing command fail instead of downloading it.
    const args = ["exec", "--no", "--", name, "--version"];
    const output = await npm(args, { cwd: folder, env: { PATH } });
    if (!output.startsWith(`${command} ${version} `)) {
      throw new Error(`Cannot run ${name}: it prints "${output}"`);
    }
  }
}

/** Describes a tarball in one line: its size and that of its files. */
async function summarize({ path }: Package): Promise<string> {
  const files = [...(await readTarball(path)).values()];
  const kilobytes = (parts: readonly Uint8Array[]) => {
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    return `${(bytes / 1000).toFixed(1)} kB`;
  };
  return `${basename(path)}: ${kilobytes([await readFile(path)])} packed, ` +
    `${kilobytes(files)} unpacked, ${files.length} files`;
}

if (import.meta.main) {
  // Removes tarballs of other versions, which must not be published.
  for (const name of await readdir(FOLDER).catch(() => [])) {
    if (name.endsWith(".tgz")) await rm(join(FOLDER, name));
  }
  const packages = await buildPackages(FOLDER);
  for (const pack of packages) await lintPackage(pack);
  await withInstalled(packages, async (installation) => {
    await compilePrograms(installation);
    for (const major of [NODE_MAJORS[0], NODE_MAJORS.at(-1)!]) {
      await runPrograms(installation, await nodeBinary(major));
    }
  }, { tools: COMPILERS });
  for (const pack of packages) console.log(await summarize(pack));
}
