import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import origin from "../../cep/build.json" with { type: "json" };
import workspace from "../../deno.json" with { type: "json" };
import { run } from "../process.ts";
import { ROOT } from "../root.ts";
import { TemporaryFolder } from "../temporary_folder.ts";
import { COMMAND_FILE, complete } from "./complete.ts";
import { readDeclarations, SOURCES } from "./packages.ts";
import { type Files, readTarball, writeTarball } from "./tarball.ts";

/** Built package. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** Names to import: `@carteiro/cep`, `@carteiro/cep/seed`. */
  readonly specifiers: readonly string[];
  /** Name of its command. */
  readonly command: string | undefined;
  /** Path of the tarball. */
  readonly path: string;
}

/** Builds the tarball of every package into a folder. */
export async function buildPackages(folder: string): Promise<Package[]> {
  await mkdir(folder, { recursive: true });
  const versions = Object.fromEntries(
    (await readDeclarations()).map(({ name, version }) => [name, version]),
  );
  const { repo } = origin;
  const { imports: importMap } = workspace;
  const packages: Package[] = [];
  for (const source of SOURCES) {
    const home = join(ROOT, source.folder);
    const files = await pack(home);
    const options = { source, home, repo, versions, importMap };
    const { name, version, exports } = await complete(files, options);
    // As `npm pack` names it.
    const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    const path = join(folder, file);
    await writeTarball(path, files, { executable: [COMMAND_FILE] });
    const specifiers = Object.keys(exports).map((it) => name + it.slice(1));
    packages.push({ name, version, specifiers, command: source.command, path });
  }
  return packages;
}

/** Compiles the package in a folder with `deno pack`. */
export async function pack(folder: string): Promise<Files> {
  using temporary = new TemporaryFolder("pack");
  const tarball = join(temporary.path, "packed.tgz");
  await run([
    process.execPath,
    ...["pack", "--allow-dirty", "--output", tarball],
    // Source maps would hold paths of this machine.
    "--no-source-maps",
    // The umbrella does not contain the packages in its folder.
    ...workspace.workspace.map((path) => `--ignore=${path}`),
  ], { cwd: folder });
  return await readTarball(tarball);
}
