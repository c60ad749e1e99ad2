/** Adds to a packed package what `deno pack` leaves out. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { COMMAND, COMMAND_FILE } from "./command_file.ts";
import { listImports, resolveImports } from "./imports.ts";
import { completeManifest, type Manifest } from "./manifest.ts";
import type { Source } from "./packages.ts";
import type { Files } from "./tarball.ts";

/** What {@linkcode complete} needs to know. */
export interface CompleteOptions {
  /** The package in the repository. */
  readonly source: Source;
  /** Where it stands. */
  readonly home: string;
  /** Address of the repository. */
  readonly repo: string;
  /** Versions of the packages of the repository. */
  readonly versions: Readonly<Record<string, string>>;
  /** Names that the sources give to other packages. */
  readonly importMap: Readonly<Record<string, string>>;
}

/** What a package may hold without importing it. */
const WANTED =
  /\.js$|\.d\.ts$|^package\.json$|^README(\.[\w-]+)?\.md$|^LICENSE$/;

/**
 * Completes the files of a package.
 *
 * @returns Its `package.json`.
 * @throws {Error} If it holds what it should not, or imports what it has not.
 */
export async function complete(
  files: Files,
  { source, home, repo, versions, importMap }: CompleteOptions,
): Promise<Manifest> {
  await resolveImports(files, importMap);
  const imports = await listImports(files);
  await addJson(files, { imports: imports.files, home });
  if (source.command !== undefined) files.set(COMMAND_FILE, encode(COMMAND));
  // What nobody imports `deno pack` adds as it is, uncompiled.
  const unwanted = [...files.keys()].filter((path) =>
    !WANTED.test(path) && !imports.files.has(path)
  );
  if (unwanted.length > 0) {
    throw new Error(`Cannot pack "${home}": unwanted ${unwanted.join(", ")}`);
  }
  const manifest = completeManifest(
    JSON.parse(new TextDecoder().decode(files.get("package.json"))),
    {
      source,
      repo,
      siblings: Object.fromEntries(
        Object.entries(versions).filter(([it]) => imports.packages.has(it)),
      ),
      commandFile: COMMAND_FILE,
    },
  );
  for (const name of imports.packages) {
    if (!Object.hasOwn(manifest.dependencies, name)) {
      throw new Error(`Cannot pack "${home}": no version of "${name}" known`);
    }
  }
  files.set("package.json", encode(JSON.stringify(manifest, null, 2) + "\n"));
  return manifest;
}

/** Adds the JSON modules among the imports; all others must be there. */
async function addJson(
  files: Files,
  options: { imports: Iterable<string>; home: string },
): Promise<void> {
  for (const path of options.imports) {
    if (files.has(path)) continue;
    if (!path.endsWith(".json")) {
      throw new Error(`Cannot pack "${path}": imported but not compiled`);
    }
    files.set(path, await readFile(join(options.home, path)));
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
