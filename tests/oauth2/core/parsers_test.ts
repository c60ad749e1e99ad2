import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  findParser,
  MalformedBody,
  parseForm,
  parseJson,
  parseUntyped,
  registerParser,
} from "../../../oauth2/core/parsers.ts";
import { OAuth2Response } from "../../../oauth2/core/response.ts";

const RESPONSE = new OAuth2Response({ status: 200 });
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
  Deno.test(`findParser reads ${type || "no content type"} with parse ${parse}`, () => {
    assertEquals(findParser(parse, type)('{"a":1}', RESPONSE), result);
  });
}

Deno.test("findParser uses the untyped parser only without a content type", () => {
  const untyped = () => "untyped";
  assertEquals(findParser(undefined, "", untyped)("a", RESPONSE), "untyped");
  assertEquals(findParser(undefined, "a/b", untyped)("a", RESPONSE), "a");
  assertEquals(findParser("json", "", untyped)("[]", RESPONSE), []);
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
  Deno.test(`findParser prefers the parsers of the client for ${type || "no content type"} and parse ${parse}`, () => {
    const own = () => "own";
    const parser = findParser(parse, type, undefined, {
      Otter: own,
      "Text/X-Own": own,
      "application/json": own,
    });
    assertEquals(parser('{"a":1}', RESPONSE), result);
  });
}

Deno.test("registerParser accepts names and types in any letter case", () => {
  registerParser(
    "Otter",
    ["Text/X-Otter"],
    (body, { status }) => body + status,
  );
  assertEquals(findParser("oTTER", "")("a", RESPONSE), "a200");
  assertEquals(findParser(undefined, "text/x-otter")("a", RESPONSE), "a200");
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
