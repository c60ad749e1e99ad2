/** Values of the `fetch` option that change the request. */
import { assert, assertEquals } from "@std/assert";
import type { Fetch } from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { createClient, loggerTo, oauth2Error } from "../_client.ts";
import { print } from "../_print.ts";

const TOKEN = "monkey123";

/** Changes of `init`, whose headers are a plain object. */
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

/** Creates a client whose fetch changes `init`, and records headers and log. */
function recording(
  change: (init: RequestInit) => void,
  ...answers: Response[]
) {
  const log: string[] = [];
  const given: Headers[] = [];
  const fetch: Fetch = (_, init) => {
    given.push(new Headers(init.headers));
    change(init);
    return Promise.resolve(answers.shift() ?? new Response());
  };
  const client = createClient({ fetch, debug: true, logger: loggerTo(log) });
  return { client, log, given };
}

for (const [effect, change] of Object.entries(CHANGES)) {
  Deno.test(`errors redact the token with a fetch that ${effect}`, async () => {
    const { client, log } = recording(
      change,
      Response.json(
        { error: "invalid_token", error_description: `${TOKEN} has expired` },
        { status: 401 },
      ),
    );
    const token = tokenOf(client, { access_token: TOKEN });
    const error = await oauth2Error(token.get("/from"));
    assertEquals(error.description, "[FILTERED] has expired");
    const shown = [print(error), ...log].join("\n");
    assert(!shown.includes(TOKEN), shown);
  });

  Deno.test(`errors redact headers and body with a fetch that ${effect}`, async () => {
    const { client, log } = recording(
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

  Deno.test(`errors redact the credentials of the client with a fetch that ${effect}`, async () => {
    const credentials = btoa("abc:hush-hush");
    const { client, log } = recording(
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
    Deno.test(`token.${name} sends the token after a redirect with a fetch that ${effect}`, async () => {
      const { client, given } = recording(
        change,
        new Response(null, { status: 302, headers: { location: "/to" } }),
        new Response(null, { status: 307, headers: { location: "/then" } }),
      );
      await tokenOf(client, { access_token: TOKEN })[name](
        "/from",
      );
      assertEquals(
        given.map((headers) => headers.get("authorization")),
        Array(3).fill(`Bearer ${TOKEN}`),
      );
    });
  }

  Deno.test(`getToken sends the same headers again with a fetch that ${effect}`, async () => {
    const { client, given } = recording(
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
