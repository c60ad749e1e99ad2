/** The installed packages on a Node. */
import { delimiter, dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { npm, run } from "../command.ts";
import type { Installation } from "./install.ts";

const SAMPLE = fileURLToPath(new URL("../../samples/dne/", import.meta.url));

/** Imports everything that can be imported, as each kind of module does. */
export async function tryImports(
  { folder, packages }: Installation,
  node: string,
): Promise<void> {
  const all = JSON.stringify(packages.flatMap(({ specifiers }) => specifiers));
  const check = `if (Object.keys(it).length === 0) throw new Error(name);`;
  await run(node, [
    "--input-type=module",
    "--eval",
    `for (const name of ${all}) { const it = await import(name); ${check} }`,
  ], { cwd: folder });
  await run(node, [
    "--input-type=commonjs",
    "--eval",
    `for (const name of ${all}) { const it = require(name); ${check} }`,
  ], { cwd: folder });
}

/** Runs programs that use the packages. */
export async function tryPrograms(
  { folder }: Installation,
  { node, programs }: { node: string; programs: readonly string[] },
): Promise<void> {
  for (const program of programs) {
    await run(node, [program, SAMPLE], { cwd: folder });
  }
}

/** Runs the commands that the packages install, by the names of the packages. */
export async function tryCommands(
  { folder, packages }: Installation,
  node: string,
): Promise<void> {
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  for (const { name, version, command } of packages) {
    if (command === undefined) continue;
    // Without a download, should it not be found.
    const said = await npm(["exec", "--no", "--", name, "--version"], {
      cwd: folder,
      env: { PATH },
    });
    if (!said.startsWith(`${command} ${version} `)) {
      throw new Error(`Cannot run ${name}: it says "${said}"`);
    }
  }
}
