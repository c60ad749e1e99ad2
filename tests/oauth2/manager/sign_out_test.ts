/** End of a session in several processes: revoke, clear and set. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TokenManagerError } from "../../../oauth2/manager/mod.ts";
import { AccessToken } from "../../../oauth2/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { SITE } from "../_client.ts";
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

const LOGIN = {
  access_token: "login",
  refresh_token: "refresh-of-login",
  expires_in: 3600,
};

/** Session that another process is renewing; the test sends the answer. */
async function renewing(options: Managed = {}) {
  let finish = (_: Response) => {};
  const setup = await manage({
    answers: [() => new Promise((done) => finish = done)],
    // Lets the others go on.
    wait: async () => await settle(),
    ...options,
  });
  setup.clock.now += 3600;
  const renewal = setup.other().token().catch((error) => error.code);
  await settle();
  return {
    ...setup,
    renewal,
    finish: (response = answer()) => finish(response),
  };
}

Deno.test("TokenManager.revoke revokes the token that another process gets meanwhile", async () => {
  const { api, sent, store, renewal, finish } = await renewing();
  const signOut = api.revoke();
  await settle();
  assertEquals(revoked(sent), ["refresh-1"]);
  let isDone = false;
  signOut.then(() => isDone = true);
  await settle();
  assert(!isDone);
  finish();
  await signOut;
  assertEquals(revoked(sent), ["refresh-1", "refresh-2"]);
  assertEquals(await renewal, "login_required");
  assertEquals(await store.get("ana"), undefined);
});

Deno.test("TokenManager.revoke waits for no other process whose refresh the server refuses", async () => {
  const { api, sent, renewal, finish, clock } = await renewing();
  const start = clock.now;
  const signOut = api.revoke();
  await settle();
  finish(refusal("invalid_grant"));
  await signOut;
  assertEquals(revoked(sent), ["refresh-1"]);
  assertEquals(await renewal, "login_required");
  assertEquals(clock.now, start);
});

Deno.test("TokenManager.revoke takes over from a process that ended, when its claim expires", async () => {
  const { other, clock, sent, store, renewal, finish } = await renewing();
  const waits: number[] = [];
  const api = other({
    wait: (milliseconds) => {
      waits.push(milliseconds);
      clock.now += milliseconds / 1000;
      return Promise.resolve();
    },
  });
  await api.revoke();
  assertEquals(waits.reduce((sum, wait) => sum + wait, 0), 45_000);
  assertEquals(revoked(sent), ["refresh-1"]);
  assertEquals(await store.get("ana"), undefined);
  // It had only stopped, and goes on.
  finish();
  assertEquals(await renewal, "login_required");
  assertEquals(revoked(sent), ["refresh-1", "refresh-2"]);
});

Deno.test("TokenManager.revoke can be aborted while it waits for another process", async () => {
  const { api, sent, finish } = await renewing();
  const controller = new AbortController();
  const signOut = api.revoke({ signal: controller.signal });
  await settle();
  controller.abort(new Error("left"));
  await assertRejects(() => signOut, Error, "left");
  finish();
  await settle();
  assertEquals(revoked(sent), ["refresh-1", "refresh-2"]);
});

Deno.test("TokenManager.revoke revokes a token again that the process with the claim could not", async () => {
  const replies = [new Response(), refusal("server_error", 500)];
  const { api, sent, reports, finish } = await renewing({ replies });
  const signOut = api.revoke();
  await settle();
  finish();
  await signOut;
  assertEquals(revoked(sent), ["refresh-1", "refresh-2", "refresh-2"]);
  assertEquals(reports.length, 1);
});

for (const action of ["clear", "set"] as const) {
  Deno.test(`TokenManager revokes a token that it gets after ${action}() in another process`, async () => {
    const { api, client, sent, store, renewal, finish } = await renewing();
    if (action === "clear") await api.clear();
    else await api.set(AccessToken.fromHash(client, LOGIN));
    finish();
    const found = await renewal;
    assertEquals(revoked(sent), ["refresh-2"]);
    const stored = await store.get("ana");
    if (action === "clear") {
      assertEquals([found, stored], ["login_required", undefined]);
    } else {
      assertEquals((found as AccessToken).token, "login");
      assert(stored!.includes("refresh-of-login"));
    }
  });

  Deno.test(`TokenManager revokes no token that the server did not replace, after ${action}() in another process`, async () => {
    const { api, client, sent, renewal, finish } = await renewing();
    if (action === "clear") await api.clear();
    else await api.set(AccessToken.fromHash(client, LOGIN));
    // The revocation may end the new login, too, if it is of the same user.
    finish(answer({ access_token: "second", expires_in: 60 }));
    await renewal;
    assertEquals(revoked(sent), []);
  });
}

/** Store whose writes land when the test wants it. */
class LateStore extends MemoryStore {
  late: (() => Promise<unknown>) | undefined;
  isLate = false;

  override compareAndSwap(
    ...args: Parameters<MemoryStore["compareAndSwap"]>
  ): Promise<boolean> {
    const run = () => super.compareAndSwap(...args);
    if (!this.isLate || !args[2]?.includes("access_token")) return run();
    this.late = run;
    return Promise.reject(new Error("timeout"));
  }
}

for (const action of ["clear", "revoke", "set"] as const) {
  for (const token of [null, TOKEN]) {
    Deno.test(`TokenManager.set that timed out does not land after ${action}(), ${token ? "over another session" : "over nothing"}`, async () => {
      const store = new LateStore();
      const { api, client, other } = await manage({ store, token });
      store.isLate = true;
      const late = { ...LOGIN, access_token: "late" };
      await assertRejects(
        () => api.set(AccessToken.fromHash(client, late)),
        TokenManagerError,
        "the store failed",
      );
      store.isLate = false;
      if (action === "set") {
        await other().set(AccessToken.fromHash(client, LOGIN));
      } else await other()[action]();
      const before = await store.get("ana");
      await store.late!();
      assertEquals(await store.get("ana"), before);
      assert(!before?.includes("late"));
    });
  }
}

for (const action of ["clear", "revoke"] as const) {
  Deno.test(`TokenManager.${action} leaves a login that comes between its read and its write`, async () => {
    const store = new MemoryStore();
    const { api, client, other } = await manage({ store });
    const swap = store.compareAndSwap.bind(store);
    let isFirst = true;
    store.compareAndSwap = async (...args) => {
      if (isFirst) {
        isFirst = false;
        await other().set(AccessToken.fromHash(client, LOGIN));
      }
      return await swap(...args);
    };
    await api[action]();
    assertEquals((await api.token()).token, "login");
    assertEquals((await other().token()).token, "login");
  });
}

Deno.test("TokenManager.revoke with an invented key sends and stores nothing", async () => {
  const { api, sent, store } = await manage({ token: null });
  assertEquals(await api.revoke(), undefined);
  assertEquals([sent, await store.get("ana")], [[], undefined]);
});

Deno.test("TokenManager.revoke resolves if the store fails to delete a token that is revoked", async () => {
  const store = new FailingStore();
  const { api, reports, sent } = await manage({ store });
  Object.defineProperty(store.failing, "swap", {
    get: () => revoked(sent).length > 0 ? "before" : undefined,
  });
  assertEquals((await api.revoke())?.status, 200);
  assertEquals(reports.length, 1);
  const error = await assertRejects(() => api.token(), TokenManagerError);
  assertEquals((error as TokenManagerError).code, "login_required");
});

const ENDS = {
  revoke: "login_required",
  clear: "login_required",
  set: "login",
} as const;

for (const [action, expected] of Object.entries(ENDS)) {
  for (const [maxStale, bound] of [[undefined, 30], [5, 5], [0, 0]] as const) {
    Deno.test(`TokenManager uses a token for at most ${bound} s after ${action}() in another process`, async () => {
      const { api, client, clock, other } = await manage({ maxStale });
      const use = () =>
        api.token().then(({ token }) => token, (error) => error.code);
      assertEquals(await use(), "first");
      const ender = other();
      if (action === "set") {
        await ender.set(AccessToken.fromHash(client, LOGIN));
      } else await ender[action as "clear"]();
      if (bound > 0) {
        clock.now += bound - 1;
        assertEquals(await use(), "first");
        clock.now += 1;
      }
      assertEquals(await use(), expected);
    });
  }
}

/** Store that counts its reads. */
async function counted(maxStale: number) {
  const store = new FailingStore();
  const setup = await manage({ store, maxStale });
  await setup.api.token();
  store.calls.length = 0;
  const reads = () => store.calls.filter((name) => name === "get").length;
  return { ...setup, store, reads };
}

Deno.test("TokenManager compares its token with the store once in maxStale, for all callers", async () => {
  const { api, clock, reads } = await counted(30);
  for (const expected of [0, 1, 2]) {
    for (let i = 0; i < 3; i++) {
      await Promise.all([api.token(), api.fetch("/me"), api.token()]);
    }
    assertEquals(reads(), expected);
    clock.now += 30;
  }
});

Deno.test("TokenManager with maxStale 0 reads the store after the beginning of each call", async () => {
  const { api, reads } = await counted(0);
  await Promise.all([api.token(), api.token(), api.token()]);
  // The calls that came during the first read share the second.
  assertEquals(reads(), 2);
  await api.token();
  assertEquals(reads(), 3);
});

Deno.test("TokenManager does not trust its memory longer if the clock is set back", async () => {
  const { api, clock, reads } = await counted(30);
  clock.now -= 1000;
  await api.token();
  assertEquals(reads(), 1);
});

Deno.test("TokenManager uses its token while the store fails, and asks it every second", async () => {
  const { api, clock, store, reads, reports } = await counted(30);
  store.failing.get = "before";
  clock.now += 30;
  for (const expected of [1, 1, 2, 2]) {
    assertEquals((await api.token()).token, "first");
    assertEquals([reads(), reports.length], [expected, expected]);
    clock.now += 0.5;
  }
  store.heal();
  clock.now += 1;
  assertEquals((await api.token()).token, "first");
  assertEquals((await api.token()).token, "first");
  assertEquals(reads(), 3);
});

Deno.test("TokenManager with maxStale 0 fails while the store does", async () => {
  const { api, store } = await counted(0);
  store.failing.get = "before";
  const error = await assertRejects(() => api.token(), TokenManagerError);
  assertEquals((error as TokenManagerError).code, "store_failed");
  store.heal();
  assertEquals((await api.token()).token, "first");
});

Deno.test("TokenManager runs the operations of a plain store in turn, also after a timeout", async () => {
  const values = new MemoryStore();
  let land = () => {};
  let isSlow = false;
  const store = {
    get: (key: string) => values.get(key),
    set: async (key: string, value: string | undefined) => {
      if (isSlow) {
        isSlow = false;
        await new Promise<void>((done) => land = done);
      }
      await values.set(key, value);
    },
  };
  const { api, client, other } = await manage({ store, timeout: 20 });
  isSlow = true;
  const late = { ...LOGIN, access_token: "late" };
  await assertRejects(
    () => api.set(AccessToken.fromHash(client, late)),
    TokenManagerError,
  );
  const next = other().set(AccessToken.fromHash(client, LOGIN));
  await settle();
  land();
  await next;
  assertEquals((await other().token()).token, "login");
});

Deno.test("TokenManager.token returns a token for allowedOrigins only", async () => {
  const allowedOrigins = ["https://one.example"];
  const { api, sent } = await manage({ allowedOrigins });
  const token = await api.token();
  await token.get("https://one.example/me");
  for (const url of ["https://two.example/me", `${SITE}/me`, "/me"]) {
    const calls = [
      () => token.get(url),
      () => token.fetch(url),
      () => token.request("post", url, { allowedOrigins: [SITE] }),
    ];
    for (const call of calls) {
      await assertRejects(call, TypeError, "is not in allowedOrigins");
    }
  }
  assertEquals(sent.length, 1);
});

Deno.test("TokenManager.token returns a token for the origins for which it was stored", async () => {
  const { other } = await manage();
  const wider = other({ allowedOrigins: [SITE, "https://two.example"] });
  const token = await wider.token();
  await token.get("/me");
  await assertRejects(() => token.get("https://two.example/me"), TypeError);
});
