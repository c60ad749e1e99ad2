/** Builds the packages for npm. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.ts";
import { COMMAND_FILE } from "./command_file.ts";
import { complete } from "./complete.ts";
import { pack } from "./pack.ts";
import { type Source, SOURCES } from "./packages.ts";
import { settle } from "./settle.ts";
import { writeTarball } from "./tarball.ts";

/** A package that was built. */
export interface Package {
  /** Its name on npm. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** What can be imported of it: `@carteiro/cep`, `@carteiro/cep/seed`. */
  readonly specifiers: readonly string[];
  /** Name of the command that it installs, if it has one. */
  readonly command?: string;
  /** Its tarball. */
  readonly path: string;
}

/** What every package is built with. */
interface Workspace {
  /** Address of the repository. */
  readonly repo: string;
  /** Versions of the packages by their names. */
  readonly versions: Readonly<Record<string, string>>;
  /** Names that the sources give to other packages. */
  readonly importMap: Readonly<Record<string, string>>;
}

/** Builds the tarball of every package into a folder. */
export async function buildPackages(folder: string): Promise<Package[]> {
  await mkdir(folder, { recursive: true });
  const workspace = await readWorkspace();
  return await settle(
    SOURCES.map((source) => build(source, { into: folder, workspace })),
  );
}

async function build(
  source: Source,
  { into, workspace }: { into: string; workspace: Workspace },
): Promise<Package> {
  const home = join(ROOT, source.folder);
  // The umbrella stands around the others, but depends on them.
  const ignore = source.folder === "."
    ? SOURCES.map((it) => it.folder).filter((it) => it !== ".")
    : [];
  const files = await pack(home, { ignore });
  const manifest = await complete(files, { source, home, ...workspace });
  const { name, version, exports } = manifest;
  const path = join(into, tarballName(name, version));
  await writeTarball(path, files, { executable: [COMMAND_FILE] });
  const { command } = source;
  return {
    name,
    version,
    specifiers: Object.keys(exports).map((subpath) => name + subpath.slice(1)),
    ...(command === undefined ? {} : { command }),
    path,
  };
}

/** The name that `npm pack` gives. */
function tarballName(name: string, version: string): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

async function readWorkspace(): Promise<Workspace> {
  const { repo } = await readJson<{ repo: string }>("cep/build.json");
  const { imports: importMap } = await readJson<{
    imports: Record<string, string>;
  }>("deno.json");
  const manifests = await Promise.all(
    SOURCES.map(({ folder }) =>
      readJson<{ name: string; version: string }>(join(folder, "deno.json"))
    ),
  );
  const versions = Object.fromEntries(
    manifests.map(({ name, version }) => [name, version]),
  );
  return { repo, versions, importMap };
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, path), "utf8"));
}
