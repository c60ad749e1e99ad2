/** What compiled files import, listed and named as npm names it. */
import { init, parse } from "es-module-lexer";
import { posix } from "node:path";
import { npmName } from "./npm_name.ts";
import type { Files } from "./tarball.ts";

/** What the files of a package import. */
export interface Imports {
  /** Files of the package, as paths in it. */
  readonly files: ReadonlySet<string>;
  /** Other packages. */
  readonly packages: ReadonlySet<string>;
}

/** Lists what files import, types included; not what they compute. */
export async function listImports(files: Files): Promise<Imports> {
  const imports = { files: new Set<string>(), packages: new Set<string>() };
  for (const [file, source] of await readModules(files)) {
    for (const { specifier } of findImports(source)) {
      if (specifier.startsWith(".")) {
        const target = posix.join(posix.dirname(file), specifier);
        imports.files.add(
          // A declaration imports a source and means its declaration.
          file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target,
        );
      } else if (!specifier.startsWith("node:")) {
        imports.packages.add(packageName(specifier));
      }
    }
  }
  return imports;
}

/**
 * Replaces names that an import map gives to npm packages by those on npm:
 * `deno pack` does it for whole packages only, not for single files of one.
 */
export async function resolveImports(
  files: Files,
  importMap: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [file, source] of await readModules(files)) {
    let resolved = source;
    // From the end, so that the places before stay what they are.
    for (const { specifier, start, end } of findImports(source).reverse()) {
      const target = importMap[specifier];
      if (target === undefined) continue;
      resolved = resolved.slice(0, start) +
        resolved.slice(start, end).replace(specifier, () => npmName(target)) +
        resolved.slice(end);
    }
    if (resolved !== source) {
      files.set(file, new TextEncoder().encode(resolved));
    }
  }
}

async function readModules(files: Files): Promise<[string, string][]> {
  await init;
  return [...files]
    .filter(([file]) => /\.(?:js|d\.ts)$/.test(file))
    .map(([file, bytes]) => [file, new TextDecoder().decode(bytes)]);
}

function findImports(
  source: string,
): { specifier: string; start: number; end: number }[] {
  const [imports] = parse(source);
  return imports.flatMap(({ specifier, start, end }) =>
    specifier ? [{ specifier, start, end }] : []
  );
}

/** `@scope/name` of `@scope/name/subpath`. */
function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
