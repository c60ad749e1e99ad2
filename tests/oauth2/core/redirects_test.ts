import { assert, assertEquals } from "@std/assert";
import { AccessToken } from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, oauth2Error, SITE } from "../_client.ts";
import { onResource, redirect } from "../_exchanges.ts";
import { print } from "../_print.ts";

const TOKEN = "monkey123monkey";
const FIELDS = { access_token: TOKEN };

for (
  const [status, method] of [
    [307, "POST"],
    [308, "POST"],
    [301, "PUT"],
    [302, "PATCH"],
  ] as const
) {
  clientTest(
    `follow refuses a ${status} of a ${method} whose body is a stream`,
    [onResource(redirect("/to", status), { method })],
    async ({ client }) => {
      const body = new Blob(["streamed"]).stream();
      const error = await oauth2Error(
        client.request(method, "/from", { body }),
      );
      assertEquals(error.status, status);
      assert(error.message.includes("stream"), error.message);
    },
  );
}

for (const status of [301, 302, 303]) {
  clientTest(
    `follow sends no body after a ${status} of a stream`,
    [
      onResource(redirect("/to", status), { method: "POST" }),
      {
        expect: { method: "GET", url: `${SITE}/to`, body: null },
        respond: { status: 204 },
      },
    ],
    async ({ client }) => {
      const body = new Blob(["streamed"]).stream();
      const { status } = await client.request("post", "/from", { body });
      assertEquals(status, 204);
    },
  );
}

for (const user of ["ana", "ana:hush-hush", ":hush-hush"]) {
  clientTest(
    `follow ignores ${user}@ in a Location`,
    [
      onResource(redirect(`https://${user}@api.example.com/to`)),
      {
        expect: { headers: { authorization: `Bearer ${TOKEN}` } },
        respond: { status: 204 },
      },
    ],
    async ({ client }) => {
      const { url } = await tokenOf(client, FIELDS).get("/from");
      assertEquals(url, `${SITE}/to`);
    },
  );
}

for (
  const location of [
    `https://${TOKEN}.attacker.example/`,
    `${TOKEN}:x`,
    `http://${TOKEN}.example/`,
    `https://other.example/${TOKEN}`,
    `https://[${TOKEN}`,
  ]
) {
  for (const allowCrossOriginRedirects of [false, true]) {
    clientTest(
      `follow redacts the token in the refused ${location}, ${
        allowCrossOriginRedirects ? "with" : "without"
      } allowCrossOriginRedirects`,
      [onResource(redirect(location))],
      async ({ client, log }) => {
        const error = await oauth2Error(tokenOf(client, FIELDS).get("/from"));
        const shown = [print(error), ...log].join("\n");
        assert(!shown.includes(TOKEN), shown);
      },
      { allowCrossOriginRedirects, debug: true },
    );
  }
}

clientTest(
  "follow redacts the secrets of the first request in the log of the next",
  [
    onResource(redirect("/to?note=hush-hush+1&other=hush-hush+2"), {
      method: "POST",
    }),
    { respond: { status: 200, body: "note=hush-hush+1&other=hush-hush+2" } },
  ],
  async ({ client, log }) => {
    await client.request("post", "/from", {
      body: { password: "hush-hush 1" },
      headers: { "x-api-key": "hush-hush 2" },
    });
    assert(!log.join("\n").includes("hush-hush"), log.join("\n"));
  },
  { debug: true, secret: "another" },
);

clientTest(
  "follow stops at a redirect loop after maxRedirects",
  Array.from({ length: 4 }, () => onResource(redirect("/from"))),
  async ({ client }) => {
    assertEquals((await client.request("get", "/from")).status, 302);
  },
  { maxRedirects: 3 },
);

for (
  const location of [
    "https://Monkey123Otter.other.example/to",
    "https://other.example/Monkey123Otter",
  ]
) {
  clientTest(
    `follow refuses ${location}, which contains a token in another letter case`,
    [onResource(redirect(location))],
    async ({ client }) => {
      const hash = { access_token: "Monkey123Otter" };
      const error = await oauth2Error(
        AccessToken.fromHash(client, hash).get("/from"),
      );
      assert(!/monkey123/i.test(print(error)), print(error));
    },
    { allowCrossOriginRedirects: true },
  );
}

clientTest(
  "follow checks every redirect of a chain",
  [
    onResource(redirect("/a")),
    { expect: { url: `${SITE}/a` }, respond: redirect("./b?c=d#e") },
    {
      expect: { url: `${SITE}/b`, query: { c: "d" } },
      respond: redirect("http://api.example.com/"),
    },
  ],
  async ({ client }) => {
    const error = await oauth2Error(tokenOf(client, FIELDS).get("/from"));
    assertEquals(error.status, 302);
  },
);

for (
  const [location, origin] of [
    ["https://other.example/to?a=1", "https://other.example"],
    ["//other.example:8443/to", "https://other.example:8443"],
    ["http://api.example.com/to", "http:"],
  ] as const
) {
  clientTest(
    `follow refuses ${location} and names ${origin}`,
    [onResource(redirect(location))],
    async ({ client }) => {
      const { message } = await oauth2Error(
        tokenOf(client, FIELDS).get("/from"),
      );
      assert(message.includes(origin), message);
    },
  );
}
