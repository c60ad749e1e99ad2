import { assertEquals, assertThrows } from "@std/assert";
import { inspect } from "node:util";
import {
  addParams,
  encodeParams,
  encodeText,
  isPlainObject,
} from "../../../oauth2/core/params.ts";
import fc from "fast-check";

for (
  const [params, text] of [
    [{}, ""],
    [{ a: "" }, "a="],
    [{ a: 0, b: false, c: 5n }, "a=0&b=false&c=5"],
    [{ a: null, b: undefined }, ""],
    [{ a: ["1", 2] }, "a=1&a=2"],
    [{ a: [] }, ""],
    [{ a: [null, "1", undefined] }, "a=1"],
    [{ "a[b]": "ç &=+\n" }, "a%5Bb%5D=%C3%A7+%26%3D%2B%0A"],
    [{ ["__proto__"]: "1" }, "__proto__=1"],
    [{ a: "\ud800" }, "a=%EF%BF%BD"],
  ] as const
) {
  Deno.test(`encodeParams returns "${text}" for ${inspect(params)}`, () => {
    assertEquals(encodeParams(Object.entries(params)), text);
  });
}

Deno.test("encodeParams accepts a Map and repeated names", () => {
  const pairs = new Map<string, unknown>([["a", 1], ["b", null], ["c", "x y"]]);
  assertEquals(encodeParams(pairs), "a=1&c=x+y");
  assertEquals(encodeParams([["a", 1], ["b", 2], ["a", 3]]), "a=1&b=2&a=3");
});

Deno.test("encodeText returns the encoding of URLSearchParams", () => {
  const unit = fc.constantFrom(..."~!'()*-._ +%&=#\n\ud800\udc00aé€😀");
  const text = fc.oneof(fc.string({ unit }), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(text, (text) => {
      const expected = String(new URLSearchParams({ "": text })).slice(1);
      assertEquals(encodeText(text), expected);
    }),
    { seed: 10, numRuns: 500 },
  );
});

for (
  const [kind, value] of [
    ["an object", { hush: "hush-hush" }],
    ["a date", new Date(0)],
    ["a function", () => "hush-hush"],
    ["a list of lists", [["hush-hush"]]],
    ["a list of objects", [{ hush: "hush-hush" }]],
  ] as const
) {
  Deno.test(`encodeParams refuses ${kind} and does not show it`, () => {
    const error = assertThrows(
      () => encodeParams([["claims", value]]),
      TypeError,
    );
    assertEquals(/hush/.test((error as Error).message), false);
    assertEquals(/"claims"/.test((error as Error).message), true);
  });
}

for (
  const [address, params, result] of [
    ["https://x.example/a+b?c+d", {}, "https://x.example/a+b?c+d"],
    ["https://x.example/", { b: 2, a: 1 }, "https://x.example/?a=1&b=2"],
    [
      "https://x.example/?b=1#f",
      { a: "x y+z" },
      "https://x.example/?a=x%20y%2Bz&b=1#f",
    ],
    ["https://x.example/?a=1&a=2&b=3", { a: 4 }, "https://x.example/?a=4&b=3"],
    ["https://x.example/?a=1", { a: null }, "https://x.example/?a=1"],
  ] as const
) {
  Deno.test(`addParams returns ${result} for ${JSON.stringify(params)}`, () => {
    const url = new URL(address);
    assertEquals(addParams(url, params).href, result);
    assertEquals(url.href, address);
  });
}

class Instance {
  a = 1;
}
for (
  const [kind, value, plain] of [
    ["a literal", {}, true],
    ["an object without prototype", Object.create(null), true],
    ["an instance", new Instance(), false],
    ["an object with another prototype", Object.create({}), false],
    ["a list", [], false],
    ["a map", new Map(), false],
    ["a date", new Date(), false],
    ["null", null, false],
    ["text", "a", false],
    ["a function", () => {}, false],
  ] as const
) {
  Deno.test(`isPlainObject returns ${plain} for ${kind}`, () => {
    assertEquals(isPlainObject(value), plain);
  });
}
