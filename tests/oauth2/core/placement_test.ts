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

Deno.test("placeToken reads a map for a verb in any letter case, and no inherited names", () => {
  const mode = { get: "query" };
  assertEquals(place(mode, {}, "GeT").params, { "a[b]": TOKEN });
  assertEquals(place(mode, {}, "constructor").params, undefined);
});

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
