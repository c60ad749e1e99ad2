import { assert, assertEquals } from "@std/assert";
import { snaky, toSnakeCase } from "../../../oauth2/core/snaky.ts";
import fc from "fast-check";

for (
  const [name, spelled] of [
    ["", ""],
    ["accessToken", "access_token"],
    ["AccessToken", "access_token"],
    ["ACCESS_TOKEN", "access_token"],
    ["ID", "id"],
    ["userID", "user_id"],
    ["HTMLParser", "html_parser"],
    ["parseHTMLNow", "parse_html_now"],
    ["a1B2", "a1_b2"],
    ["Access-Token", "access_token"],
    [" access  token\t", "access_token"],
    ["a - b", "a_b"],
    ["a__b", "a_b"],
    ["_links", "_links"],
    ["Foo::BarBaz", "foo/bar_baz"],
    ["a.b", "a.b"],
    ["açãoNova", "ação_nova"],
    ["__proto__", "_proto_"],
  ]
) {
  Deno.test(`toSnakeCase returns "${spelled}" for "${name}"`, () => {
    assertEquals(toSnakeCase(name!), spelled);
  });
}

Deno.test("toSnakeCase does not change its own result", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const spelled = toSnakeCase(name.replace(/:/g, ""));
      assertEquals(toSnakeCase(spelled), spelled);
    }),
    { seed: 31, numRuns: 500 },
  );
});

Deno.test("snaky converts the names of nested objects and copies other values", () => {
  const data = { aB: [{ cD: null }, [{ eF: 1 }], "gH"], iJ: { kL: true } };
  const before = structuredClone(data);
  assertEquals(snaky(data), {
    a_b: [{ c_d: null }, [{ e_f: 1 }], "gH"],
    i_j: { k_l: true },
  });
  assertEquals(data, before);
});

Deno.test("snaky converts only the first of two names that collide", () => {
  assertEquals(snaky({ aB: 1, "a-b": 2 }), { a_b: 1, "a-b": 2 });
});

Deno.test("snaky keeps inherited names as data", () => {
  const data = JSON.parse('{"constructor":1,"toString":{"__proto__":{"x":1}}}');
  const copy = snaky(data) as Record<string, unknown>;
  assertEquals(Object.keys(copy).sort(), ["constructor", "to_string"]);
  assertEquals(copy.to_string, { _proto_: { x: 1 } });
  assert(!("x" in {}));
});
