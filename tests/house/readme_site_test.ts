/** Static site of the sample, compared with the documentation of `cep`. */
import { assertEquals } from "@std/assert";
import { writeSite } from "../../cep/export/static/write_site.ts";
import { seed } from "../../cep/import/seed.ts";
import { openStore } from "../../cep/store/mod.ts";
import { SAMPLE, SAMPLE_CNEFE } from "../_sample.ts";
import { readCepDocuments } from "./_repository.ts";

const files = new Map<string, string>();

Deno.test.beforeAll(async () => {
  const store = await openStore({ path: ":memory:" });
  await seed({ directory: SAMPLE, cnefe: SAMPLE_CNEFE, store });
  await writeSite(store, {
    write(path, text) {
      files.set(path, text);
      return Promise.resolve(true);
    },
    removeOthers: () => Promise.resolve(0),
  });
  await store.close();
});

for (const language of ["en", "pt"] as const) {
  Deno.test(`the documentation of cep (${language}) shows the file of a prefix, and paths that exist`, () => {
    const text = readCepDocuments(language);
    const [, json] = /```json\n(\{\n {2}"padrao"[^]*?)```/.exec(text) ?? [];
    assertEquals(
      JSON.parse(json ?? ""),
      JSON.parse(files.get("cep/01310.json")!),
    );
    const [, paths = ""] = /```text\n(manifest\.json\n[^]*?)\n```/.exec(text) ??
      [];
    const missing = paths.split("\n").filter((path) => !files.has(path));
    assertEquals(missing, []);
  });
}
