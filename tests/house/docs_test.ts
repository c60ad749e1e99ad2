/** Documents compared with the program. */
import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { docsOf, type ErrorCode, ERRORS } from "../../cep/http/errors.ts";
import { createHandler, openStore, seed } from "../../cep/mod.ts";
import { completeConfig } from "../../cep/settings/config.ts";
import { withTables } from "../../scripts/markdown.ts";
import { README_TABLES } from "../../scripts/readme_tables.ts";
import { SAMPLE } from "../_sample.ts";
import {
  listNames,
  readCepDocuments,
  readJson,
  readPackages,
  readText,
} from "./_repository.ts";

for (const [path, tables] of Object.entries(README_TABLES)) {
  Deno.test(`${path} has the generated tables`, () => {
    const readme = readText(path);
    assertEquals(withTables(readme, tables), readme, "run: deno task readme");
  });
}

for (const path of Object.keys(README_TABLES)) {
  if (!("published" in README_TABLES[path]!)) continue;
  Deno.test(`${path} tells before it names a package whether it is published`, () => {
    const text = readText(path);
    const note = text.indexOf("<!-- published:");
    const first = /npx @carteiro|npm install @carteiro|jsr:@carteiro|ghcr\.io/
      .exec(text)?.index ?? text.length;
    assert(note !== -1 && note < first);
  });
}

Deno.test("the documentation has an anchor for every error that docs links to", () => {
  for (const path of ["docs/cep/api.md", "docs/cep/pt-BR/api.md"]) {
    const text = readText(path);
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      assert(docsOf(code).endsWith(`/blob/main/docs/cep/pt-BR/api.md#${code}`));
      assert(text.includes(`<a id="${code}"></a>`), `${path}#${code}`);
    }
  }
});

for (
  const [en, pt] of [
    ["README.md", "README.pt-BR.md"],
    ["cep/README.md", "cep/README.pt-BR.md"],
    ["docs/cep/viacep.md", "docs/cep/pt-BR/viacep.md"],
  ] as const
) {
  Deno.test(`${en} tells the default limit of requests in both languages`, () => {
    const { rateLimitMax, rateLimitBurst, rateLimitMinutes } = completeConfig();
    const atOnce = rateLimitMax + rateLimitBurst;
    const plain = (path: string) => readText(path).replaceAll(/\s+/g, " ");
    assertStringIncludes(
      plain(en),
      `may send ${atOnce} requests at once, then ${rateLimitMax} every ` +
        `${rateLimitMinutes} minutes`,
    );
    assertStringIncludes(
      plain(pt),
      `enviar ${atOnce} requisições de uma vez e depois ${rateLimitMax} a ` +
        `cada ${rateLimitMinutes} minutos`,
    );
  });
}

Deno.test("withTables reports a table whose marks are missing", () => {
  const tables = { settings: "" };
  assertThrows(() => withTables("# cep\n", tables), Error, '"settings"');
});

/** Lists the metrics of a service after a request, with type and labels. */
async function listMetrics(): Promise<string[]> {
  const store = await openStore({ path: ":memory:" });
  await seed({ directory: SAMPLE, store });
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
  Deno.test(`the documentation of cep (${language}) lists every metric with type and labels`, async () => {
    const rows = readCepDocuments(language)
      .matchAll(/^\| `(\w+)` +\| (counter|gauge|histogram) +\|([^|]*)\|/gm);
    const listed = [...rows].map(([, name, type, labels = ""]) =>
      [name, type, ...(labels.match(/\w+/g) ?? []).toSorted()].join(" ")
    );
    assertEquals(listed.toSorted(), await listMetrics());
  });
}

/** Interfaces of options, their folders, and the chapters that list them. */
const OPTIONS = [
  ["ClientOptions", "core", "client.md"],
  ["SessionOptions", "session", "session.md"],
  ["TokenManagerOptions", "manager", "tokens.md"],
  ["SignInOptions", "sign_in", "sign-in.md"],
  ["TokenVerifierOptions", "verify", "resource-servers.md"],
] as const;

for (const [name, folder, chapter] of OPTIONS) {
  Deno.test(`docs/oauth2/${chapter} lists every option of ${name}`, () => {
    const source = listNames(`oauth2/${folder}`)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readText(`oauth2/${folder}/${file}`)).join("\n");
    const declaration = new RegExp(
      `interface ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}`,
    );
    const [, options = ""] = declaration.exec(source) ?? [];
    const names = [...options.matchAll(/^ {2}(\w+)\??:/gm)]
      .map(([, name]) => name!);
    assert(names.length > 0);
    const text = readText(`docs/oauth2/${chapter}`);
    assertEquals(names.filter((name) => !text.includes(`\`${name}\``)), []);
  });
}

Deno.test("every package has the same version", () => {
  const versions = readPackages().map(({ manifest }) => manifest.version);
  assertEquals(new Set(versions).size, 1);
});

Deno.test("deno task test leaves only slow tests to test:slow, and CI runs both", () => {
  const { tasks } = readJson("deno.json");
  const slow = "tests/**/*_slow_test.ts'";
  assert(tasks.test.command.endsWith(`,${slow}`));
  assert(tasks["test:slow"].command.endsWith(` '${slow}`));
  assert(tasks.ok.command.includes("deno task test && deno task test:slow"));
  assert(readText(".ci/run").includes("for task in check test test:slow "));
});
