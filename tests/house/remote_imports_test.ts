/** Imports of `@carteiro/cep/remote`, which must run in edge runtimes. */
import { assert, assertEquals } from "@std/assert";
import { run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";

interface Graph {
  readonly roots: readonly string[];
  readonly redirects: Readonly<Record<string, string>>;
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier?: string };
    }[];
  }[];
}

/** Returns what a module imports at run time, however indirectly. */
async function listImports(path: string): Promise<string[]> {
  const graph: Graph = JSON.parse(
    await run([Deno.execPath(), "info", "--json", path], { cwd: ROOT }),
  );
  const targets = new Map(
    graph.modules.map(({ specifier, dependencies = [] }) => [
      specifier,
      dependencies.flatMap(({ code }) => code?.specifier ?? []),
    ]),
  );
  const found = new Set(graph.roots);
  for (const specifier of found) {
    for (const target of targets.get(specifier) ?? []) found.add(target);
  }
  return [...found];
}

Deno.test("cep/store/remote.ts imports nothing that needs files, sockets or native code", async () => {
  const all = await listImports("cep/store/remote.ts");
  const outside = all.filter((it) => !it.startsWith("file:"))
    .map((it) => it.replace(/^npm:\/?(.*)@\^?[\d.]+/, "npm:$1"));
  assertEquals(outside.sort(), [
    "node:buffer",
    "node:timers",
    "node:timers/promises",
    "node:zlib",
    "npm:@libsql/client/http", // Only for a URL.
    "npm:@logtape/logtape",
  ]);
});

Deno.test("listImports finds what cep/store/mod.ts needs", async () => {
  const all = await listImports("cep/store/mod.ts");
  assert(all.includes("node:fs/promises"));
  assert(all.some((it) => it.includes("libsql@")));
});
