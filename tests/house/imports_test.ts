/** Rules about imports in CONTRIBUTING.md. */
import { assert, assertEquals } from "@std/assert";
import { pathToFileURL } from "node:url";
import { run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { readPackages, readText } from "./_repository.ts";

const ROOT_URL = pathToFileURL(ROOT).href;

const SOURCES = [...listSources("cep"), ...listSources("oauth2")];

/** Statements that import `cep/mod.ts`, with the kind of import. */
const STATEMENTS = {
  'import { a } from "TARGET";': "code",
  'import { type A } from "TARGET";': "code",
  'import type { A } from "TARGET"; import { a } from "TARGET";': "code",
  'import "TARGET";': "code",
  'export { a } from "TARGET";': "code",
  'export * from "TARGET";': "code",
  'await import("TARGET");': "code",
  'import type { A } from "TARGET";': "types",
  'export type { A } from "TARGET";': "types",
  'export type A = import("TARGET").A;': "types",
} as const;

/** Modules that a module imports. */
interface Targets {
  /** Imported at run time, even if only their types are used. */
  readonly code: readonly string[];
  /** Imported by `import type` or `export type`, which is erased. */
  readonly types: readonly string[];
}

interface Dependency {
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

interface Graph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly Dependency[];
  }[];
}

/** Modules of every source and every statement. */
const { modules } = await readGraph([
  "mod.ts",
  ...SOURCES,
  ...Object.keys(STATEMENTS).map(toDataUrl),
]);

/** Imports from the repository, by path or data URL. */
const imports = new Map(
  modules.map(({ specifier, dependencies = [] }) => [
    pathOf(specifier) ?? specifier,
    readTargets(dependencies),
  ]),
);

async function readGraph(roots: readonly string[]): Promise<Graph> {
  const importAll = roots
    .map((path) => new URL(path, ROOT_URL).href)
    .map((url) => `import ${JSON.stringify(url)};`)
    .join("\n");
  return JSON.parse(
    await run([Deno.execPath(), "info", "--json", toDataUrl(importAll)], {
      cwd: ROOT,
    }),
  );
}

/** Lists what a module imports at run time from elsewhere, by any way. */
function listForeign(path: string): string[] {
  const targets = new Map(
    modules.map(({ specifier, dependencies = [] }) => [
      specifier,
      dependencies.flatMap(({ code }) => code?.specifier ?? []),
    ]),
  );
  const found = new Set([new URL(path, ROOT_URL).href]);
  for (const specifier of found) {
    for (const target of targets.get(specifier) ?? []) found.add(target);
  }
  return [...found].filter((it) => !it.startsWith("file:"));
}

function toDataUrl(source: string): string {
  const text = source.replaceAll("TARGET", `${ROOT_URL}cep/mod.ts`);
  return `data:application/typescript,${encodeURIComponent(text)}`;
}

function readTargets(dependencies: readonly Dependency[]): Targets {
  const pathsOf = (kind: keyof Dependency) =>
    dependencies
      .map((dependency) => dependency[kind]?.specifier)
      .map((specifier) => specifier && pathOf(specifier))
      .filter((path) => path !== undefined && path !== "") as string[];
  return { code: pathsOf("code"), types: pathsOf("type") };
}

/**
 * Returns the path in the repository, `undefined` for a module from elsewhere.
 */
function pathOf(specifier: string): string | undefined {
  return specifier.startsWith(ROOT_URL)
    ? specifier.slice(ROOT_URL.length)
    : undefined;
}

function listSources(folder: string): string[] {
  return [...Deno.readDirSync(ROOT + folder)].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return listSources(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

/** Lists the imports from one folder to another, as `from -> to`. */
function importsBetween(from: string, to: string): string[] {
  return [...imports]
    .filter(([source]) => source.startsWith(from))
    .flatMap(([source, targets]) =>
      [...targets.code, ...targets.types]
        .filter((target) => target.startsWith(to))
        .map((target) => `${source} -> ${target}`)
    );
}

/**
 * Imports of types that are circular because public types are: each has a
 * member of the other.
 */
const CIRCULAR_TYPES: ReadonlyMap<string, string> = new Map([
  // An `AccessToken` has its `client`, which requests tokens.
  ["oauth2/core/token.ts", "oauth2/core/client.ts"],
]);

/** Finds a circular import of code or types. */
function findCircle(imports: ReadonlyMap<string, Targets>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (source: string): string[] => {
    if (path.includes(source)) return [...path, source];
    if (done.has(source)) return [];
    path.push(source);
    const { code, types } = imports.get(source) ?? { code: [], types: [] };
    for (const target of [...code, ...types]) {
      const circle = visit(target);
      if (circle.length > 0) return circle;
    }
    path.pop();
    done.add(source);
    return [];
  };
  for (const source of imports.keys()) {
    const circle = visit(source);
    if (circle.length > 0) return circle;
  }
  return [];
}

/** Returns true if a module imports another one, directly or by others. */
function reaches(from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const source of reached) {
    const { code = [], types = [] } = imports.get(source) ?? {};
    for (const target of [...code, ...types]) reached.add(target);
  }
  return reached.has(to);
}

Deno.test("readGraph reads the imports of every source", () => {
  assertEquals(SOURCES.filter((source) => !imports.has(source)), []);
  assertEquals(importsBetween("cep/http/", "cep/store/").length > 0, true);
});

for (const [statement, kind] of Object.entries(STATEMENTS)) {
  Deno.test(`readGraph reads ${statement} as an import of ${kind}`, () => {
    const { code, types } = imports.get(toDataUrl(statement))!;
    assertEquals(code, kind === "code" ? ["cep/mod.ts"] : []);
    if (kind === "types") assertEquals(types, ["cep/mod.ts"]);
  });
}

for (const kind of ["code", "types"] as const) {
  Deno.test(`findCircle finds a circular import of ${kind}`, () => {
    const none: Targets = { code: [], types: [] };
    const imports = new Map<string, Targets>([
      ["a.ts", { ...none, code: ["b.ts"] }],
      ["b.ts", { ...none, code: ["c.ts"] }],
      ["c.ts", { ...none, [kind]: ["a.ts"] }],
    ]);
    assertEquals(findCircle(imports), ["a.ts", "b.ts", "c.ts", "a.ts"]);
  });
}

Deno.test("no imports are circular, except for those of CIRCULAR_TYPES", () => {
  const others = [...imports].map(([source, { code, types }]) => {
    const allowed = CIRCULAR_TYPES.get(source);
    const kept = types.filter((target) => target !== allowed);
    return [source, { code, types: kept }] as const;
  });
  assertEquals(findCircle(new Map(others)), []);
});

for (const [source, target] of CIRCULAR_TYPES) {
  Deno.test(`${source} imports types of ${target}, in a circle`, () => {
    const { types } = imports.get(source)!;
    assertEquals(types.includes(target), true);
    assertEquals(reaches(target, source), true);
  });
}

for (
  const [from, to] of [
    ["cep/", "oauth2/"],
    ["oauth2/", "cep/"],
    ["cep/http/", "cep/import/"],
    ["cep/import/", "cep/http/"],
    ["cep/import/", "cep/serve/"],
    ["cep/import/cnefe/", "cep/import/dne/"],
    ["cep/import/cnefe/", "cep/import/seed.ts"],
    ["cep/import/cnefe/", "cep/store/"],
    ["cep/import/compare/", "cep/import/dne/"],
    ["cep/import/compare/", "cep/store/"],
    ["cep/import/dne/", "cep/import/cnefe/"],
    ["cep/import/dne/", "cep/import/seed.ts"],
    ["cep/import/files/", "cep/import/dne/"],
    ["cep/record/", "cep/release/"],
    ["cep/record/", "cep/store/"],
    ["cep/release/", "cep/http/"],
    ["cep/release/", "cep/import/"],
    ["cep/release/", "cep/settings/"],
    ["cep/release/", "cep/store/"],
    ["cep/search/", "cep/http/"],
    ["cep/store/", "cep/http/"],
    ["cep/store/", "cep/import/"],
    ["cep/store/", "cep/settings/"],
    ["cep/util/", "cep/record/"],
    ["cep/", "scripts/"],
    ["cep/", "tests/"],
    ["oauth2/", "scripts/"],
    ["oauth2/", "tests/"],
  ] as const
) {
  Deno.test(`no module of ${from} imports a module of ${to}`, () => {
    assertEquals(importsBetween(from, to), []);
  });
}

Deno.test("only cep/serve/deno.ts uses Deno.*", () => {
  const users = SOURCES
    .filter((source) => source !== "cep/serve/deno.ts")
    .filter((source) => {
      return readText(source).split("\n").some((line) =>
        /\bDeno\./.test(line) && !/^\s*(\/?\*|\/\/)/.test(line)
      );
    });
  assertEquals(users, []);
});

Deno.test("cep/store/remote.ts, for edge runtimes, imports nothing that needs files, sockets or native code", () => {
  const foreign = listForeign("cep/store/remote.ts")
    .map((it) => it.replace(/^npm:\/?(.*)@\^?[\d.]+/, "npm:$1"));
  assertEquals(foreign.sort(), [
    "node:buffer",
    "node:timers",
    "node:timers/promises",
    "node:zlib",
    "npm:@libsql/client/http", // Only for a URL.
    "npm:@logtape/logtape",
  ]);
});

Deno.test("listForeign finds what cep/store/mod.ts needs", () => {
  const foreign = listForeign("cep/store/mod.ts");
  assert(foreign.includes("node:fs/promises"));
  assert(foreign.some((it) => it.includes("libsql@")));
});

/** Runs code in a process without permissions. */
async function runWithoutPermissions(
  code: string,
): Promise<{ success: boolean; text: string }> {
  // `node:child_process` would add --allow-all to the arguments of Deno.
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-"],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(code));
  await input.close();
  const { success, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

for (const { folder, manifest } of readPackages()) {
  const { name, exports } = manifest;
  if (folder === "") continue; // The kit only exports the others.
  const subpaths = typeof exports === "string" ? ["."] : Object.keys(exports);
  for (const subpath of subpaths) {
    const specifier = name + subpath.slice(1);
    Deno.test(`importing ${specifier} needs no permission and has no effect`, async () => {
      assertEquals(
        await runWithoutPermissions(`await import("${specifier}")`),
        { success: true, text: "" },
      );
    });
  }
}

Deno.test("importing a module that needs a permission fails", async () => {
  const { success } = await runWithoutPermissions(`await import("libsql")`);
  assertEquals(success, false);
});
