/** Names in snake case: where two would be one, both are kept. */
import { assertEquals } from "@std/assert";
import { asked, clientTest, json, visited } from "../testing.ts";

for (
  const [body, parsed] of [
    // The name that is spelled so already keeps it.
    [{ a_b: 1, aB: 2 }, { a_b: 1, aB: 2 }],
    [{ aB: 2, a_b: 1 }, { aB: 2, a_b: 1 }],
    [{ aB: 1, "a-b": 2, a_b: 3 }, { aB: 1, "a-b": 2, a_b: 3 }],
    // Neither is: the first becomes it.
    [{ aB: 1, "a-b": 2 }, { a_b: 1, "a-b": 2 }],
    [{ "a-b": 2, aB: 1 }, { a_b: 2, aB: 1 }],
    [{ AB: 1, ab: 2, Ab: 3 }, { ab: 2, AB: 1, Ab: 3 }],
    [{ userID: 1, userId: 2 }, { user_id: 1, userId: 2 }],
    // Inside objects and lists too.
    [{ x: [{ aB: 1, a_b: 2 }] }, { x: [{ aB: 1, a_b: 2 }] }],
    [{ xY: { aB: 1, "A-B": 2 } }, { x_y: { a_b: 1, "A-B": 2 } }],
    [{ aB: null, a_b: null }, { aB: null, a_b: null }],
  ]
) {
  clientTest(
    `parsed of ${JSON.stringify(body)} is ${JSON.stringify(parsed)}`,
    [visited(json(body))],
    async ({ client }) => {
      const response = await client.request("get", "/from");
      assertEquals<unknown>(response.parsed, parsed);
    },
  );
}

clientTest(
  "parsed takes names of the prototype for data",
  [visited({
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"__proto__":{"a":1},"constructor":2,"toString":3,"to_string":4}',
  })],
  async ({ client }) => {
    const { parsed } = await client.request("get", "/from");
    assertEquals(Object.entries(parsed as object).sort(), [
      ["_proto_", { a: 1 }],
      ["constructor", 2],
      ["toString", 3],
      ["to_string", 4],
    ]);
  },
);

clientTest(
  "getToken keeps both of two fields that collide",
  [asked(json({ access_token: "snake", accessToken: "camel", aB: 1, a_b: 2 }))],
  async ({ client }) => {
    const token = await client.getToken();
    assertEquals(token.token, "snake");
    assertEquals([token.params.aB, token.params.a_b], [1, 2]);
  },
);
