/** Names that collide in snake case. */
import { assertEquals } from "@std/assert";
import { tokenOf } from "../_calls.ts";
import { clientTest } from "../_client.ts";
import { json, onResource, onToken } from "../_exchanges.ts";

for (
  const [body, parsed] of [
    // A name that is in snake case is kept.
    [{ a_b: 1, aB: 2 }, { a_b: 1, aB: 2 }],
    [{ aB: 2, a_b: 1 }, { aB: 2, a_b: 1 }],
    [{ aB: 1, "a-b": 2, a_b: 3 }, { aB: 1, "a-b": 2, a_b: 3 }],
    // Otherwise the first is converted.
    [{ aB: 1, "a-b": 2 }, { a_b: 1, "a-b": 2 }],
    [{ "a-b": 2, aB: 1 }, { a_b: 2, aB: 1 }],
    [{ AB: 1, ab: 2, Ab: 3 }, { ab: 2, AB: 1, Ab: 3 }],
    [{ userID: 1, userId: 2 }, { user_id: 1, userId: 2 }],
    // In nested objects too.
    [{ x: [{ aB: 1, a_b: 2 }] }, { x: [{ aB: 1, a_b: 2 }] }],
    [{ xY: { aB: 1, "A-B": 2 } }, { x_y: { a_b: 1, "A-B": 2 } }],
    [{ aB: null, a_b: null }, { aB: null, a_b: null }],
  ]
) {
  clientTest(
    `parsed is ${JSON.stringify(parsed)} for ${JSON.stringify(body)}`,
    [onResource(json(body))],
    async ({ client }) => {
      const response = await client.request("get", "/from", { snaky: true });
      assertEquals<unknown>(response.parsed, parsed);
    },
  );
}

clientTest(
  "parsed keeps inherited names as data",
  [onResource({
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"__proto__":{"a":1},"constructor":2,"toString":3,"to_string":4}',
  })],
  async ({ client }) => {
    const { parsed } = await client.request("get", "/from", { snaky: true });
    assertEquals(Object.entries(parsed as object).sort(), [
      ["_proto_", { a: 1 }],
      ["constructor", 2],
      ["toString", 3],
      ["to_string", 4],
    ]);
  },
);

clientTest(
  "getToken keeps both fields that collide",
  [onToken(
    json({ access_token: "snake", accessToken: "camel", aB: 1, a_b: 2 }),
  )],
  async ({ client }) => {
    const token = await client.getToken();
    assertEquals(token.token, "snake");
    assertEquals([token.params.aB, token.params.a_b], [1, 2]);
  },
);

const RAW = { userId: 1, scores: { "Ana Sá": 1, "ana-sá": 2, "a::b": 3 } };

clientTest(
  "parsed of a resource is what the server sent",
  [onResource(json(RAW)), onResource(json(RAW)), onResource(json(RAW))],
  async ({ client }) => {
    const token = tokenOf(client);
    for (
      const { parsed } of [
        await client.request("get", "/from"),
        await token.get("/from"),
        await client.get("/from"),
      ]
    ) assertEquals(parsed, RAW);
  },
);

clientTest(
  "parsed of a resource is in snake case with snaky of the client",
  [onResource(json({ userId: 1 }))],
  async ({ client }) => {
    const { parsed } = await client.request("get", "/from");
    assertEquals(parsed, { user_id: 1 });
  },
  { snaky: true },
);

clientTest(
  "a token response is in snake case, unless snaky of the client is false",
  [onToken(json({ accessToken: "m", userId: 1 }))],
  async ({ client }) => {
    const { token, params } = await client.getToken();
    assertEquals([token, params], ["m", { user_id: 1 }]);
  },
);

clientTest(
  "a token response has the names of the server with snaky: false",
  [onToken(json({ accessToken: "m", userId: 1 }))],
  async ({ client }) => {
    const { token, params } = await client.getToken();
    assertEquals([token, params], ["m", { userId: 1 }]);
  },
  { snaky: false },
);
