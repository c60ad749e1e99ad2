import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type HeaderSource,
  isJsonType,
  mediaType,
  mergeHeaders,
} from "../../../oauth2/core/headers.ts";
import { print } from "../_print.ts";

Deno.test("mergeHeaders overrides earlier headers in any letter case", () => {
  const merged = mergeHeaders(
    { Accept: "a", "X-A": "1" },
    undefined,
    new Headers({ accept: "b" }),
    [["ACCEPT", "c"], ["x-b", "2"]],
  );
  assertEquals(merged, { accept: "c", "x-a": "1", "x-b": "2" });
});

Deno.test("mergeHeaders ignores undefined and null", () => {
  const headers = { "x-a": undefined, "x-b": null, "x-c": "" };
  const merged = mergeHeaders({ "x-a": "1" }, headers as never);
  assertEquals(merged, { "x-a": "1", "x-c": "" });
});

Deno.test("mergeHeaders accepts an iterable of pairs", () => {
  const headers = new Map([["x-a", "1"]]) as unknown as HeadersInit;
  assertEquals(
    Object.entries(mergeHeaders(headers)),
    [...new Headers(headers)],
  );
});

for (
  const [kind, headers, merged] of [
    ["pairs", [["x-a", "1"], ["X-A", "2"], ["x-a", ""]], { "x-a": "1, 2, " }],
    ["Headers", new Headers([["x-a", "1"], ["x-a", "2"]]), { "x-a": "1, 2" }],
    ["an object", { "x-a": "1", "X-A": "2" }, { "x-a": "1, 2" }],
    ["cookies", [["cookie", "a=1"], ["Cookie", "b=2"]], {
      cookie: "a=1; b=2",
    }],
    ["pairs with inherited names", [
      ["constructor", "1"],
      ["constructor", "2"],
    ], { constructor: "1, 2" }],
  ] as [string, HeaderSource, Record<string, string>][]
) {
  Deno.test(`mergeHeaders joins the repeated headers of ${kind}`, () => {
    assertEquals(mergeHeaders({ "x-a": "0" }, headers), {
      "x-a": "0",
      ...merged,
    });
  });
}

Deno.test("mergeHeaders trims values and does not change its arguments", () => {
  const headers = Object.freeze({ "X-A": " 1\t" });
  const merged = mergeHeaders(headers);
  merged["x-b"] = "2";
  assertEquals(merged, { "x-a": "1", "x-b": "2" });
  assertEquals(mergeHeaders(headers), { "x-a": "1" });
});

Deno.test("mergeHeaders keeps the characters of Latin-1", () => {
  const merged = mergeHeaders({ "X-A": "ação" }, undefined);
  assertEquals([...new Headers(merged)], [["x-a", "ação"]]);
});

for (
  const [fault, headers] of [
    ["a line break", { "x-a": "hush\nhush" }],
    ["a carriage return", { "x-a": "hush\rhush" }],
    // Deno would send an empty header.
    ["a trailing carriage return", { "x-a": "hush\rhush\r" }],
    ["a NUL", { "x-a": "hush\0hush" }],
    ["a character outside Latin-1", { "x-a": "hush€" }],
    ["a space in a name", { "x hush": "1" }],
    ["an empty name", { "": "hush" }],
  ] as const
) {
  Deno.test(`mergeHeaders refuses ${fault} and does not show it`, () => {
    const error = assertThrows(() => mergeHeaders(headers), TypeError);
    assert(!print(error).includes("hush"), print(error));
  });
}

for (
  const [contentType, type] of [
    ["application/json", "application/json"],
    ["Text/HTML; charset=UTF-8", "text/html"],
    [" text/plain ;a=b;c=d", "text/plain"],
    [";charset=utf-8", ""],
    ["", ""],
    [null, ""],
    [undefined, ""],
  ] as const
) {
  Deno.test(`mediaType returns "${type}" for ${JSON.stringify(contentType)}`, () => {
    assertEquals(mediaType(contentType), type);
  });
}

for (
  const [type, isJson] of [
    ["application/json", true],
    ["text/json", true],
    ["application/vnd.api+json", true],
    ["image/svg+json", true],
    ["application/jsonp", false],
    ["application/json-seq", false],
    ["x-application/json", false],
    ["text/javascript", false],
    ["json", false],
    ["", false],
  ] as const
) {
  Deno.test(`isJsonType returns ${isJson} for "${type}"`, () => {
    assertEquals(isJsonType(type), isJson);
  });
}
