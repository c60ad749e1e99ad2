/** Dependencies of the examples. */
import { assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { ROOT } from "../../scripts/root.ts";

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(ROOT + path, "utf8"));
}

const versions = new Map(
  ["cep", "oauth2"].map((folder) => {
    const { name, version } = readManifest(`${folder}/deno.json`);
    return [name, version];
  }),
);

const examples = readdirSync(`${ROOT}examples`, { recursive: true })
  .map((path) => String(path).replaceAll("\\", "/"))
  .filter((path) => /^[\w-]+\/package\.json$/.test(path));

Deno.test("the examples with a package.json are found", () => {
  assertEquals(examples.length > 0, true);
});

for (const path of examples) {
  Deno.test(`examples/${path} depends on the current versions of the packages`, () => {
    const { dependencies = {} } = readManifest(`examples/${path}`);
    const ours = Object.entries(dependencies)
      .filter(([name]) => name.startsWith("@carteiro/"));
    assertEquals(
      ours,
      ours.map(([name]) => [name, `^${versions.get(name)}`]),
    );
    assertEquals(ours.length > 0, true);
  });
}
