/** Makes one executable of the program. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "../root.ts";
import { PROGRAM, readGraph } from "./graph.ts";
import { listLeftOut } from "./left_out.ts";
import type { Target } from "./targets.ts";

/** Options of {@linkcode compile}. */
export interface CompileOptions {
  /** System that it shall run on. */
  readonly target: Target;
  /** Path of the executable; on Windows `.exe` is added. */
  readonly output: string;
  /** Executable to embed the program in, instead of Deno's base binary. */
  readonly base?: string;
}

/**
 * Compiles the program with both of its modes.
 *
 * @returns What Deno tells of it: the embedded files as a tree, and their size.
 * @throws {Error} With everything that Deno said, if it fails.
 */
export async function compile(
  { target, output, base }: CompileOptions,
): Promise<string> {
  const { packages } = await readGraph();
  const config = await writeConfig(target, await listLeftOut(packages));
  await mkdir(dirname(output), { recursive: true });
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      // libSQL is native code, which no permission holds back anyway.
      "--allow-all",
      // The gate checks the types.
      "--no-check",
      // Tools that only the tests use are in the lock file, too.
      "--exclude-unused-npm",
      ...["--config", config],
      // Without the workspace Deno would write the lock file anew.
      ...["--lock", "deno.lock", "--frozen"],
      ...["--target", target],
      ...["--output", output],
      PROGRAM,
    ],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...(base === undefined ? {} : { DENORT_BIN: base }) },
    stdout: "null",
  }).output();
  const told = new TextDecoder().decode(stderr);
  if (!success) throw new Error(`Cannot compile for ${target}:\n${told}`);
  return told;
}

/**
 * Writes the manifest to compile with and tells its path. It is a file because
 * what is left out is more than a command line may hold on Windows; it is
 * inside the repository because Deno names what it embeds from the folder
 * that holds the manifest and the program; it is always the same so that the
 * executable is.
 */
async function writeConfig(
  target: Target,
  exclude: readonly string[],
): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8"));
  const { imports, compilerOptions } = manifest;
  const path = join(ROOT, "dist", `${target}.json`);
  await mkdir(dirname(path), { recursive: true });
  // Moved into place whole: another run may be reading it.
  const draft = `${path}.${crypto.randomUUID()}`;
  const config = { imports, compilerOptions, compile: { exclude } };
  await writeFile(draft, JSON.stringify(config, null, 2));
  await rename(draft, path);
  return path;
}
