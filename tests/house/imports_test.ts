/** The rules about imports that CONTRIBUTING.md tells, checked. */
import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);

/** Each source of the modules and the sources it imports. */
const imports = await readImports();

/** Sources that one imports. */
interface Targets {
  /** Imported to run, even if only types of them are used. */
  readonly code: readonly string[];
  /** Imported by `import type` or `export type`, which are erased. */
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

async function readImports(): Promise<Map<string, Targets>> {
  const imports = new Map<string, Targets>();
  for (
    const source of ["mod.ts", ...listSources("cep"), ...listSources("oauth2")]
  ) {
    if (imports.has(source)) continue;
    for (const module of (await readGraph(source)).modules) {
      const from = pathOf(module.specifier);
      if (from === undefined) continue;
      imports.set(from, readTargets(module.dependencies ?? []));
    }
  }
  return imports;
}

function readTargets(dependencies: readonly Dependency[]): Targets {
  const pathsOf = (kind: keyof Dependency) =>
    dependencies
      .map((dependency) => dependency[kind]?.specifier)
      .map((specifier) => specifier && pathOf(specifier))
      .filter((path) => path !== undefined && path !== "") as string[];
  return { code: pathsOf("code"), types: pathsOf("type") };
}

async function readGraph(source: string): Promise<Graph> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", source],
    cwd: fileURLToPath(ROOT),
    stderr: "null",
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** The path inside the repository, or nothing for a module from elsewhere. */
function pathOf(specifier: string): string | undefined {
  return specifier.startsWith(ROOT.href)
    ? specifier.slice(ROOT.href.length)
    : undefined;
}

function listSources(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, ROOT))].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return listSources(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

/** Imports, as `from -> to`, that stand between two parts of the house. */
function importsBetween(from: string, to: string): string[] {
  return [...imports]
    .filter(([source]) => source.startsWith(from))
    .flatMap(([source, targets]) =>
      [...targets.code, ...targets.types]
        .filter((target) => target.startsWith(to))
        .map((target) => `${source} -> ${target}`)
    );
}

/** Finds a circle of imports, of those that are left when types are erased. */
function findCircle(imports: ReadonlyMap<string, Targets>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (source: string): string[] => {
    if (path.includes(source)) return [...path, source];
    if (done.has(source)) return [];
    path.push(source);
    for (const target of imports.get(source)?.code ?? []) {
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

Deno.test("imports are known for every source", () => {
  const sources = [...listSources("cep"), ...listSources("oauth2")];
  assertEquals(sources.filter((source) => !imports.has(source)), []);
  assertEquals(importsBetween("cep/http/", "cep/store/").length > 0, true);
});

for (
  const [statement, kind] of [
    ['import { a } from "TARGET";', "code"],
    ['import { type A } from "TARGET";', "code"],
    ['import type { A } from "TARGET"; import { a } from "TARGET";', "code"],
    ['import "TARGET";', "code"],
    ['export { a } from "TARGET";', "code"],
    ['export * from "TARGET";', "code"],
    ['await import("TARGET");', "code"],
    ['import type { A } from "TARGET";', "types"],
    ['export type { A } from "TARGET";', "types"],
    ['export type A = import("TARGET").A;', "types"],
  ] as const
) {
  Deno.test(`imports tell that ${statement} is of ${kind}`, async () => {
    const source = statement.replaceAll("TARGET", `${ROOT}cep/mod.ts`);
    const { modules } = await readGraph(
      `data:application/typescript,${encodeURIComponent(source)}`,
    );
    const { dependencies = [] } = modules.find(({ specifier }) =>
      specifier.startsWith("data:")
    )!;
    const { code, types } = readTargets(dependencies);
    assertEquals(code, kind === "code" ? ["cep/mod.ts"] : []);
    if (kind === "types") assertEquals(types, ["cep/mod.ts"]);
  });
}

for (
  const [what, kind, circle] of [
    ["finds a circle of imports", "code", ["a.ts", "b.ts", "c.ts", "a.ts"]],
    ["passes one that import type closes", "types", []],
  ] as const
) {
  Deno.test(`findCircle ${what}`, () => {
    const none: Targets = { code: [], types: [] };
    const imports = new Map<string, Targets>([
      ["a.ts", { ...none, code: ["b.ts"] }],
      ["b.ts", { ...none, code: ["c.ts"] }],
      ["c.ts", { ...none, [kind]: ["a.ts"] }],
    ]);
    assertEquals(findCircle(imports), [...circle]);
  });
}

Deno.test("imports make no circle, where types are erased", () => {
  assertEquals(findCircle(imports), []);
});

for (
  const [from, to] of [
    ["cep/", "oauth2/"],
    ["oauth2/", "cep/"],
    ["cep/dne/", "cep/http/"],
    ["cep/http/", "cep/dne/"],
    ["cep/store/", "cep/dne/"],
    ["cep/store/", "cep/http/"],
    ["cep/", "scripts/"],
    ["cep/", "tests/"],
    ["oauth2/", "scripts/"],
    ["oauth2/", "tests/"],
  ] as const
) {
  Deno.test(`imports never lead from ${from} to ${to}`, () => {
    assertEquals(importsBetween(from, to), []);
  });
}

Deno.test("Deno.* stands in server/deno.ts only", () => {
  const users = [...listSources("cep"), ...listSources("oauth2")]
    .filter((source) => source !== "cep/server/deno.ts")
    .filter((source) => {
      const text = Deno.readTextFileSync(new URL(source, ROOT));
      return text.split("\n").some((line) =>
        /\bDeno\./.test(line) && !/^\s*(\/?\*|\/\/)/.test(line)
      );
    });
  assertEquals(users, []);
});

/** Runs code in a process that may do nothing, and tells what it printed. */
async function runWithoutPermissions(
  code: string,
): Promise<{ success: boolean; text: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-"],
    cwd: fileURLToPath(ROOT),
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

const packages = [
  { name: "@carteiro/cep", folder: "cep" },
  { name: "@carteiro/oauth2", folder: "oauth2" },
];
for (const { name, folder } of packages) {
  const manifest = Deno.readTextFileSync(new URL(`${folder}/deno.json`, ROOT));
  const { exports } = JSON.parse(manifest);
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

Deno.test("importing what needs a permission would be noticed", async () => {
  const { success } = await runWithoutPermissions(`await import("libsql")`);
  assertEquals(success, false);
});
