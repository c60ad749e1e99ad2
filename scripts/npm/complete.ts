import { init, parse } from "es-module-lexer";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { npmName, type Source } from "./packages.ts";
import type { Files } from "./build.ts";

/** Options of {@linkcode complete}. */
export interface CompleteOptions {
  readonly source: Source;
  /** Absolute path of its folder. */
  readonly home: string;
  /** URL of the repository. */
  readonly repo: string;
  /** Versions of the packages of the repository by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Import map of the sources. */
  readonly importMap: Readonly<Record<string, string>>;
}

/** Part of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const encode = (text: string) => new TextEncoder().encode(text);

/** File that the command of a package runs. */
export const COMMAND_FILE = "bin.js";

/** Oldest Node in which a CommonJS program can `require` an ES module. */
const OLDEST_NODE = "22.12";

// An older Node might not even parse `main.js`.
const COMMAND = `#!/usr/bin/env node
import process from "node:process";

const { versions: { node }, argv, env } = process;
const oldest = "${OLDEST_NODE}";
if (node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  console.error(\`Cannot run on Node \${node}: \${oldest} or newer is needed\`);
  process.exit(1);
}
const { main } = await import("./main.js");
process.exit(await main(argv.slice(2), env));
`;

/**
 * Completes the output of `deno pack`: names of imports, JSON modules, the
 * command and `package.json`.
 *
 * @returns Its `package.json`.
 * @throws {Error} If an import cannot work on Node, or a TypeScript source is
 * left.
 */
export async function complete(
  files: Files,
  { source, home, repo, versions, importMap }: CompleteOptions,
): Promise<Manifest> {
  const { folder, description, keywords, command, optional } = source;
  const fail = (path: string, state: string): never => {
    throw new Error(`Cannot pack "${posix.join(folder, path)}": ${state}`);
  };
  const imports = await resolveImports(files, importMap);
  for (const path of imports.files) {
    if (path.endsWith(".json")) {
      // `deno pack` leaves out `deno.json`.
      files.set(path, files.get(path) ?? await readFile(join(home, path)));
    } else if (!/\.(js|d\.ts)$/.test(path)) {
      fail(path, "Node imports JavaScript and JSON only");
    } else if (!files.has(path)) {
      fail(path, "imported but not compiled");
    }
  }
  for (const path of files.keys()) {
    // `deno pack` compiles only imported modules.
    if (/(?<!\.d)\.ts$/.test(path)) fail(path, "no module imports it");
  }
  if (command !== undefined) files.set(COMMAND_FILE, encode(COMMAND));
  const { name, version, dependencies, ...rest } = JSON.parse(
    decode(files.get("package.json")!),
  );
  const atRoot = folder === ".";
  const manifest = {
    name,
    version,
    description,
    keywords,
    homepage: `${repo}${atRoot ? "" : `/tree/HEAD/${folder}`}#readme`,
    bugs: { url: `${repo}/issues` },
    repository: {
      type: "git",
      url: `git+${repo}.git`,
      ...(atRoot ? {} : { directory: folder }),
    },
    ...rest,
    ...(command === undefined ? {} : { bin: { [command]: COMMAND_FILE } }),
    sideEffects: false,
    engines: { node: `>=${OLDEST_NODE}` },
    publishConfig: { access: "public", provenance: true },
    dependencies: {
      ...dependencies,
      // Exact versions: `instanceof` would fail between two copies of a class.
      ...Object.fromEntries(
        Object.entries(versions).filter(([it]) => imports.packages.has(it)),
      ),
    },
    ...(optional && {
      peerDependencies: optional,
      peerDependenciesMeta: Object.fromEntries(
        Object.keys(optional).map((it) => [it, { optional: true }]),
      ),
    }),
  };
  for (const it of imports.packages) {
    if (!Object.hasOwn(manifest.dependencies, it)) {
      fail("package.json", `the version of "${it}" is unknown`);
    }
  }
  files.set("package.json", encode(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

/**
 * Mends what editors show of declarations: `deno pack` writes comments behind
 * `readonly`, and `{}` for a parameter that the source destructures.
 */
function forEditors(declarations: string): string {
  return declarations
    .replace(/^(\s*)(readonly )(\/\*\*[^]*?\*\/ )/gm, "$1$3$2")
    .replace(
      /([(,]\s*)\{\s*\}(\??: )(\w+)?/g,
      (_, start, colon, type = "") =>
        start + parameterName(type) + colon + type,
    );
}

/** Returns `options` for `FileOptions` and `{ … }`, `keyPair` for `KeyPair`. */
function parameterName(type: string): string {
  return /^$|Options$/.test(type)
    ? "options"
    : type[0]!.toLowerCase() + type.slice(1);
}

/**
 * Replaces names of the import map with those on npm. `deno pack` does this for
 * whole packages but not for files in them.
 *
 * @returns Imported files and packages, including those of types.
 */
async function resolveImports(
  files: Files,
  importMap: Readonly<Record<string, string>>,
): Promise<{ files: Set<string>; packages: Set<string> }> {
  await init;
  const imports = { files: new Set<string>(), packages: new Set<string>() };
  for (const [path, bytes] of files) {
    if (!/\.(js|d\.ts)$/.test(path)) continue;
    let code = decode(bytes);
    // Backwards, so that the other positions remain valid.
    for (const it of parse(code)[0].toReversed()) {
      const { specifier, start, end } = it;
      // The name of an optional package is no literal.
      if (!specifier || it.type === "dynamic" && it.glob) continue;
      const name = npmName(importMap[specifier] ?? specifier);
      const text = code.slice(start, end).replace(specifier, () => name);
      code = code.slice(0, start) + text + code.slice(end);
      if (name.startsWith(".")) {
        const target = posix.join(posix.dirname(path), name);
        // A declaration imports the declarations of a module.
        const ofTypes = path.endsWith(".d.ts");
        imports.files.add(ofTypes ? target.replace(/\.js$/, ".d.ts") : target);
      } else if (!name.startsWith("node:")) {
        imports.packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)![0]);
      }
    }
    files.set(path, encode(path.endsWith(".d.ts") ? forEditors(code) : code));
  }
  return imports;
}
