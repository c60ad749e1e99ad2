import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client, type Fetch } from "../../../oauth2/mod.ts";
import { DpopKey, withDpop } from "../../../oauth2/dpop/mod.ts";
import {
  TokenManager,
  TokenManagerError,
} from "../../../oauth2/manager/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { NOW, SITE } from "../_client.ts";
import { claimsOf } from "../_jwt.ts";

Deno.test("TokenManager sends bound tokens, also from the store and after a refresh", async () => {
  let now = NOW;
  let tokens = 0;
  const seen: string[] = [];
  const fetch: Fetch = (url, init) => {
    const headers = new Headers(init.headers);
    const proof = claimsOf(headers.get("dpop")!);
    assertEquals(proof.htu, url);
    const { pathname } = new URL(url);
    const authorization = headers.get("authorization") ?? "";
    seen.push(`${pathname} ${pathname === "/me" ? authorization : ""}`.trim());
    const isKnown = proof.nonce === "n-1";
    const nonce = { "DPoP-Nonce": "n-1" };
    if (pathname === "/oauth/token") {
      return Promise.resolve(
        isKnown
          ? Response.json({
            access_token: `t${++tokens}`,
            token_type: "DPoP",
            refresh_token: `r${tokens}`,
            expires_in: 60,
          })
          : Response.json({ error: "use_dpop_nonce" }, {
            status: 400,
            headers: nonce,
          }),
      );
    }
    return Promise.resolve(
      isKnown ? Response.json({}) : new Response(null, {
        status: 401,
        headers: {
          ...nonce,
          "WWW-Authenticate": 'DPoP error="use_dpop_nonce"',
        },
      }),
    );
  };
  const key = await DpopKey.generate();
  const store = new MemoryStore();
  const start = () => {
    const client = new Client(
      "abc",
      null,
      withDpop(key, { site: SITE, fetch, clock: () => now * 1000 }),
    );
    return {
      client,
      manager: new TokenManager({ client, store, key: "maria" }),
    };
  };
  const { client, manager } = start();
  await manager.set(await client.clientCredentials.getToken());
  assert((await manager.fetch(`${SITE}/me`)).ok);
  now += 61;
  assert((await start().manager.fetch(`${SITE}/me`)).ok);
  assertEquals(seen, [
    "/oauth/token",
    "/oauth/token",
    "/me DPoP t1",
    "/me DPoP t1",
    "/oauth/token",
    "/oauth/token",
    "/me DPoP t2",
    "/me DPoP t2",
  ]);
});

const KEYS = await Promise.all([DpopKey.generate(), DpopKey.generate()]);

/** Processes with a common store, and a server that binds every token. */
function shareStore() {
  let now = NOW;
  let tokens = 0;
  const owners = new Map<string, unknown>();
  const seen: string[] = [];
  const reports: string[] = [];
  const fetch: Fetch = (url, init) => {
    const headers = new Headers(init.headers);
    const proof = headers.get("dpop");
    const { jwk } = proof === null
      ? { jwk: undefined }
      : JSON.parse(atob(proof.split(".")[0]!));
    const { pathname } = new URL(url);
    const old = headers.get("authorization")?.split(" ")[1] ??
      new URLSearchParams(String(init.body)).get("refresh_token");
    const isOwner = !old || owners.get(old) === jwk?.x;
    seen.push(`${pathname} ${isOwner}`);
    if (pathname === "/me") {
      return Promise.resolve(
        new Response(null, { status: isOwner ? 200 : 401 }),
      );
    }
    if (!isOwner) {
      const refusal = Response.json({ error: "invalid_grant" }, {
        status: 400,
      });
      return Promise.resolve(refusal);
    }
    const access_token = `t${++tokens}`;
    const refresh_token = `r${tokens}`;
    for (const one of [access_token, refresh_token]) owners.set(one, jwk?.x);
    return Promise.resolve(Response.json({
      access_token,
      refresh_token,
      token_type: jwk ? "DPoP" : "Bearer",
      expires_in: 60,
    }));
  };
  const store = new MemoryStore();
  const start = (key: DpopKey | undefined, hasGrant = false) => {
    const options = { site: SITE, fetch, clock: () => now * 1000 };
    const client = new Client(
      "abc",
      null,
      key ? withDpop(key, options) : options,
    );
    const grant = () => client.clientCredentials.getToken();
    const manager = new TokenManager({
      client,
      store,
      key: "maria",
      ...hasGrant && { grant },
      report: (error) => reports.push((error as TokenManagerError).code),
    });
    return { client, manager };
  };
  const pass = (seconds: number) => now += seconds;
  return { start, store, seen, reports, pass };
}

for (
  const [name, key] of [["another key", KEYS[1]], [
    "no key",
    undefined,
  ]] as const
) {
  for (const age of [0, 61]) {
    Deno.test(`TokenManager with ${name} leaves a bound token of ${age} seconds alone`, async () => {
      const { start, store, seen, pass } = shareStore();
      const { client, manager } = start(KEYS[0]);
      await manager.set(await client.clientCredentials.getToken());
      const record = await store.get("maria");
      pass(age);
      seen.length = 0;
      const error = await assertRejects(
        () => start(key).manager.fetch("/me"),
        TokenManagerError,
        "not bound to the key of the client",
      );
      assertEquals(error.code, "invalid_key");
      assertEquals(seen, []);
      assertEquals(await store.get("maria"), record);
      assert((await manager.fetch("/me")).ok);
      assertEquals(seen.includes("/me true"), true);
    });
  }

  Deno.test(`TokenManager with ${name} does not store a bound token`, async () => {
    const { start, store } = shareStore();
    const token = await start(KEYS[0]).client.clientCredentials.getToken();
    const error = await assertRejects(
      () => start(key).manager.set(token),
      TokenManagerError,
    );
    assertEquals(error.code, "invalid_key");
    assertEquals(await store.get("maria"), undefined);
  });

  Deno.test(`TokenManager with ${name} and a grant replaces a bound token`, async () => {
    const { start, seen, reports } = shareStore();
    const first = start(KEYS[0], true).manager;
    assert((await first.fetch("/me")).ok);
    assert((await start(key, true).manager.fetch("/me")).ok);
    assert((await first.fetch("/me")).ok);
    assertEquals(seen.filter((line) => line.endsWith("false")), []);
    assertEquals(reports, ["invalid_key"]);
  });
}

Deno.test("TokenManager with DPoP leaves the token of a client without DPoP alone", async () => {
  const { start, store, seen } = shareStore();
  const { client, manager } = start(undefined);
  await manager.set(await client.clientCredentials.getToken());
  const record = await store.get("maria");
  seen.length = 0;
  const error = await assertRejects(
    () => start(KEYS[0]).manager.fetch("/me"),
    TokenManagerError,
  );
  assertEquals(error.code, "invalid_key");
  assertEquals(seen, []);
  assertEquals(await store.get("maria"), record);
});
