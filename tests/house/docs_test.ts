/** What the documents say, held against the program. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { createHandler, openStore, seed } from "../../cep/mod.ts";
import { READMES, withTables } from "../../scripts/readme_tables.ts";
import { ROOT } from "../../scripts/root.ts";

const read = (path: string): string =>
  Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));

for (const language of ["en", "pt"] as const) {
  Deno.test(`the README of cep (${language}) has its tables as the program knows them`, () => {
    const readme = Deno.readTextFileSync(READMES[language]);
    assertEquals(
      withTables(readme, language),
      readme,
      "run: deno run -A scripts/readme_tables.ts",
    );
  });
}

Deno.test("withTables names the table whose marks are missing", () => {
  assertThrows(() => withTables("# cep\n", "en"), Error, '"endpoints"');
});

Deno.test("the README of cep names every error code", () => {
  const codes = [
    ...read("cep/http/errors.ts").matchAll(/^ {2}(\w+): \[\d{3}, /gm),
  ].map(([, code]) => code!);
  assertEquals(codes.length, 9);
  const readme = read("cep/README.md");
  assertEquals(codes.filter((code) => !readme.includes(`\`${code}\``)), []);
});

/** The metrics of a service that has answered: a line each. */
async function listMetrics(): Promise<string[]> {
  const store = await openStore({ path: ":memory:" });
  await seed({ directory: `${ROOT}samples/dne`, store });
  const handler = createHandler({ store });
  const get = (path: string) => handler(new Request(`http://cep${path}`));
  await get("/cep/01310100");
  const text = await (await get("/metrics")).text();
  await store.close();
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => {
    const sample = new RegExp(`^${name}(?:_bucket)?{(.*)}`, "m").exec(text);
    const labels = [...sample?.[1]?.matchAll(/(\w+)="/g) ?? []]
      .map(([, label]) => label!).filter((label) => label !== "le");
    return [name, type, ...labels.toSorted()].join(" ");
  }).toSorted();
}

for (const language of ["en", "pt"] as const) {
  Deno.test(`the README of cep (${language}) lists every metric with type and labels`, async () => {
    const rows = Deno.readTextFileSync(READMES[language])
      .matchAll(/^\| `(\w+)` +\| (counter|gauge|histogram) +\|([^|]*)\|/gm);
    const listed = [...rows].map(([, name, type, labels = ""]) =>
      [name, type, ...(labels.match(/\w+/g) ?? []).toSorted()].join(" ")
    );
    assertEquals(listed.toSorted(), await listMetrics());
  });
}

Deno.test("the README of cep lists every table of a release", () => {
  const tables = [
    ...read("cep/store/schema.ts").matchAll(/CREATE TABLE (\w+)/g),
  ].map(([, name]) => name!);
  assert(tables.length > 0);
  const readme = read("cep/README.md");
  assertEquals(tables.filter((name) => !readme.includes(`| \`${name}\` `)), []);
});

Deno.test("the README of oauth2 names every option of a client", () => {
  const [, options = ""] = /interface ClientOptions<[^]*?\{\n([^]*?)\n\}/.exec(
    read("oauth2/client_options.ts"),
  ) ?? [];
  const names = [...options.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) =>
    name!
  );
  assertEquals(names.length, 27);
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
