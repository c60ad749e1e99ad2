import { assertEquals, assertThrows } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { makePageFiles } from "../../../../cep/http/web_page/page_files.ts";

/** Returns a prepared file of small ones. */
function fileOf(name: string, texts: Readonly<Record<string, string>>) {
  return makePageFiles(texts).loaded.get(name)!;
}

Deno.test("makePageFiles names a module by those that it imports, too", () => {
  const importing = (text: string) => ({
    "dom.js": text,
    "api.js": `import { a } from "./dom.js";`,
  });
  const api = fileOf("api.js", importing("1"));
  const dom = fileOf("dom.js", importing("1"));
  const linked = `import { a } from "./${dom.name}";`;
  assertEquals(new TextDecoder().decode(api.content), linked);
  assertEquals(gunzipSync(api.gzipped).toString(), linked);
  assertEquals(api.name === fileOf("api.js", importing("2")).name, false);
});

Deno.test("makePageFiles names a module that is imported when needed", () => {
  const { loaded, preloaded } = makePageFiles({
    "cleaning.js": "1",
    "drop.js": `await import("./cleaning.js")`,
  });
  const { name } = loaded.get("cleaning.js")!;
  assertEquals(
    new TextDecoder().decode(loaded.get("drop.js")!.content),
    `await import("./${name}")`,
  );
  assertEquals(preloaded.includes("drop.js"), true);
  assertEquals(preloaded.includes("cleaning.js"), false);
});

Deno.test("makePageFiles refuses an import of a later module", () => {
  assertThrows(
    () => makePageFiles({ "dom.js": `from "./app.js"` }),
    TypeError,
    `Cannot import "app.js"`,
  );
});

Deno.test("makePageFiles prepares the files of the page", () => {
  const { document, states, loaded } = makePageFiles();
  assertEquals(document.startsWith("<!doctype html>"), true);
  assertEquals(states.match(/id="uf-[A-Z]{2}"/g)?.length, 27);
  for (const { content } of loaded.values()) {
    assertEquals(content.length > 0, true);
  }
});
