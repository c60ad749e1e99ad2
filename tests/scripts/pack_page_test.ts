import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { PACKED, packPage } from "../../scripts/pack_page.ts";

Deno.test("cep/page.json has the files of page/: deno task page", async () => {
  // Clones on Windows may have other line ends.
  const plain = (text: string) => text.replaceAll("\\r\\n", "\\n");
  assertEquals(plain(await readFile(PACKED, "utf8")), plain(await packPage()));
});
