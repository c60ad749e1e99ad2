import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  Flow,
  type FlowData,
  ValidationError,
} from "../../../oauth2/sign_in/mod.ts";
import { show } from "../_print.ts";

const DATA: FlowData = {
  v: 1,
  client_id: "abc",
  issuer: "https://provider.example",
  token_endpoint: "https://provider.example/token",
  state: "a-secret-state",
  code_verifier: "a-secret-verifier",
  nonce: "a-secret-nonce",
  redirect_uri: "https://app.example/callback",
  scope: "openid",
  max_age: 0,
  acr_values: "gold",
  expires_at: 1_700_000_000,
};

Deno.test("Flow survives JSON", () => {
  const flow = new Flow(JSON.parse(JSON.stringify(new Flow(DATA))));
  assertEquals(flow.toJSON(), DATA);
  assertEquals(flow.clientId, "abc");
  assertEquals(flow.issuer, "https://provider.example");
  assertEquals(flow.redirectUri, "https://app.example/callback");
  assertEquals(flow.expiresAt, 1_700_000_000);
});

Deno.test("Flow shows no secret when it is printed", () => {
  const flow = new Flow(DATA);
  for (const text of [show(flow), show({ flow }), String(flow)]) {
    assert(!text.includes("secret"), text);
  }
});

Deno.test("Flow copies its data, and drops other members", () => {
  const data = { ...DATA, other: 1 };
  const flow = new Flow(data);
  data.state = "changed";
  assertEquals(flow.toJSON(), DATA);
});

for (
  const [title, data] of [
    ["undefined", undefined],
    ["null", null],
    ["text", JSON.stringify(DATA)],
    ["a list", [DATA]],
    ["an empty object", {}],
    ["another version", { ...DATA, v: 2 }],
    ["a version as text", { ...DATA, v: "1" }],
    ["no state", { ...DATA, state: undefined }],
    ["an empty state", { ...DATA, state: "" }],
    ["a long state", { ...DATA, state: "a".repeat(4097) }],
    ["a state that is a list", { ...DATA, state: ["a"] }],
    ["a state from its prototype", { ...DATA, ["__proto__"]: 1, state: null }],
    ["no token endpoint", { ...DATA, token_endpoint: undefined }],
    ["an empty verifier", { ...DATA, code_verifier: "" }],
    ["no expiry", { ...DATA, expires_at: undefined }],
    ["an expiry that is not finite", { ...DATA, expires_at: Infinity }],
    ["an expiry as text", { ...DATA, expires_at: "1700000000" }],
    ["a negative max_age", { ...DATA, max_age: -1 }],
    ["an issuer of null", { ...DATA, issuer: null }],
  ] as const
) {
  Deno.test(`Flow refuses ${title}`, () => {
    const error = assertThrows(() => new Flow(data), ValidationError);
    assertEquals(error.code, "invalid_flow");
    assert(!error.message.includes("secret"));
  });
}

Deno.test("Flow refuses any JSON but that of a flow", () => {
  const members = fc.constantFrom(...Object.keys(DATA));
  const changed = fc.dictionary(members, fc.jsonValue())
    .map((changes) => ({ ...DATA, ...changes }));
  fc.assert(fc.property(fc.oneof(fc.jsonValue(), changed), (value) => {
    try {
      const data = new Flow(value).toJSON();
      assertEquals(new Flow(data).toJSON(), data);
      assert(typeof data.state === "string" && data.state !== "");
    } catch (error) {
      assert(error instanceof ValidationError, String(error));
    }
  }));
});
