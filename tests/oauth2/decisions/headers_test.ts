/** Headers of query mode, repeated headers and invalid headers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { HeaderSource, Mode } from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest } from "../_client.ts";
import { onResource } from "../_exchanges.ts";

for (
  const [mode, verb, sent] of [
    ["query", "get", "no-store"],
    ["query", "post", "no-store"],
    [{ get: "query" }, "get", "no-store"],
    [{ get: "query" }, "post", null],
    [() => "query", "delete", "no-store"],
    ["header", "get", null],
    ["body", "post", null],
  ] as [Mode, string, string | null][]
) {
  clientTest(
    `token.request ${verb} with mode ${
      JSON.stringify(mode) ?? "a function"
    } sends ${sent ? `Cache-Control: ${sent}` : "no Cache-Control"}`,
    [{
      expect: { headers: { "cache-control": sent } },
      respond: { status: 204 },
    }],
    ({ client }) => tokenOf(client, { mode }).request(verb, "/from"),
  );
}

for (const place of ["the call", "connectionOpts"]) {
  const headers = { "cache-control": "max-age=0" };
  const isCall = place === "the call";
  clientTest(
    `token.get in query mode keeps the Cache-Control of ${place}`,
    [{ expect: { headers }, respond: { status: 204 } }],
    ({ client }) =>
      tokenOf(client, { mode: "query" })
        .get("/from", isCall ? { headers } : {}),
    isCall ? {} : { connectionOpts: { headers } },
  );
}

for (
  const [kind, headers, sent] of [
    ["pairs with a repeated name", [["x-a", "1"], ["x-b", "2"], ["X-A", "3"]], {
      "x-a": "1, 3",
      "x-b": "2",
    }],
    ["pairs with a name three times", [["x-a", "1"], ["x-a", "2"], [
      "x-a",
      "3",
    ]], {
      "x-a": "1, 2, 3",
    }],
    [
      "Headers with a repeated name",
      new Headers([["x-a", "1"], ["x-a", "2"]]),
      {
        "x-a": "1, 2",
      },
    ],
    ["an object", { "x-a": "1" }, { "x-a": "1" }],
  ] as [string, HeaderSource, Record<string, string>][]
) {
  clientTest(
    `request and getToken send all values of ${kind}`,
    [
      onResource({ status: 204 }, { headers: sent }),
      { expect: { headers: sent }, respond: { status: 400 } },
    ],
    async ({ client }) => {
      await client.request("get", "/from", { headers });
      await client.getToken({ headers, raiseErrors: false });
    },
  );
  clientTest(
    `connectionOpts keep all values of ${kind}`,
    [onResource({ status: 204 }, { headers: sent })],
    ({ client }) => client.request("get", "/from"),
    { connectionOpts: { headers } },
  );
}

clientTest(
  "headers of a call replace those of connectionOpts with the same name",
  [onResource({ status: 204 }, {
    headers: { "x-a": "3, 4", "x-b": "of the client" },
  })],
  async ({ client, fetch }) => {
    await client.request("get", "/from", {
      headers: [["x-a", "3"], ["X-A", "4"]],
    });
    assertEquals(fetch.requests.length, 1);
  },
  {
    connectionOpts: {
      headers: [["x-a", "1"], ["x-a", "2"], ["x-b", "of the client"]],
    },
  },
);

for (const value of ["hush\nhush", "hush€", "hush\0"]) {
  clientTest(
    `request and getToken refuse the header ${
      JSON.stringify(value)
    } and show only its name`,
    [],
    async ({ client }) => {
      const headers = { "x-otter": value };
      for (
        const call of [
          () => client.request("get", "/from", { headers }),
          () => client.getToken({ headers }),
        ]
      ) {
        const { message } = await assertRejects(call, TypeError) as Error;
        assert(message.includes("x-otter"), message);
        assert(!message.includes("hush"), message);
      }
    },
  );
}
