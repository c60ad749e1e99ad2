/** What the documents say, held against the program. */
import { assert, assertEquals } from "@std/assert";
import { SETTINGS } from "../../cep/config.ts";
import { settingsTable } from "../../scripts/settings_table.ts";

const read = (path: string): string =>
  Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));

Deno.test("the README of cep has the table of settings as the program knows it", () => {
  assert(
    read("cep/README.md").includes(settingsTable()),
    "run: deno run -A scripts/settings_table.ts",
  );
});

for (const { name } of Object.values(SETTINGS)) {
  Deno.test(`the README of cep names the setting ${name}`, () => {
    assert(read("cep/README.md").includes(`\`${name}\``));
  });
}

Deno.test("the README of cep names every error code", () => {
  const codes = [
    ...read("cep/http/errors.ts").matchAll(/^ {2}(\w+): \[\d{3}, /gm),
  ].map(([, code]) => code!);
  assertEquals(codes.length, 9);
  const readme = read("cep/README.md");
  assertEquals(codes.filter((code) => !readme.includes(`\`${code}\``)), []);
});

Deno.test("the README of oauth2 names every option of a client", () => {
  const [, options = ""] = /interface ClientOptions<[^]*?\{\n([^]*?)\n\}/.exec(
    read("oauth2/client.ts"),
  ) ?? [];
  const names = [...options.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) =>
    name!
  );
  assertEquals(names.length, 23);
  const readme = read("oauth2/README.md");
  assertEquals(names.filter((name) => !readme.includes(`\`${name}\``)), []);
});

Deno.test("every package has one version, and the changelog is there", () => {
  const versions = ["deno.json", "cep/deno.json", "oauth2/deno.json"]
    .map((path) => JSON.parse(read(path)).version);
  assertEquals(new Set(versions).size, 1);
  assert(read("CHANGELOG.md").includes("## Unreleased"));
});

Deno.test("the README begins with the two commands", () => {
  const commands = [...read("README.md").matchAll(/^npx .*$/gm)];
  assertEquals(commands.slice(0, 2).map(([line]) => line), [
    "npx -y deno@2.9 task demo",
    "npx -y deno@2.9 task test",
  ]);
});
