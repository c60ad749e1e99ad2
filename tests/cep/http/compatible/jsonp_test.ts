import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  isCallback,
  jsonpBody,
} from "../../../../cep/http/compatible/viacep_bodies.ts";
import { CODE_POINT } from "../../_characters.ts";

const NAMES = [
  "f",
  "_",
  "$",
  "jQuery3600_1700000000000",
  "angular.callbacks._0",
  "a.b.c",
  "callbacks[0]",
  "a[0][1].b",
];

for (const name of NAMES) {
  Deno.test(`isCallback accepts ${name}`, () => {
    assertEquals(isCallback(name), true);
  });
}

const OTHERS = [
  "",
  "0",
  ".a",
  "a.",
  "a..b",
  "a[",
  "a[]",
  "a[b]",
  "a['b']",
  "a[0",
  "a b",
  "alert(1)",
  "alert(1)//",
  "a;b",
  "a\nb",
  "a\n",
  "a=b",
  "a`b`",
  "</script><script>",
  "á",
  "\u2028",
  "a\0",
  "a".repeat(201),
];

for (const text of OTHERS) {
  Deno.test(`isCallback refuses ${JSON.stringify(text.slice(0, 30))}`, () => {
    assertEquals(isCallback(text), false);
  });
}

Deno.test("isCallback accepts only characters of names and indexes", () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (text) => {
      if (isCallback(text)) assertEquals(/^[\w$.[\]]+$/.test(text), true);
    }),
    { seed: 12, numRuns: 1000 },
  );
});

Deno.test("jsonpBody creates a script of one call", () => {
  const body = jsonpBody("f", '{"a":"</script>\u2028\u2029"}');
  assertEquals(body.type, "application/javascript; charset=utf-8");
  assertEquals(body.content, 'f({"a":"</script>\\u2028\\u2029"});');
  let argument: unknown;
  new Function("f", `${body.content}`)((it: unknown) => argument = it);
  assertEquals(argument, { a: "</script>\u2028\u2029" });
});
