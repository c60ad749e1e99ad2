import { assert, assertEquals, assertThrows } from "@std/assert";
import { mergeHeaders } from "../../oauth2/headers.ts";
import { print } from "./print.ts";

Deno.test("mergeHeaders lets later headers win in any letter case", () => {
  const merged = mergeHeaders(
    { Accept: "a", "X-A": "1" },
    undefined,
    new Headers({ accept: "b" }),
    [["ACCEPT", "c"], ["x-b", "2"]],
  );
  assertEquals([...merged], [["accept", "c"], ["x-a", "1"], ["x-b", "2"]]);
});

Deno.test("mergeHeaders leaves out what is undefined or null", () => {
  const headers = { "x-a": undefined, "x-b": null, "x-c": "" };
  const merged = mergeHeaders({ "x-a": "1" }, headers as never);
  assertEquals([...merged], [["x-a", "1"], ["x-c", ""]]);
});

Deno.test("mergeHeaders takes any pairs that fetch takes", () => {
  const headers = new Map([["x-a", "1"]]) as unknown as HeadersInit;
  assertEquals([...mergeHeaders(headers)], [...new Headers(headers)]);
});

for (
  const [what, headers] of [
    ["a line break", { "x-a": "hush\nhush" }],
    ["a carriage return", { "x-a": "hush\rhush" }],
    // Deno itself would send an empty header.
    ["a carriage return at its end", { "x-a": "hush\rhush\r" }],
    ["a NUL", { "x-a": "hush\0hush" }],
    ["what is no byte", { "x-a": "hush€" }],
    ["a bad name", { "x hush": "1" }],
    ["no name", { "": "hush" }],
  ] as const
) {
  Deno.test(`mergeHeaders refuses ${what} and does not show it`, () => {
    const error = assertThrows(() => mergeHeaders(headers), TypeError);
    assert(!print(error).includes("hush"), print(error));
  });
}
