import { assertEquals, assertThrows } from "@std/assert";
import {
  escapeHtml,
  fillTemplate,
} from "../../../../cep/http/web_page/template.ts";

const VALUES = { a: `<&"'>`, "b.c": "2", empty: "", html: "<b>" };

for (
  const [template, expected] of [
    ["{{a}}", "&lt;&amp;&quot;&#39;&gt;"],
    ["{{ b.c }} {{\n  b.c\n}}", "2 2"],
    ["{{{html}}}", "<b>"],
    ["<p {{?empty}}>", "<p hidden>"],
    ["<p {{?a}}>", "<p >"],
    ["{a} { {a} }", "{a} { {a} }"],
  ] as const
) {
  Deno.test(`fillTemplate fills ${JSON.stringify(template)}`, () => {
    assertEquals(fillTemplate(template, VALUES), expected);
  });
}

Deno.test("fillTemplate does not fill marks in values", () => {
  assertEquals(fillTemplate("{{a}}", { a: "{{b}}", b: "no" }), "{{b}}");
  assertEquals(fillTemplate("{{{a}}}", { a: "$&{{b}}" }), "$&{{b}}");
});

Deno.test("fillTemplate refuses a mark without a value", () => {
  assertThrows(() => fillTemplate("{{x}}", VALUES), TypeError, `"x"`);
  assertThrows(() => fillTemplate("{{{toString}}}", {}), TypeError);
});

Deno.test("escapeHtml leaves other characters as they are", () => {
  assertEquals(escapeHtml("São João – “1”`"), "São João – “1”`");
});
