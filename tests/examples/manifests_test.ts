/** What the examples ask npm for. */
import { assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));
}

const versions = new Map(
  ["cep", "oauth2"].map((folder) => {
    const { name, version } = readManifest(`${folder}/deno.json`);
    return [name, version];
  }),
);

const examples = readdirSync(new URL("examples/", ROOT), { recursive: true })
  .map((path) => String(path).replaceAll("\\", "/"))
  .filter((path) => /^[\w-]+\/package\.json$/.test(path));

Deno.test("two of the examples are for npm", () => {
  assertEquals(examples.sort(), [
    "browser/package.json",
    "node-service/package.json",
  ]);
});

for (const path of examples) {
  Deno.test(`examples/${path} asks for the packages as they are now`, () => {
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
