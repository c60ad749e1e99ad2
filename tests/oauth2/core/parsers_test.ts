import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  MalformedBody,
  parseForm,
  parseJson,
  parseUntyped,
} from "../../../oauth2/core/parsers.ts";
import { OAuth2Response, type ParseOptions } from "../../../oauth2/mod.ts";
import type { ResponseSettings } from "../../../oauth2/core/response.ts";

/** Parses a body as a response of this type. */
function parsed(
  body: string,
  type: string,
  options: ParseOptions & ResponseSettings,
): unknown {
  const headers = { "content-type": type };
  return new OAuth2Response({ status: 200, headers, body }, options).parsed;
}

const FORM = "application/x-www-form-urlencoded";

for (
  const [parse, type, result] of [
    ["query", "application/json", { '{"a":1}': "" }],
    ["JSON", "text/plain", { a: 1 }],
    [FORM, "text/plain", { '{"a":1}': "" }],
    ["text", "application/json", '{"a":1}'],
    ["unknown", "application/json", { a: 1 }],
    ["constructor", "text/plain", '{"a":1}'],
    ["__proto__", "text/plain", '{"a":1}'],
    ["", "application/json", { a: 1 }],
    [false, "application/json", '{"a":1}'],
    [() => "mine", "application/json", "mine"],
    [undefined, "application/json-seq", '{"a":1}'],
    [undefined, "application/jwt", '{"a":1}'],
    [undefined, "x+json", { a: 1 }],
    [undefined, "text/javascript", { a: 1 }],
    [undefined, "text/json", { a: 1 }],
    [undefined, "toString", '{"a":1}'],
    [undefined, "", '{"a":1}'],
  ] as const
) {
  Deno.test(`parsed reads ${type || "no content type"} with parse ${parse}`, () => {
    assertEquals(parsed('{"a":1}', type, { parse }), result);
  });
}

Deno.test("parsed uses the untyped parser only without a content type", () => {
  const untyped = () => "untyped";
  assertEquals(parsed("a", "", { untyped }), "untyped");
  assertEquals(parsed("a", "a/b", { untyped }), "a");
  assertEquals(parsed("[]", "", { parse: "json", untyped }), []);
});

for (
  const [parse, type, result] of [
    ["otter", "", "own"],
    ["oTTER", "text/plain", "own"],
    [undefined, "text/x-own", "own"],
    [undefined, "application/json", "own"],
    ["json", "text/x-own", { a: 1 }],
    ["constructor", "text/plain", '{"a":1}'],
    [undefined, "toString", '{"a":1}'],
    [false, "text/x-own", '{"a":1}'],
    [() => "mine", "text/x-own", "mine"],
  ] as const
) {
  Deno.test(`parsed prefers the parsers of the client for ${type || "no content type"} and parse ${parse}`, () => {
    const own = () => "own";
    const parsers = {
      Otter: own,
      "Text/X-Own": own,
      "application/json": own,
    };
    assertEquals(parsed('{"a":1}', type, { parse, parsers }), result);
  });
}

Deno.test("registerParser accepts names and types in any letter case", () => {
  OAuth2Response.registerParser(
    "Otter",
    ["Text/X-Otter"],
    (body, { status }) => body + status,
  );
  assertEquals(parsed("a", "", { parse: "oTTER" }), "a200");
  assertEquals(parsed("a", "text/x-otter", {}), "a200");
});

Deno.test("parseJson keeps __proto__ as data", () => {
  const value = parseJson('{"__proto__":{"admin":true}}') as object;
  assert(!("admin" in value));
  assertEquals(Object.keys(value), ["__proto__"]);
});

Deno.test("parseJson throws on invalid JSON and does not show it", () => {
  const error = assertThrows(() => parseJson("{hush:1}"), MalformedBody);
  assert(error instanceof SyntaxError);
  assert(!error.message.includes("hush"));
});

for (
  const [body, fields] of [
    ["", {}],
    ["a", { a: "" }],
    ["=1", { "": "1" }],
    ["a=1&&b=2&", { a: "1", b: "2" }],
    ["?a=1", { "a": "1" }],
    ["a=b=c", { a: "b=c" }],
    ["a=%zz+%C3%A7", { a: "%zz ç" }],
    ["a=1&b=2&a=3&a=", { a: ["1", "3", ""], b: "2" }],
    ["a[]=1&a[]=2", { "a[]": ["1", "2"] }],
    ["constructor=1", { constructor: "1" }],
  ] as const
) {
  Deno.test(`parseForm reads "${body}"`, () => {
    assertEquals(parseForm(body) as unknown, fields);
  });
}

Deno.test("parseForm keeps __proto__ as data", () => {
  const fields = parseForm("__proto__=1&__proto__=2");
  assertEquals(Object.entries(fields), [["__proto__", ["1", "2"]]]);
});

for (
  const [body, result] of [
    ['{"a":1}', { a: 1 }],
    ["a=1", { a: "1" }],
    ["5", "5"],
    ["", ""],
  ] as const
) {
  Deno.test(`parseUntyped reads ${JSON.stringify(body)}`, () => {
    assertEquals(parseUntyped(body), result);
  });
}
