/** Token manager with a store that fails. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TokenManagerError } from "../../../oauth2/manager/mod.ts";
import { AccessToken } from "../../../oauth2/mod.ts";
import { print } from "../_print.ts";
import { settle } from "../_settle.ts";
import {
  answer,
  FailingStore,
  manage,
  type Managed,
  refusal,
  revoked,
  TOKEN,
} from "./_managed.ts";

/** Manager with a store that can fail, and an expired token. */
async function expired(count = 2, options: Managed = {}) {
  const store = new FailingStore();
  const setup = await manage({
    store,
    ...options,
    answers: Array.from({ length: count }, (_, i) =>
      answer({
        access_token: `access-${i + 2}`,
        refresh_token: `refresh-${i + 2}`,
        expires_in: 3600,
      })),
  });
  setup.clock.now += 3600;
  return { ...setup, store };
}

const messagesOf = (errors: readonly unknown[]) =>
  errors.map((error) => (error as Error).message);

/** Fails swaps after the first one, which is the claim. */
function failSaves(store: FailingStore, when: "before" | "after"): void {
  Object.defineProperty(store.failing, "swap", {
    configurable: true,
    get: () =>
      store.calls.filter((name) => name === "swap").length > 1
        ? when
        : undefined,
  });
}

Deno.test("TokenManager uses a valid token if the store cannot be read", async () => {
  const { api, clock, store, reports } = await expired();
  clock.now -= 20;
  await api.token();
  store.failing.get = "before";
  clock.now += 5;
  assertEquals((await api.token()).token, "access-2");
  assertEquals(reports, []);
});

Deno.test("TokenManager sends no refresh token if the store cannot be read or claimed", async () => {
  for (const name of ["get", "swap"]) {
    const { api, store, sent } = await expired();
    store.failing[name] = "before";
    const error = await assertRejects(() => api.token(), TokenManagerError);
    const { code, kind, retryable } = error as TokenManagerError;
    assertEquals([code, kind, retryable], ["store_failed", "store", true]);
    assertEquals(sent, []);
    store.failing[name] = undefined;
    assertEquals((await api.token()).token, "access-2");
  }
});

Deno.test("TokenManager uses a claim whose confirmation was lost", async () => {
  const { api, store, waits } = await expired();
  store.failing.swap = "after";
  await assertRejects(() => api.token(), TokenManagerError);
  store.failing.swap = undefined;
  assertEquals((await api.token()).token, "access-2");
  assertEquals(waits, []);
});

Deno.test("TokenManager hands out a token that the store fails to save, reports it, and saves it later", async () => {
  const { api, other, store, reports, sent, clock } = await expired();
  failSaves(store, "before");
  assertEquals((await api.token()).token, "access-2");
  assertEquals(messagesOf(reports).slice(0, 1), [
    "Cannot store the token: the store failed",
  ]);
  clock.now += 2;
  assertEquals((await api.token()).token, "access-2");
  store.heal();
  clock.now += 2;
  assertEquals((await api.token()).token, "access-2");
  await settle();
  assert((await store.values.get("ana"))!.includes("refresh-2"));
  assertEquals((await other().token()).token, "access-2");
  assertEquals(sent.length, 1);
});

Deno.test("TokenManager saves a token without another call", async () => {
  const { api, store, waits } = await expired();
  failSaves(store, "before");
  await api.token();
  store.heal();
  await settle();
  assertEquals(waits.slice(-1), [1000]);
  assert((await store.values.get("ana"))!.includes("refresh-2"));
});

Deno.test("TokenManager.save saves a token, or throws", async () => {
  const { api, store } = await expired();
  failSaves(store, "before");
  await api.token();
  await assertRejects(() => api.save(), TokenManagerError, "the store failed");
  store.heal();
  await api.save();
  assert((await store.values.get("ana"))!.includes("refresh-2"));
  await api.save();
  assertEquals((await api.token()).token, "access-2");
});

Deno.test("TokenManager finds a token that was saved without confirmation", async () => {
  const { api, store, clock } = await expired();
  failSaves(store, "after");
  assertEquals((await api.token()).token, "access-2");
  clock.now += 2;
  assertEquals((await api.token()).token, "access-2");
  store.heal();
  await api.save();
  assertEquals((await api.token()).token, "access-2");
});

Deno.test("TokenManager refreshes a token that the store failed to save", async () => {
  const { api, store, clock, sent } = await expired();
  failSaves(store, "before");
  await api.token();
  clock.now += 3600;
  assertEquals((await api.token()).token, "access-3");
  assertEquals(
    new URLSearchParams(String(sent.at(-1)!.body)).get("refresh_token"),
    "refresh-2",
  );
  store.heal();
  await api.save();
  assert((await store.values.get("ana"))!.includes("refresh-3"));
});

Deno.test("TokenManager forgets and revokes an unsaved token at a login", async () => {
  const { api, client, store, sent } = await expired(2, {
    wait: () => new Promise(() => {}),
  });
  failSaves(store, "before");
  await api.token();
  store.heal();
  const login = { ...TOKEN, access_token: "new login" };
  await api.set(AccessToken.fromHash(client, login));
  await api.save();
  assertEquals((await api.token()).token, "new login");
  assertEquals(revoked(sent), ["refresh-2"]);
});

Deno.test("TokenManager with a grant needs no store", async () => {
  const store = new FailingStore();
  const setup = await manage({
    store,
    token: null,
    answers: [answer(), answer({ access_token: "third", expires_in: 60 })],
    grant: () => setup.client.clientCredentials.getToken(),
  });
  const { api, clock, reports } = setup;
  store.failing.get = "before";
  assertEquals((await api.token()).token, "second");
  assertEquals((await api.token()).token, "second");
  clock.now += 3600;
  assertEquals((await api.token()).token, "third");
  assertEquals(reports.length, 2);
});

Deno.test("TokenManager gives up on a store that refuses every swap", async () => {
  const store = new FailingStore();
  const { api, clock, waits } = await manage({ store });
  let swaps = 0;
  store.compareAndSwap = () => Promise.resolve(++swaps < 0);
  clock.now += 3600;
  await assertRejects(() => api.token(), TokenManagerError, "every swap");
  assertEquals([swaps, waits.length], [11, 9]);
});

Deno.test("TokenManager gives up on a store that does not answer", async () => {
  const store = new FailingStore();
  const { api, clock } = await manage({ store, timeout: 1 });
  store.get = () => new Promise(() => {});
  clock.now += 3600;
  const error = await assertRejects(() => api.token(), TokenManagerError);
  assertEquals((error.cause as Error).name, "TimeoutError");
});

Deno.test("TokenManager shows no secret of an error of the store", async () => {
  const { api, store } = await expired();
  store.compareAndSwap = (_, expected, value) =>
    Promise.reject(
      Object.assign(new Error(`Cannot run: SET ${value}`), {
        name: "refresh-1",
        command: [expected, value],
        code: "EIO",
      }),
    );
  const error = await assertRejects(() => api.token(), TokenManagerError);
  const shown = print(error) + print(error.cause);
  assert(!/refresh-1|first/.test(shown), shown);
  assert(shown.includes("EIO"));
});

Deno.test("TokenManager shows no value that a store fails to read, but the reason", async () => {
  const { api, store } = await expired();
  for (
    const [message, expected] of [
      ["GET failed, value at-12345678-secret", "GET failed, value [FILTERED]"],
      ['bad value {"access_token":"x"}', "bad value [FILTERED]"],
      ["abcdefghijklmnopqrstuvwxyz", "[FILTERED]"],
      ["connect ECONNREFUSED 127.0.0.1:6379", undefined],
      ["NOAUTH Authentication required.", undefined],
    ] as const
  ) {
    store.get = () =>
      Promise.reject(new Error(message, { cause: new Error(message) }));
    const { cause } = await assertRejects(() => api.token(), TokenManagerError);
    const { message: found, cause: inner } = cause as Error;
    assertEquals(found, expected ?? message);
    assertEquals((inner as Error).message, found);
  }
});

Deno.test("TokenManager survives a report that throws", async () => {
  const store = new FailingStore();
  const { api, clock } = await manage({
    store,
    answers: [answer()],
    report: () => {
      throw new Error("report");
    },
  });
  clock.now += 3600;
  failSaves(store, "before");
  assertEquals((await api.token()).token, "second");
});

for (const isSeen of [true, false]) {
  Deno.test(`TokenManager does not use a refresh token after an outage of the store that it has ${isSeen ? "seen" : "not seen"}, before another process saves its successor`, async () => {
    const { api, other, store, clock, sent } = await outage();
    let waits = 0;
    const late = other({
      wait: async (milliseconds) => {
        clock.now += milliseconds / 1000;
        // A process saves its token at most two seconds after the outage.
        if (++waits === 5) await api.save();
      },
    });
    clock.now += 100;
    if (isSeen) {
      await assertRejects(() => late.token(), TokenManagerError, "failed");
    }
    store.heal();
    assertEquals((await late.token()).token, "access-2");
    assertEquals(sent.length, 1);
  });
}

Deno.test("TokenManager uses a refresh token after an outage of the store if no process saves its successor", async () => {
  const { other, store, clock, sent } = await outage();
  const late = other({
    wait: (milliseconds) => {
      clock.now += milliseconds / 1000;
      return Promise.resolve();
    },
  });
  await assertRejects(() => late.token(), TokenManagerError, "failed");
  clock.now += 100;
  store.heal();
  const start = clock.now;
  assertEquals((await late.token()).token, "access-3");
  assertEquals([Math.round(clock.now - start), sent.length], [15, 2]);
});

/** Outage in which a process has a token that it cannot save. */
async function outage() {
  const store = new FailingStore();
  const tokens = [2, 3].map((i) =>
    answer({ access_token: `access-${i}`, refresh_token: `refresh-${i}` })
  );
  const setup = await manage({
    store,
    answers: tokens,
    wait: () => new Promise(() => {}),
  });
  setup.clock.now += 3600;
  failSaves(store, "before");
  await setup.api.token();
  store.failing.get = "before";
  return { ...setup, store };
}

Deno.test("TokenManager replaces the end of a session that another process saw without the new token", async () => {
  const store = new FailingStore();
  const { api, other, clock } = await manage({
    store,
    answers: [answer(), refusal("invalid_grant")],
    wait: () => new Promise(() => {}),
  });
  clock.now += 3600;
  failSaves(store, "before");
  await api.token();
  // The claim expires before the token is saved.
  clock.now += 60;
  const late = other({
    store: store.values,
    wait: (milliseconds) => {
      clock.now += milliseconds / 1000;
      return Promise.resolve();
    },
  });
  await assertRejects(() => late.token(), TokenManagerError, "has ended");
  store.heal();
  await api.save();
  assertEquals((await late.token()).token, "second");
});

Deno.test("TokenManager uses the token of another process that was saved before its own", async () => {
  const store = new FailingStore();
  const { api, other, clock, sent } = await manage({
    store,
    answers: [answer(), answer({ ...TOKEN, access_token: "theirs" })],
    wait: () => new Promise(() => {}),
  });
  clock.now += 3600;
  failSaves(store, "before");
  assertEquals((await api.token()).token, "second");
  clock.now += 60;
  const late = other({
    store: store.values,
    wait: (milliseconds) => {
      clock.now += milliseconds / 1000;
      return Promise.resolve();
    },
  });
  assertEquals((await late.token()).token, "theirs");
  store.heal();
  await api.save();
  assertEquals((await api.token()).token, "theirs");
  assertEquals(sent.length, 2);
});

Deno.test("TokenManager ends a session whose unsaved token is refused", async () => {
  const store = new FailingStore();
  const { api, clock } = await manage({
    store,
    answers: [
      answer(),
      refusal("server_error", 500),
      refusal("invalid_grant"),
    ],
    wait: () => new Promise(() => {}),
  });
  clock.now += 3600;
  failSaves(store, "before");
  await api.token();
  clock.now += 3600;
  for (const code of ["refresh_failed", "refresh_failed", "login_required"]) {
    const error = await assertRejects(() => api.token(), TokenManagerError);
    assertEquals((error as TokenManagerError).code, code);
    if (code === "refresh_failed") clock.now += 0.5;
  }
});

Deno.test("TokenManager with a grant and without its store waits between attempts", async () => {
  const store = new FailingStore();
  const setup = await manage({
    store,
    token: null,
    answers: [refusal("server_error", 500), answer()],
    grant: () => setup.client.clientCredentials.getToken(),
  });
  const { api, clock, sent } = setup;
  store.failing.get = "before";
  for (const count of [1, 1, 2]) {
    const error = await api.token().catch((error) => error);
    assertEquals(sent.length, count);
    if (count === 1) assertEquals(error.code, "refresh_failed");
    clock.now += 0.5;
  }
});
