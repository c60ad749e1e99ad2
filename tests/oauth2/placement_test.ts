import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Places, placeToken } from "../../oauth2/placement.ts";
import type { Mode } from "../../oauth2/token_hash.ts";
import { print } from "./print.ts";

const TOKEN = "hush & hush";
const place = (mode: unknown, request: Places, verb = "post") =>
  placeToken(request, verb, {
    mode: mode as Mode,
    paramName: "a[b]",
    token: TOKEN,
    headers: { authorization: `Bearer ${TOKEN}` },
  });
const FORM = "application/x-www-form-urlencoded";
const FIELD = "a%5Bb%5D=hush+%26+hush";

for (
  const [what, body, headers, text] of [
    ["nothing", undefined, {}, FIELD],
    ["null", null, {}, FIELD],
    ["empty text", "", {}, FIELD],
    ["text", "x=1", {}, `x=1&${FIELD}`],
    ["text that is told to be a form", "x=1", {
      "Content-Type": `${FORM.toUpperCase()} ; charset=utf-8`,
    }, `x=1&${FIELD}`],
    ["URLSearchParams", new URLSearchParams("x=1&x=2"), {}, `x=1&x=2&${FIELD}`],
  ] as const
) {
  Deno.test(`placeToken adds the token to a body that is ${what}`, () => {
    const request = { body, headers };
    assertEquals(String(place("body", request).body), text);
    assertEquals(request.body, body);
  });
}

Deno.test("placeToken adds the token to an object and leaves it as it was", () => {
  const body = Object.freeze({ x: [1, 2] });
  assertEquals(place("body", { body }), {
    body: { x: [1, 2], "a[b]": TOKEN },
  });
});

Deno.test("placeToken leaves URLSearchParams as they were", () => {
  const body = new URLSearchParams("x=1");
  place("body", { body });
  assertEquals(String(body), "x=1");
});

Deno.test("placeToken adds the token to the query, in place of the caller's", () => {
  const params = Object.freeze({ x: 1, "a[b]": "mine" });
  assertEquals(place("query", { params }, "get"), {
    params: { x: 1, "a[b]": TOKEN },
    headers: { "cache-control": "no-store" },
  });
});

Deno.test("placeToken leaves the caller's Cache-Control to a query", () => {
  const headers = [["Cache-Control", "max-age=0"], ["X-A", "1"]] as const;
  const request = { headers: headers as unknown as [string, string][] };
  assertEquals(place("query", request).headers, {
    "cache-control": "max-age=0",
    "x-a": "1",
  });
});

Deno.test("placeToken adds the token to the headers, in place of the caller's", () => {
  const headers = Object.freeze({ "X-A": "1", Authorization: "mine" });
  assertEquals(place("header", { headers, body: "a" }), {
    headers: { "x-a": "1", authorization: `Bearer ${TOKEN}` },
    body: "a",
  });
});

for (
  const [what, mode, verb, placed] of [
    ["a function", (verb: string) => verb === "get" ? "query" : "body", "GET", {
      params: { "a[b]": TOKEN },
      headers: { "cache-control": "no-store" },
    }],
    ["a map", { get: "query", post: "body" }, "GeT", {
      params: { "a[b]": TOKEN },
      headers: { "cache-control": "no-store" },
    }],
    ["a map without the verb", { get: "query" }, "post", {
      headers: { authorization: `Bearer ${TOKEN}` },
    }],
    ["an empty map", {}, "constructor", {
      headers: { authorization: `Bearer ${TOKEN}` },
    }],
  ] as const
) {
  Deno.test(`placeToken goes by a mode that is ${what}, at ${verb}`, () => {
    assertEquals(place(mode, {}, verb), placed);
  });
}

for (
  const [what, verb, request] of [
    ["GET", "get", {}],
    ["HEAD", "HeAd", {}],
    ["JSON", "post", {
      body: "{}",
      headers: { "content-type": "application/json" },
    }],
    ["an object sent as JSON", "post", {
      body: {},
      headers: [["CONTENT-TYPE", "application/json"]],
    }],
    ["what looks like a form", "post", {
      headers: { "content-type": `${FORM}x` },
    }],
    ["FormData", "post", { body: new FormData() }],
    ["bytes", "post", { body: new Uint8Array(1) }],
    ["a list", "post", { body: ["x"] }],
    ["a stream", "post", { body: new Blob(["x"]).stream() }],
  ] as [string, string, Places][]
) {
  Deno.test(`placeToken has no place in ${what}`, () => {
    const error = assertThrows(() => place("body", request, verb), TypeError);
    assert(!print(error).split("\n    at ")[0]!.includes("hush"));
  });
}

for (const mode of ["", "Body", "headers", undefined, 5]) {
  Deno.test(`placeToken knows no mode ${JSON.stringify(mode)}`, () => {
    assertThrows(() => place(mode, {}), TypeError, "invalid :mode option of");
  });
}

for (const unknown of ["", "Body", undefined, null, 5, {}]) {
  Deno.test(`placeToken knows no place ${JSON.stringify(unknown)}`, () => {
    for (const mode of [() => unknown, { post: unknown }]) {
      assertThrows(() => place(mode, {}), TypeError, "invalid :mode option of");
    }
  });
}
