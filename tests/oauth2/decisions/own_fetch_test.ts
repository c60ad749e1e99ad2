/** Functions of the caller's that change the request they are given to send. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken, Client, type Fetch } from "../../../oauth2/mod.ts";
import { print } from "../print.ts";
import { oauth2Error, SITE } from "../testing.ts";

const TOKEN = "monkey123";

/** Changes of `init`, whose headers were a plain object. */
const CHANGES: Readonly<Record<string, (init: RequestInit) => void>> = {
  "deletes the Authorization": (init) => {
    delete (init.headers as Record<string, string>).authorization;
  },
  "replaces the Authorization": (init) => {
    (init.headers as Record<string, string>).authorization = "Bearer other";
  },
  "deletes all headers": (init) => {
    const headers = init.headers as Record<string, string>;
    for (const name of Object.keys(headers)) delete headers[name];
  },
  "deletes headers and body from init": (init) => {
    delete init.headers;
    delete init.body;
  },
};

/** A client with a fetch that changes `init`, its log, and the headers that were given to fetch. */
function world(change: (init: RequestInit) => void, ...answers: Response[]) {
  const log: string[] = [];
  const given: Headers[] = [];
  const fetch: Fetch = (_, init) => {
    given.push(new Headers(init.headers));
    change(init);
    return Promise.resolve(answers.shift() ?? new Response());
  };
  const write = (line: string) => void log.push(line);
  const client = new Client("abc", "hush-hush", {
    site: SITE,
    fetch,
    debug: true,
    logger: { debug: write, warn: write },
  });
  return { client, log, given };
}

for (const [what, change] of Object.entries(CHANGES)) {
  Deno.test(`a fetch that ${what} does not disable the redaction of a token`, async () => {
    const { client, log } = world(
      change,
      Response.json(
        { error: "invalid_token", error_description: `${TOKEN} has expired` },
        { status: 401 },
      ),
    );
    const token = AccessToken.fromHash(client, { access_token: TOKEN });
    const error = await oauth2Error(token.get("/from"));
    assertEquals(error.description, "[FILTERED] has expired");
    const shown = [print(error), ...log].join("\n");
    assert(!shown.includes(TOKEN), shown);
  });

  Deno.test(`a fetch that ${what} does not disable the redaction of a header and a body`, async () => {
    const { client, log } = world(
      change,
      new Response("bad private789, bad rhesus456", { status: 400 }),
    );
    const error = await oauth2Error(client.request("post", "/from", {
      headers: { authorization: "Basic private789", "x-api-key": "private789" },
      body: { password: "rhesus456" },
    }));
    const shown = [print(error), ...log].join("\n");
    assert(!/private789|rhesus456/.test(shown), shown);
  });

  Deno.test(`a fetch that ${what} does not disable the redaction of client credentials`, async () => {
    const credentials = btoa("abc:hush-hush");
    const { client, log } = world(
      change,
      Response.json({
        error: "invalid_client",
        error_description: `bad ${credentials}`,
      }, { status: 401 }),
    );
    const error = await oauth2Error(client.getToken());
    assertEquals(error.description, "bad [FILTERED]");
    const shown = [print(error), ...log].join("\n");
    assert(!shown.includes(credentials), shown);
  });

  for (const name of ["get", "fetch"] as const) {
    Deno.test(`token.${name} by a fetch that ${what} carries the token along a redirect of the same origin`, async () => {
      const { client, given } = world(
        change,
        new Response(null, { status: 302, headers: { location: "/to" } }),
        new Response(null, { status: 307, headers: { location: "/then" } }),
      );
      await AccessToken.fromHash(client, { access_token: TOKEN })[name](
        "/from",
      );
      assertEquals(
        given.map((headers) => headers.get("authorization")),
        Array(3).fill(`Bearer ${TOKEN}`),
      );
    });
  }

  Deno.test(`a fetch that ${what} changes no later call`, async () => {
    const { client, given } = world(
      change,
      Response.json({ access_token: "ape" }),
      Response.json({ access_token: "ape" }),
    );
    await client.getToken();
    await client.getToken();
    const [first, second] = given.map((headers) => Object.fromEntries(headers));
    assertEquals(second, first);
  });
}
