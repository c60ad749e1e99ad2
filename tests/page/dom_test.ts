/** Forms of values on the page. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync } from "node:fs";
import { WRITTEN_CEP } from "../../cep/record/address.ts";
import { parseCep } from "../../page/dom.js";

Deno.test("the page reads the same forms of a CEP as the service", () => {
  const source = readFileSync(new URL("../../page/dom.js", import.meta.url));
  assertStringIncludes(`${source}`, `/${WRITTEN_CEP.source}/`);
  assertEquals(parseCep("01310 - 100"), "01310100");
  assertEquals(parseCep("1310100"), undefined);
});
