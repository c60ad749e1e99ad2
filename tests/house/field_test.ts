/** Comparison of `oauth2` with other libraries, compared with the packages. */
import { assert } from "@std/assert";
import oauth2 from "../../oauth2/deno.json" with { type: "json" };
import {
  LIBRARIES,
  type LibraryKey,
  type Support,
} from "../../scripts/readme_tables/field/feature.ts";
import { FEATURES } from "../../scripts/readme_tables/oauth2.ts";
import { ROOT } from "../../scripts/root.ts";
import { readText } from "./_repository.ts";

/** Throws unless a module has an export `name`, or a method `Class.method`. */
function assertExported(module: object, path: string): void {
  const [name = "", method] = path.split(".");
  const found: unknown = Reflect.get(module, name);
  assert(found !== undefined, `no export ${name}`);
  if (method === undefined) return;
  const { prototype } = found as { prototype: Record<string, unknown> };
  assert(typeof prototype[method] === "function", `no method ${path}`);
}

for (const { title, test: [file, name], here } of FEATURES) {
  Deno.test(`comparison: ${title}: is tested`, () => {
    const source = readText(`tests/oauth2/${file}`);
    const quoted = ['"', "`"].map((quote) => `${quote}${name}${quote}`);
    assert(quoted.some((text) => source.includes(text)), `${file}: ${name}`);
  });

  if (typeof here !== "string") continue;
  Deno.test(`comparison: ${title}: is exported`, async () => {
    const [subpath = "", name = ""] = here.split(" ");
    const exports: Record<string, string> = oauth2.exports;
    const path = exports[subpath === "." ? "." : `./${subpath}`];
    assert(path !== undefined, `no subpath ${subpath}`);
    assertExported(await import(`${ROOT}oauth2/${path}`), name);
  });
}

for (const [key, { npm, version }] of Object.entries(LIBRARIES)) {
  if (npm === undefined) continue;

  Deno.test(`comparison: ${npm} is ${version}, and has the exports`, async () => {
    const lock = JSON.parse(readText("deno.lock"));
    assert(`${npm}@${version}` in lock.npm, `not ${version} in deno.lock`);
    const module = await import(npm);
    const supports = FEATURES.map((row): Support | undefined =>
      row[key as LibraryKey]
    );
    for (const support of supports) {
      if (typeof support === "string") assertExported(module, support);
    }
  });
}
