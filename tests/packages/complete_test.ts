import { assert, assertRejects } from "@std/assert";
import { complete, type CompleteOptions } from "../../scripts/npm/complete.ts";
import { ROOT } from "../../scripts/root.ts";
import { packed } from "./_packed.ts";

const OPTIONS: CompleteOptions = {
  source: { folder: "cep", description: "", keywords: [] },
  home: `${ROOT}cep`,
  repo: "https://example.com/repo",
  versions: { "@scope/sibling": "1.2.3", "@scope/stranger": "1.2.3" },
  importMap: { "short/name": "npm:lib@^1.0.0/long/name.js" },
};

const completions = [
  {
    name: "adds an imported JSON module",
    changes: { "mod.js": `import "./build.json" with { type: "json" };` },
    gives: { path: "build.json", holds: `"commit"` },
  },
  {
    name: "replaces a name of the import map by that on npm",
    changes: { "mod.js": `import a from "short/name"; import("short/name");` },
    gives: {
      path: "mod.js",
      holds: `import a from "lib/long/name.js"; import("lib/long/name.js");`,
    },
  },
  {
    name: "adds an imported package of the repository in its exact version",
    changes: { "mod.d.ts": `export type { A } from "@scope/sibling/a";` },
    gives: { path: "package.json", holds: `"@scope/sibling": "1.2.3"\n` },
  },
  {
    name: "moves comments to where editors find them",
    changes: {
      "mod.d.ts": "declare const a: {\n  readonly /** One. */ b: 1;\n};",
    },
    gives: { path: "mod.d.ts", holds: "  /** One. */ readonly b: 1;" },
  },
  {
    name: "names a destructured parameter after its type",
    changes: {
      "mod.d.ts": "declare function a({}: KeyPair, {}?: AOptions): void;",
    },
    gives: {
      path: "mod.d.ts",
      holds: "a(keyPair: KeyPair, options?: AOptions): void;",
    },
  },
  {
    name: "keeps a file that is not a module",
    changes: { "http/page.html": "<p>" },
    gives: { path: "http/page.html", holds: "<p>" },
  },
];
for (const { name, changes, gives } of completions) {
  Deno.test(`complete ${name}`, async () => {
    const files = packed(changes);
    await complete(files, OPTIONS);
    const text = new TextDecoder().decode(files.get(gives.path));
    assert(text.includes(gives.holds), text);
    assert(!text.includes("stranger"));
  });
}

const refusals = [
  {
    name: "an import of a missing module",
    changes: { "mod.js": `export * from "./gone.js";` },
    says: `Cannot pack "cep/gone.js": imported but not compiled`,
  },
  {
    name: "an import of missing declarations",
    changes: { "a/b.d.ts": `export * from "../gone.js";` },
    says: `Cannot pack "cep/gone.d.ts": imported but not compiled`,
  },
  {
    name: "an import of text",
    changes: {
      "mod.js": `import page from "./page.html" with { type: "text" };`,
      "page.html": "<p>",
    },
    says: `Cannot pack "cep/page.html": Node imports JavaScript and JSON only`,
  },
  {
    name: "an import of a package without a version",
    changes: { "mod.js": `export * from "unknown/subpath";` },
    says: `Cannot pack "cep/package.json": the version of "unknown" is unknown`,
  },
  {
    name: "a source that no module imports",
    changes: { "mod_test.ts": "" },
    says: `Cannot pack "cep/mod_test.ts": no module imports it`,
  },
];
for (const { name, changes, says } of refusals) {
  Deno.test(`complete refuses ${name}`, async () => {
    await assertRejects(
      () => complete(packed(changes), OPTIONS),
      Error,
      says,
    );
  });
}
