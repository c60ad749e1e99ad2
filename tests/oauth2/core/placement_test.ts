import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Places, placeToken } from "../../../oauth2/core/placement.ts";
import type { Mode } from "../../../oauth2/core/token_hash.ts";
import { printWithoutStack } from "../_print.ts";

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
  const [kind, body, headers, text] of [
    ["undefined", undefined, {}, FIELD],
    ["null", null, {}, FIELD],
    ["empty text", "", {}, FIELD],
    ["text", "x=1", {}, `x=1&${FIELD}`],
    ["text with the content type of a form", "x=1", {
      "Content-Type": `${FORM.toUpperCase()} ; charset=utf-8`,
    }, `x=1&${FIELD}`],
    ["URLSearchParams", new URLSearchParams("x=1&x=2"), {}, `x=1&x=2&${FIELD}`],
  ] as const
) {
  Deno.test(`placeToken adds the token to a body that is ${kind}`, () => {
    const request = { body, headers };
    assertEquals(String(place("body", request).body), text);
    assertEquals(request.body, body);
  });
}

Deno.test("placeToken adds the token to a copy of an object", () => {
  const body = Object.freeze({ x: [1, 2] });
  assertEquals(place("body", { body }), {
    body: { x: [1, 2], "a[b]": TOKEN },
  });
});

Deno.test("placeToken adds the token to a copy of URLSearchParams", () => {
  const body = new URLSearchParams("x=1");
  place("body", { body });
  assertEquals(String(body), "x=1");
});

Deno.test("placeToken replaces the parameter of the caller in the query", () => {
  const params = Object.freeze({ x: 1, "a[b]": "mine" });
  assertEquals(place("query", { params }, "get"), {
    params: { x: 1, "a[b]": TOKEN },
    headers: { "cache-control": "no-store" },
  });
});

Deno.test("placeToken keeps the Cache-Control of the caller in query mode", () => {
  const headers = [["Cache-Control", "max-age=0"], ["X-A", "1"]] as const;
  const request = { headers: headers as unknown as [string, string][] };
  assertEquals(place("query", request).headers, {
    "cache-control": "max-age=0",
    "x-a": "1",
  });
});

Deno.test("placeToken replaces the Authorization of the caller", () => {
  const headers = Object.freeze({ "X-A": "1", Authorization: "mine" });
  assertEquals(place("header", { headers, body: "a" }), {
    headers: { "x-a": "1", authorization: `Bearer ${TOKEN}` },
    body: "a",
  });
});

for (
  const [kind, mode, verb, placed] of [
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
  Deno.test(`placeToken reads a mode that is ${kind} for the verb ${verb}`, () => {
    assertEquals(place(mode, {}, verb), placed);
  });
}

for (
  const [kind, verb, request] of [
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
    ["another type that begins like a form", "post", {
      headers: { "content-type": `${FORM}x` },
    }],
    ["FormData", "post", { body: new FormData() }],
    ["bytes", "post", { body: new Uint8Array(1) }],
    ["a list", "post", { body: ["x"] }],
    ["a stream", "post", { body: new Blob(["x"]).stream() }],
  ] as [string, string, Places][]
) {
  Deno.test(`placeToken refuses the mode body for ${kind}`, () => {
    const error = assertThrows(() => place("body", request, verb), TypeError);
    assert(!printWithoutStack(error).includes("hush"));
  });
}

for (const mode of ["", "Body", "headers", undefined, 5]) {
  Deno.test(`placeToken refuses the mode ${JSON.stringify(mode)}`, () => {
    assertThrows(() => place(mode, {}), TypeError, "invalid :mode option of");
  });
}

for (const placement of ["", "Body", undefined, null, 5, {}]) {
  Deno.test(`placeToken refuses ${JSON.stringify(placement)} from a function or a map`, () => {
    for (const mode of [() => placement, { post: placement }]) {
      assertThrows(() => place(mode, {}), TypeError, "invalid :mode option of");
    }
  });
}
