import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  fromBase64,
  fromBase64Url,
  toBase64,
  toBase64Url,
} from "../../../oauth2/core/base64.ts";

Deno.test("fromBase64 decodes toBase64 and toBase64Url", () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => {
    assertEquals(fromBase64(toBase64(bytes)), bytes as Uint8Array<ArrayBuffer>);
    const text = toBase64Url(bytes);
    assertEquals(fromBase64(text), bytes as Uint8Array<ArrayBuffer>);
    assertEquals(/^[\w-]*$/.test(text), true);
  }));
});

for (const text of ["a", "====", "a b", "a\n", "aa=a", "é", "YQ==="]) {
  Deno.test(`fromBase64 returns undefined for ${JSON.stringify(text)}`, () => {
    assertEquals(fromBase64(text), undefined);
  });
}

Deno.test("fromBase64Url decodes toBase64Url", () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => {
    const decoded = fromBase64Url(toBase64Url(bytes));
    assertEquals(decoded, bytes as Uint8Array<ArrayBuffer>);
  }));
});

Deno.test("fromBase64Url accepts one text for the same bytes", () => {
  fc.assert(fc.property(fc.base64String(), (text) => {
    const bytes = fromBase64Url(text);
    if (bytes) assertEquals(toBase64Url(bytes), text);
  }));
});

for (const text of ["YQ==", "YQ=", "YR", "YWJ", "-_+/", "YQ\n"]) {
  Deno.test(`fromBase64Url returns undefined for ${JSON.stringify(text)}`, () => {
    assertEquals(fromBase64Url(text), undefined);
  });
}
