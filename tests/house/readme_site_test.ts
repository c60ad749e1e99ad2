/** Static site of the sample, compared with the READMEs of `cep`. */
import { assertEquals } from "@std/assert";
import { writeSite } from "../../cep/static/write_site.ts";
import { openStore } from "../../cep/store/mod.ts";
import { seedSample } from "../cep/_seeding.ts";
import { CEP_READMES, readText } from "./_repository.ts";

const files = new Map<string, string>();

Deno.test.beforeAll(async () => {
  const store = await openStore({ path: ":memory:" });
  await seedSample(store);
  await writeSite(store, {
    write(path, text) {
      files.set(path, text);
      return Promise.resolve(true);
    },
    removeOthers: () => Promise.resolve(0),
  });
  await store.close();
});

for (const [language, readme] of Object.entries(CEP_READMES)) {
  Deno.test(`the README of cep (${language}) shows the file of a prefix, and paths that exist`, () => {
    const [, json] = /```json\n(\{\n {2}"padrao"[^]*?)```/.exec(
      readText(readme),
    ) ?? [];
    assertEquals(
      JSON.parse(json ?? ""),
      JSON.parse(files.get("cep/01310.json")!),
    );
    const [, paths = ""] = /```text\n(manifest\.json\n[^]*?)\n```/.exec(
      readText(readme),
    ) ?? [];
    const missing = paths.split("\n").filter((path) => !files.has(path));
    assertEquals(missing, []);
  });
}
