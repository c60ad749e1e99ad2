/** Settings that one client has for itself: snaky, parsers, labels and names of secrets. */
import { assert, assertEquals } from "@std/assert";
import {
  AccessToken,
  Client,
  config,
  OAuth2Response,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import { print } from "../print.ts";
import {
  asked,
  assertHidden,
  clientTest,
  json,
  oauth2Error,
  SITE,
  visited,
} from "../testing.ts";

clientTest(
  "snaky false of the client holds for all its calls, and a call may say otherwise",
  [
    visited(json({ userName: "ana" })),
    visited(json({ userName: "ana" })),
    visited(json({ userName: "ana" })),
    asked(json({ accessToken: "ape", userName: "ana" })),
    asked(json({ accessToken: "ape", userName: "ana" })),
  ],
  async ({ client }) => {
    const parsed = async (options = {}) =>
      (await client.request("get", "/from", options)).parsed;
    assertEquals(await parsed(), { userName: "ana" });
    assertEquals(await parsed({ snaky: true }), { user_name: "ana" });
    assertEquals(await parsed({ snaky: undefined }), { userName: "ana" });
    const token = await client.getToken();
    assertEquals([token.token, token.params], ["ape", { userName: "ana" }]);
    const other = await client.getToken({ snaky: true });
    assertEquals([other.token, other.params], ["ape", { user_name: "ana" }]);
  },
  { snaky: false },
);

clientTest(
  "snaky false of a call holds where the client says true",
  [visited(json({ userName: "ana" }))],
  async ({ client }) => {
    const options = { snaky: false };
    const { parsed } = await client.request("get", "/from", options);
    assertEquals(parsed, { userName: "ana" });
  },
  { snaky: true },
);

const csv = (body: string) => body.trim().split("\n");
const ofCsv = {
  status: 200,
  headers: { "content-type": "Text/CSV; charset=utf-8" },
  body: "a\nb\n",
};
clientTest(
  "parsers of a client read their media types and are found by their names",
  [
    visited(ofCsv),
    visited({ status: 200, body: "a\nb" }),
    visited(json({ aB: 1 })),
  ],
  async ({ client }) => {
    const parsed = async (options = {}) =>
      (await client.request("get", "/from", options)).parsed;
    assertEquals(await parsed(), ["a", "b"]);
    assertEquals(await parsed({ parse: "lines" }), ["a", "b"]);
    assertEquals(await parsed(), { a_b: 1 });
  },
  { parsers: { "text/csv": csv, lines: csv } },
);

clientTest(
  "parsers of one client are unknown to another",
  [visited(ofCsv)],
  async ({ client }) => {
    new Client("abc", "hush-hush", { parsers: { "text/csv": csv } });
    const { parsed } = await client.request("get", "/from");
    assertEquals(parsed, ofCsv.body);
  },
);

Deno.test("parsers of a client win over those of the process", async () => {
  OAuth2Response.registerParser("of-settings", ["text/of-settings"], () => 1);
  const client = new Client("abc", "hush-hush", {
    site: SITE,
    parsers: { "text/of-settings": () => 2 },
    fetch: () =>
      Promise.resolve(
        new Response("a", { headers: { "content-type": "text/of-settings" } }),
      ),
  });
  assertEquals((await client.request("get", "/from")).parsed, 2);
});

clientTest(
  "parsers of a client read tokens",
  [asked({
    status: 200,
    headers: { "content-type": "text/x-token" },
    body: "ape",
  })],
  async ({ client }) => {
    assertEquals((await client.getToken()).token, "ape");
  },
  { parsers: { "text/x-token": (access_token) => ({ access_token }) } },
);

clientTest(
  "config of a client sets the label of its messages, log and prints, and no other's",
  [visited(json({ error_description: "not monkey123" }, 400))],
  async ({ client, log }) => {
    const token = tokenOf(client, { access_token: "monkey123" });
    const error = await oauth2Error(token.get("/from"));
    assertEquals(error.description, "not [GONE]");
    assert(log.join().includes("[GONE]"), log.join());
    for (const thing of [client, token, error.response]) {
      const shown = print(thing);
      assert(!shown.includes("[FILTERED]"), shown);
    }
    assert(print(client).includes("[GONE]"), print(client));
    assert(print(new Client("abc", "hush-hush")).includes("[FILTERED]"));
    assertEquals(config.filteredLabel, "[FILTERED]");
  },
  { debug: true, config: { filteredLabel: "[GONE]" } },
);

clientTest(
  "filteredDebugKeys of a client take the place of those of the process",
  [visited({ status: 204 }, { query: { cpf: "1234", username: "5678" } })],
  async ({ client, log }) => {
    const params = { cpf: "1234", username: "5678" };
    await client.request("get", "/from", { params });
    const text = log.join();
    assert(!text.includes("1234") && text.includes("5678"), text);
  },
  { debug: true, config: { filteredDebugKeys: ["cpf"] } },
);

for (const silence of [true, false]) {
  clientTest(
    `silenceExtraTokensWarning ${silence} of a client holds for its tokens`,
    [asked(json({ access_token: "ape", token: "monkey" }))],
    async ({ client, log }) => {
      await client.getToken();
      AccessToken.fromHash(client, { access_token: "ape", token: "monkey" });
      assertEquals(log.length, silence ? 0 : 2);
    },
    { config: { silenceExtraTokensWarning: silence } },
  );
  clientTest(
    `silenceNoTokensWarning ${silence} of a client holds for its tokens`,
    [],
    ({ client, log }) => {
      new AccessToken(client, "");
      assertEquals(log.length, silence ? 0 : 1);
    },
    { raiseErrors: false, config: { silenceNoTokensWarning: silence } },
  );
}

{
  const parsers: Record<string, (body: string) => unknown> = {
    "text/csv": csv,
  };
  const settings = { filteredLabel: "[GONE]", filteredDebugKeys: ["cpf"] };
  clientTest(
    "settings of a client that change after it was made have no effect",
    [visited(ofCsv), visited({ status: 204 }, { query: { cpf: "1234" } })],
    async ({ client, log }) => {
      parsers["text/csv"] = () => "changed";
      settings.filteredDebugKeys.length = 0;
      settings.filteredLabel = "[CHANGED]";
      const { parsed } = await client.request("get", "/from");
      assertEquals(parsed, ["a", "b"]);
      await client.request("get", "/from", { params: { cpf: "1234" } });
      assert(!/1234|CHANGED/.test(log.join()), log.join());
    },
    { debug: true, parsers, config: settings },
  );
}

clientTest(
  "filteredDebugKeys of a client leave credentials and cookies in headers hidden",
  [
    visited({
      status: 200,
      headers: { "set-cookie": "session=private789", "x-note": "otter" },
    }),
    asked(json({ access_token: "ape" })),
  ],
  async ({ client, log }) => {
    const token = tokenOf(client, { access_token: "monkey123" });
    const headers = { cookie: "session=rhesus456", "x-note": "badger" };
    await token.get("/from", { headers });
    await client.getToken();
    const text = log.join("\n");
    assertHidden(text);
    assert(text.includes("otter") && text.includes("badger"), text);
  },
  { debug: true, config: { filteredDebugKeys: ["cpf"] } },
);

for (
  const name of ["Authorization", "Proxy-Authorization", "Cookie"]
) {
  for (const filteredDebugKeys of [["cpf"], []]) {
    clientTest(
      `filteredDebugKeys ${
        JSON.stringify(filteredDebugKeys)
      } of a client leave the header ${name} hidden`,
      [visited({
        status: 200,
        headers: { "set-cookie": "session=private789" },
      })],
      async ({ client, log }) => {
        const headers = { [name]: "Scheme monkey123" };
        await client.request("get", "/from", { headers });
        assertHidden(log.join("\n"));
      },
      { debug: true, config: { filteredDebugKeys } },
    );
  }
}
