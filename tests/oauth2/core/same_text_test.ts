import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isSameText } from "../../../oauth2/core/same_text.ts";

Deno.test("isSameText returns the result of ===", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("", "\0", "a", "a\0"));
  fc.assert(fc.property(text, text, (a, b) => {
    assertEquals(isSameText(a, b), a === b);
    assertEquals(isSameText(a, a), true);
    assertEquals(isSameText(a, `${a}x`), false);
    assertEquals(isSameText(`${a}x`, a), false);
  }));
});
