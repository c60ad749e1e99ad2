import { assert, assertEquals } from "@std/assert";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import {
  escapeXml,
  XML_DECLARATION,
  xmlElement,
} from "../../../../cep/http/compatible/viacep_bodies.ts";
import { CODE_POINT } from "../../_characters.ts";

const CASES: readonly (readonly [text: string, escaped: string])[] = [
  ["Sé", "Sé"],
  ["</uf><uf>", "&lt;/uf&gt;&lt;uf&gt;"],
  ["a & b", "a &amp; b"],
  ["&amp;", "&amp;amp;"],
  [`"a" 'b'`, "&quot;a&quot; &apos;b&apos;"],
  ["]]>", "]]&gt;"],
  ["a\tb\nc\rd", "a\tb\nc\rd"],
  ["\0\x01\x1f", "\uFFFD\uFFFD\uFFFD"],
  ["\uD800x\uDC00", "\uFFFDx\uFFFD"],
  ["\uFFFE\uFFFF", "\uFFFD\uFFFD"],
  ["😀", "😀"],
];

for (const [text, escaped] of CASES) {
  Deno.test(`escapeXml escapes ${JSON.stringify(text)}`, () => {
    assertEquals(escapeXml(text), escaped);
  });
}

Deno.test("xmlElement holds any text as the content of one element", () => {
  const parser = new XMLParser({
    trimValues: false,
    parseTagValue: false,
    htmlEntities: false,
  });
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT, minLength: 1 }), (text) => {
      const xml = XML_DECLARATION + xmlElement("a", text, "");
      assert(XMLValidator.validate(xml) === true, JSON.stringify(text));
      const { a, ...others } = parser.parse(xml);
      assertEquals(Object.keys(others), ["?xml"]);
      assertEquals(typeof a, "string");
    }),
    { seed: 12, numRuns: 500 },
  );
});
