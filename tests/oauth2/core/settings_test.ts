/** Settings of one client: snaky, parsers and config. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken, config } from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, createClient, oauth2Error } from "../_client.ts";
import { json, onResource, onToken } from "../_exchanges.ts";
import { print } from "../_print.ts";
import { assertHidden } from "../_secrets.ts";

clientTest(
  "snaky false of the client keeps names, and a call overrides it",
  [
    onResource(json({ userName: "ana" })),
    onResource(json({ userName: "ana" })),
    onResource(json({ userName: "ana" })),
    onToken(json({ accessToken: "ape", userName: "ana" })),
    onToken(json({ accessToken: "ape", userName: "ana" })),
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

const csv = (body: string) => body.trim().split("\n");

const CSV = {
  status: 200,
  headers: { "content-type": "Text/CSV; charset=utf-8" },
  body: "a\nb\n",
};

clientTest(
  "parsers of a client read their media types and have names for parse",
  [
    onResource(CSV),
    onResource({ status: 200, body: "a\nb" }),
    onResource(json({ aB: 1 })),
  ],
  async ({ client }) => {
    const parsed = async (options = {}) =>
      (await client.request("get", "/from", options)).parsed;
    assertEquals(await parsed(), ["a", "b"]);
    assertEquals(await parsed({ parse: "lines" }), ["a", "b"]);
    assertEquals(await parsed(), { aB: 1 });
  },
  { parsers: { "text/csv": csv, lines: csv } },
);

clientTest(
  "parsers of one client do not affect another",
  [onResource(CSV)],
  async ({ client }) => {
    createClient({ parsers: { "text/csv": csv } });
    const { parsed } = await client.request("get", "/from");
    assertEquals(parsed, CSV.body);
  },
);

clientTest(
  "parsers of a client read token responses",
  [onToken({
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
  "config of a client sets the label of its messages and log, and no other's",
  [onResource(json({ error_description: "not monkey123" }, 400))],
  async ({ client, log }) => {
    const token = tokenOf(client, { access_token: "monkey123" });
    const error = await oauth2Error(token.get("/from"));
    assertEquals(error.description, "not [GONE]");
    assert(log.join().includes("[GONE]"), log.join());
    for (const value of [client, token, error.response]) {
      const shown = print(value);
      assert(!shown.includes("[FILTERED]"), shown);
    }
    assert(print(client).includes("[GONE]"), print(client));
    assert(print(createClient()).includes("[FILTERED]"));
    assertEquals(config.filteredLabel, "[FILTERED]");
  },
  { debug: true, config: { filteredLabel: "[GONE]" } },
);

clientTest(
  "filteredDebugKeys of a client replace those of the process",
  [onResource({ status: 204 }, { query: { cpf: "1234", username: "5678" } })],
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
    `silenceExtraTokensWarning ${silence} of a client ${
      silence ? "silences" : "enables"
    } its warnings`,
    [onToken(json({ access_token: "ape", token: "monkey" }))],
    async ({ client, log }) => {
      await client.getToken();
      AccessToken.fromHash(client, { access_token: "ape", token: "monkey" });
      assertEquals(log.length, silence ? 0 : 2);
    },
    { config: { silenceExtraTokensWarning: silence } },
  );
  clientTest(
    `silenceNoTokensWarning ${silence} of a client ${
      silence ? "silences" : "enables"
    } its warnings`,
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
    "Client copies its parsers and config",
    [
      onResource(CSV),
      onResource({ status: 204 }, { query: { cpf: "1234" } }),
    ],
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
  "filteredDebugKeys of a client still redact credentials and cookies in headers",
  [
    onResource({
      status: 200,
      headers: { "set-cookie": "session=private789", "x-note": "otter" },
    }),
    onToken(json({ access_token: "ape" })),
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
