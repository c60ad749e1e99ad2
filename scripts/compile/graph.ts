/** What the program is made of, as Deno knows it. */
import { run } from "../command.ts";
import { ROOT } from "../root.ts";

/** The program: both modes in one. */
export const PROGRAM = "cep/main.ts";

/** An npm package that the program imports, itself or by way of another. */
export interface NpmPackage {
  readonly name: string;
  /** Where its files are; absent while nothing has asked for it. */
  readonly folder: string;
}

/** The program's graph. */
export interface Graph {
  /** Addresses of the modules and JSON files that run. */
  readonly modules: readonly string[];
  readonly packages: readonly NpmPackage[];
}

/** The part of `deno info --json` that is of use here. */
interface Info {
  roots: string[];
  modules: {
    kind: string;
    specifier: string;
    npmPackage?: string;
    dependencies?: { code?: { specifier?: string } }[];
  }[];
  redirects: Record<string, string>;
  npmPackages: Record<
    string,
    { name: string; localPath: string; dependencies: string[] }
  >;
}

/** Reads the graph, after downloading what is not there yet. */
export async function readGraph(): Promise<Graph> {
  await deno(["install", "--entrypoint", PROGRAM]);
  const info: Info = JSON.parse(await deno(["info", "--json", PROGRAM]));
  const modules = reach(info.roots, (specifier) => {
    const module = info.modules.find((it) => it.specifier === specifier);
    return (module?.dependencies ?? []).flatMap(({ code }) =>
      code?.specifier ? [info.redirects[code.specifier] ?? code.specifier] : []
    );
  });
  const imported = info.modules
    .filter((it) => modules.has(it.specifier))
    .flatMap((it) => it.npmPackage ?? []);
  const packages = reach(
    imported,
    (id) => info.npmPackages[id]?.dependencies ?? [],
  );
  return {
    modules: [...modules].filter((it) => it.startsWith("file:")),
    packages: [...packages].map((id) => {
      const { name, localPath } = info.npmPackages[id]!;
      return { name, folder: localPath };
    }),
  };
}

/** Everything that can be come to from the starts. */
function reach(
  starts: readonly string[],
  next: (from: string) => readonly string[],
): Set<string> {
  const found = new Set(starts);
  // A set goes on to what is added while it is walked.
  for (const from of found) next(from).forEach((to) => found.add(to));
  return found;
}

function deno(args: readonly string[]): Promise<string> {
  return run(Deno.execPath(), args, { cwd: ROOT });
}
