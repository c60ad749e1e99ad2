import { assertEquals, assertThrows } from "@std/assert";
import {
  authenticate,
  type AuthScheme,
} from "../../../oauth2/core/client_auth.ts";
import { resolveOptions } from "../../../oauth2/core/client_options.ts";
import type { HeaderFields } from "../../../oauth2/core/headers.ts";

interface Identity {
  readonly id?: string | null | undefined;
  readonly secret?: string | null | undefined;
  readonly basicAuthEncoding?: "form" | "raw";
}

/** Adds the credentials of a client `abc` with the secret `hush-hush`. */
function authenticateAs(
  scheme: string,
  identity: Identity,
  params: Map<string, unknown>,
  headers: HeaderFields,
): void {
  const { id, secret, ...options } = {
    id: "abc",
    secret: "hush-hush",
    ...identity,
  };
  const authScheme = scheme as AuthScheme;
  const settings = resolveOptions(id, secret, { ...options, authScheme });
  authenticate(settings, params, headers, () => "https://x.example");
}

for (
  const scheme of ["", "BASIC_AUTH", "constructor", "__proto__", "toString"]
) {
  Deno.test(`authenticate refuses the authScheme "${scheme}"`, () => {
    const error = assertThrows(
      () => authenticateAs(scheme, {}, new Map(), {}),
      DOMException,
    );
    assertEquals((error as DOMException).name, "NotSupportedError");
  });
}

for (
  const [scheme, identity, given, sent, credentials] of [
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
    ["basic_auth", { id: null }, {}, {}, ":hush-hush"],
    [
      "basic_auth",
      { basicAuthEncoding: "raw", secret: "ação:%+" },
      {},
      {},
      "abc:ação:%+",
    ],
    ["basic_auth", {}, { client_id: "x" }, { client_id: "x" }, "abc:hush-hush"],
    ["basic_auth", { secret: null }, {}, { client_id: "abc" }, undefined],
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
      client_assertion_type:
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }, undefined],
    [
      "private_key_jwt",
      {},
      {
        client_assertion: "a.b.c",
        client_assertion_type: "x",
      },
      { client_assertion: "a.b.c", client_assertion_type: "x" },
      undefined,
    ],
  ] as [
    string,
    Identity,
    Record<string, unknown>,
    Record<string, unknown>,
    string | undefined,
  ][]
) {
  const shown = JSON.stringify({ ...identity, ...given });
  Deno.test(`${scheme} with ${shown} sends ${credentials ?? JSON.stringify(sent)}`, () => {
    const params = new Map(Object.entries(given));
    const headers: HeaderFields = {};
    authenticateAs(scheme, identity, params, headers);
    assertEquals(Object.fromEntries(params), sent);
    const bytes = new TextEncoder().encode(credentials);
    assertEquals(
      headers,
      credentials === undefined
        ? {}
        : { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` },
    );
  });
}

Deno.test("basic_auth keeps the Authorization of the caller", () => {
  const headers = { authorization: "Bearer mine" };
  const params = new Map();
  authenticateAs("basic_auth", {}, params, headers);
  assertEquals(headers, { authorization: "Bearer mine" });
  assertEquals(params.size, 0);
});

Deno.test("authenticate reads the audience only for an assertion", async () => {
  const calls: string[] = [];
  for (const authScheme of ["basic_auth", "client_secret_jwt"] as const) {
    const settings = resolveOptions("abc", "hush-hush", { authScheme });
    const params = new Map<string, unknown>();
    authenticate(settings, params, {}, () => {
      calls.push(authScheme);
      return "https://x.example";
    });
    await params.get("client_assertion");
  }
  assertEquals(calls, ["client_secret_jwt"]);
});
