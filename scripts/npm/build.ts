import { packTar, unpackTar } from "modern-tar";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { join } from "node:path";
import process from "node:process";
import origin from "../../cep/build.json" with { type: "json" };
import workspace from "../../deno.json" with { type: "json" };
import { npm, run } from "../process.ts";
import { ROOT } from "../root.ts";
import { TemporaryFolder } from "../temporary_folder.ts";
import { COMMAND_FILE, complete } from "./complete.ts";
import { readDeclarations, SOURCES } from "./packages.ts";

/** Files of a package by their path in it, with slashes on every system. */
export type Files = Map<string, Uint8Array>;

/** Reads the files of a tarball. */
export async function readTarball(path: string): Promise<Files> {
  const tar = gunzipSync(await readFile(path));
  // The first part of each path is the folder `package`.
  const entries = await unpackTar(tar, { strip: 1, strict: true });
  return new Map(
    entries.flatMap(({ header, data }) => data ? [[header.name, data]] : []),
  );
}

/** Writes a tarball; the same files give the same bytes. */
export async function writeTarball(
  path: string,
  files: Files,
  { executable }: { readonly executable: readonly string[] },
): Promise<void> {
  const entries = [...files].map(([file, body]) => ({
    header: {
      name: `package/${file}`,
      size: body.length,
      mode: executable.includes(file) ? 0o755 : 0o644,
      mtime: new Date(0),
    },
    body,
  }));
  entries.sort((a, b) => a.header.name < b.header.name ? -1 : 1);
  await writeFile(path, gzipSync(await packTar(entries), { level: 9 }));
}

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

/** Folder with installed packages. */
export interface Installation {
  readonly folder: string;
  readonly packages: readonly Package[];
}

/** Options of {@linkcode withInstalled}. */
interface InstallOptions {
  /**
   * Other packages to install, as arguments of `npm install`.
   *
   * @default {[]}
   */
  readonly tools?: readonly string[];
}

/** Installs packages into a clean folder, which is removed after use. */
export async function withInstalled<T>(
  packages: readonly Package[],
  use: (installation: Installation) => Promise<T>,
  { tools = [] }: InstallOptions = {},
): Promise<T> {
  using temporary = new TemporaryFolder("installed");
  const folder = temporary.path;
  await writeFile(join(folder, "package.json"), `{ "private": true }`);
  const tarballs = packages.map(({ path }) => path);
  await npm(["install", "--prefer-offline", ...tarballs, ...tools], {
    cwd: folder,
  });
  return await use({ folder, packages });
}
