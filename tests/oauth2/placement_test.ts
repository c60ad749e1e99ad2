import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Places, placeToken } from "../../oauth2/placement.ts";
import { print } from "./print.ts";

const TOKEN = "hush & hush";
const place = (mode: unknown, request: Places, verb = "post") =>
  placeToken(request, { mode, verb, paramName: "a[b]", token: TOKEN });
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
  });
});

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

for (const mode of ["", "Body", "header", undefined, null, 5, {}]) {
  Deno.test(`placeToken knows no mode ${JSON.stringify(mode)}`, () => {
    assertThrows(() => place(mode, {}), TypeError, "invalid :mode option of");
  });
}
