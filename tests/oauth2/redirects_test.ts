import { assert, assertEquals } from "@std/assert";
import { AccessToken } from "../../oauth2/mod.ts";
import { print } from "./print.ts";
import { clientTest, oauth2Error, redirect, SITE, visited } from "./testing.ts";

const TOKEN = "monkey123monkey";
const tokenOf = (world: { client: AccessToken["client"] }) =>
  AccessToken.fromHash(world.client, { access_token: TOKEN });

for (
  const [status, method] of [
    [307, "POST"],
    [308, "POST"],
    [301, "PUT"],
    [302, "PATCH"],
  ] as const
) {
  clientTest(
    `follow refuses a ${status} to a ${method} whose body is a stream`,
    [visited(redirect("/to", status), { method })],
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
    `follow leaves a body that is a stream behind after a ${status}`,
    [
      visited(redirect("/to", status), { method: "POST" }),
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
    `follow takes no user from a Location with ${user}@`,
    [
      visited(redirect(`https://${user}@api.example.com/to`)),
      {
        expect: { headers: { authorization: `Bearer ${TOKEN}` } },
        respond: { status: 204 },
      },
    ],
    async (world) => {
      const { url } = await tokenOf(world).get("/from");
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
      `follow does not show the token of the refused ${location}, cross-origin ${
        allowCrossOriginRedirects ? "allowed" : "refused"
      }`,
      [visited(redirect(location))],
      async (world) => {
        const error = await oauth2Error(tokenOf(world).get("/from"));
        const shown = [print(error), ...world.log].join("\n");
        assert(!shown.includes(TOKEN), shown);
      },
      { allowCrossOriginRedirects, debug: true },
    );
  }
}

clientTest(
  "follow does not show what the first request held, in lines about the next",
  [
    visited(redirect("/to?note=hush-hush+1&other=hush-hush+2"), {
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
  "follow ends a circle after maxRedirects",
  Array.from({ length: 4 }, () => visited(redirect("/from"))),
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
    `follow takes no secret of capitals to ${location}, which URLs write small in hosts`,
    [visited(redirect(location))],
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
  "follow checks each hop anew",
  [
    visited(redirect("/a")),
    { expect: { url: `${SITE}/a` }, respond: redirect("./b?c=d#e") },
    {
      expect: { url: `${SITE}/b`, query: { c: "d" } },
      respond: redirect("http://api.example.com/"),
    },
  ],
  async (world) => {
    const error = await oauth2Error(tokenOf(world).get("/from"));
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
    `follow names ${origin} when it refuses to follow there`,
    [visited(redirect(location))],
    async (world) => {
      const { message } = await oauth2Error(tokenOf(world).get("/from"));
      assert(message.includes(origin), message);
    },
  );
}
