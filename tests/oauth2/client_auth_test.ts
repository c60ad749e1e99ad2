import { assertEquals, assertThrows } from "@std/assert";
import {
  type ClientIdentity,
  findAuthMethod,
} from "../../oauth2/client_auth.ts";

const CLIENT: ClientIdentity = {
  id: "abc",
  secret: "hush-hush",
  basicAuthEncoding: "form",
  audience: () => "https://x.example",
  clock: () => 0,
};

for (
  const scheme of ["", "BASIC_AUTH", "constructor", "__proto__", "toString"]
) {
  Deno.test(`findAuthMethod knows no "${scheme}"`, () => {
    const error = assertThrows(() => findAuthMethod(scheme), DOMException);
    assertEquals((error as DOMException).name, "NotSupportedError");
  });
}

for (
  const [scheme, identity, given, sent, authorization] of [
    [
      "basic_auth",
      { id: "ação:%+" },
      {},
      {},
      "a%C3%A7%C3%A3o%3A%25%2B:hush-hush",
    ],
    [
      "basic_auth",
      { secret: "ação:%+" },
      {},
      {},
      "abc:a%C3%A7%C3%A3o%3A%25%2B",
    ],
    ["basic_auth", { secret: "~*' \n" }, {}, {}, "abc:%7E*%27+%0A"],
    ["basic_auth", { secret: "\ud800" }, {}, {}, "abc:%EF%BF%BD"],
    ["basic_auth", { secret: "" }, {}, {}, "abc:"],
    ["basic_auth", { id: undefined }, {}, {}, ":hush-hush"],
    ["basic_auth", {}, { client_id: "x" }, { client_id: "x" }, "abc:hush-hush"],
    ["basic_auth", { secret: undefined }, {}, { client_id: "abc" }, undefined],
    ["request_body", { secret: "" }, {}, {
      client_id: "abc",
      client_secret: "",
    }, undefined],
    ["request_body", {}, { client_id: "" }, {
      client_id: "",
      client_secret: "hush-hush",
    }, undefined],
    ["tls_client_auth", {}, { client_id: "x" }, { client_id: "x" }, undefined],
    ["private_key_jwt", {}, { client_assertion: "a.b.c" }, {
      client_assertion: "a.b.c",
    }, undefined],
  ] as [
    string,
    Partial<ClientIdentity>,
    Record<string, unknown>,
    Record<string, unknown>,
    string | undefined,
  ][]
) {
  const shown = JSON.stringify({ ...identity, ...given });
  Deno.test(`${scheme} of ${shown} sends ${authorization ?? JSON.stringify(sent)}`, async () => {
    const params = { ...given };
    const headers = new Headers();
    await findAuthMethod(scheme)({ ...CLIENT, ...identity }, params, headers);
    assertEquals(params, sent);
    const expected = authorization === undefined
      ? null
      : `Basic ${btoa(authorization)}`;
    assertEquals(headers.get("authorization"), expected);
  });
}

Deno.test("basic_auth leaves the caller's own Authorization alone", async () => {
  const headers = new Headers({ Authorization: "Bearer mine" });
  const params = {};
  await findAuthMethod("basic_auth")(CLIENT, params, headers);
  assertEquals([...headers], [["authorization", "Bearer mine"]]);
  assertEquals(params, {});
});
