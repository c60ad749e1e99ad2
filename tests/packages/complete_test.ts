import { assert, assertRejects } from "@std/assert";
import { fileURLToPath } from "node:url";
import { complete, type CompleteOptions } from "../../scripts/npm/complete.ts";
import { packed } from "./_packed.ts";

const OPTIONS: CompleteOptions = {
  source: { folder: ".", description: "", keywords: [] },
  home: fileURLToPath(new URL("../../cep/", import.meta.url)),
  repo: "https://example.com/repo",
  versions: { "@scope/sibling": "1.2.3", "@scope/stranger": "1.2.3" },
  importMap: { "short/name": "npm:lib@^1.0.0/long/name.js" },
};

const completions = [
  {
    name: "adds a JSON module that is imported",
    changes: { "mod.js": `import "./build.json" with { type: "json" };` },
    gives: { path: "build.json", holds: `"commit"` },
  },
  {
    name: "calls the file of another package by its name on npm",
    changes: { "mod.js": `import a from "short/name"; import("short/name");` },
    gives: {
      path: "mod.js",
      holds: `import a from "lib/long/name.js"; import("lib/long/name.js");`,
    },
  },
  {
    name: "adds a sibling in exactly its version",
    changes: { "mod.d.ts": `export type { A } from "@scope/sibling/a";` },
    gives: { path: "package.json", holds: `"@scope/sibling": "1.2.3"\n` },
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
    name: "a source that is imported but missing",
    changes: { "mod.js": `export * from "./gone.js";` },
    says: `Cannot pack "gone.js": imported but not compiled`,
  },
  {
    name: "declarations that are imported but missing",
    changes: { "a/b.d.ts": `export * from "../gone.js";` },
    says: `Cannot pack "gone.d.ts": imported but not compiled`,
  },
  {
    name: "a package that nobody gave a version",
    changes: { "mod.js": `export * from "unknown/subpath";` },
    says: `no version of "unknown" known`,
  },
  {
    name: "a file that is no part of a package",
    changes: { "notes.ts": "" },
    says: "unwanted notes.ts",
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
