import { assertEquals, assertThrows } from "@std/assert";
import {
  checkResources,
  missingResources,
} from "../../../oauth2/server/resource_indicators.ts";

Deno.test("checkResources returns a list of absolute URIs", () => {
  assertEquals(checkResources("urn:api"), ["urn:api"]);
  assertEquals(
    checkResources([new URL("https://a.example"), "https://b.example/x?y=z"]),
    ["https://a.example/", "https://b.example/x?y=z"],
  );
});

for (
  const resource of [
    "",
    "api",
    "/api",
    "//host",
    "https://a.example#",
    "https://a.example/#x",
  ]
) {
  Deno.test(`checkResources refuses "${resource}"`, () => {
    assertThrows(
      () => checkResources(resource),
      TypeError,
      "must be an absolute URI without fragment",
    );
  });
}

const AUDIENCES: [unknown, string[]][] = [
  [undefined, ["https://a.example", "urn:b"]],
  [null, ["https://a.example", "urn:b"]],
  ["https://a.example", ["urn:b"]],
  ["https://a.example/", ["urn:b"]],
  ["https://a.example/x", ["https://a.example", "urn:b"]],
  [["urn:b", "https://a.example"], []],
  [[{ "urn:b": 1 }, 1, null], ["https://a.example", "urn:b"]],
  [{ 0: "urn:b" }, ["https://a.example", "urn:b"]],
];

for (const [aud, missing] of AUDIENCES) {
  Deno.test(`missingResources compares with ${JSON.stringify(aud)}`, () => {
    assertEquals(
      missingResources(["https://a.example", "urn:b"], { aud }),
      missing,
    );
  });
}
