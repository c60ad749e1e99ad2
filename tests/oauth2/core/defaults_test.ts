import { assertEquals } from "@std/assert";
import { onlyDefined, withDefaults } from "../../../oauth2/core/defaults.ts";

Deno.test("onlyDefined removes only undefined and null", () => {
  const values = Object.freeze({
    a: undefined,
    b: null,
    c: 0,
    d: "",
    e: false,
    f: NaN,
  });
  assertEquals(
    Object.entries(onlyDefined(values)),
    Object.entries(values).slice(2),
  );
});

Deno.test("withDefaults replaces only undefined and null", () => {
  const options = Object.freeze({ a: undefined, b: null, c: 0, d: "", x: 1 });
  const defaults = Object.freeze({ a: 1, b: 2, c: 3, d: 4, e: 5 });
  assertEquals(
    withDefaults<object, object>(options, defaults),
    { a: 1, b: 2, c: 0, d: "", e: 5, x: 1 },
  );
});
