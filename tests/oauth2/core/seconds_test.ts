import { assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { parseInstant, parseSeconds } from "../../../oauth2/core/seconds.ts";

for (
  const [value, seconds] of [
    [0, 0],
    [-0, -0],
    [600.5, 600.5],
    ["600", 600],
    [" 600\n", 600],
    ["600.5", 600.5],
    ["007", 7],
    [1e308, 1e308],
    ["1".repeat(400), undefined],
    ["1e3", undefined],
    ["+5", undefined],
    ["0x10", undefined],
    [".5", undefined],
    ["5.", undefined],
    ["1,000", undefined],
    ["", undefined],
    [600n, undefined],
    [["600"], undefined],
    [undefined, undefined],
  ] as const
) {
  const shown = typeof value === "string" ? value.slice(0, 9) : value;
  Deno.test(`parseSeconds returns ${seconds} for ${inspect(shown)}`, () => {
    assertEquals(parseSeconds(value), seconds);
  });
}

for (
  const [value, seconds] of [
    [1361396829.5, 1361396829.5],
    [" 1361396829 ", 1361396829],
    ["2013-02-20T21:47:09Z", 1361396829],
    ["2013-02-20t21:47:09z", 1361396829],
    ["2013-02-20 21:47:09", 1361396829],
    ["2013-02-20T21:47:09.999Z", 1361396829],
    ["2013-02-20T19:47:09-02:00", 1361396829],
    ["2013-02-20T19:47:09-0200", 1361396829],
    ["2013-02-20 21:47:09+00", 1361396829],
    ["2013-02-20T21:47", 1361396820],
    ["2013-02-20", 1361318400],
    ["1969-12-31T23:59:59Z", -1],
    ["2013-13-20T21:47:09Z", undefined],
    ["2013-02-20T25:00:00Z", undefined],
    ["2013-02-20 garbage", undefined],
    ["20130220T214709Z", undefined],
    ["Wed, 20 Feb 2013 21:47:09 GMT", undefined],
    ["02/20/2013", undefined],
    ["-5", -5],
    [new Date(0), undefined],
  ] as const
) {
  Deno.test(`parseInstant returns ${seconds} for ${inspect(value)}`, () => {
    assertEquals(parseInstant(value), seconds);
  });
}
