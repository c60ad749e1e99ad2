/** Stores that need no server and no file, and what all stores refuse. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { FileStore } from "../../../oauth2/stores/file_store.ts";
import {
  type DenoKv,
  DenoKvStore,
  EncryptedStore,
  LibsqlStore,
  MemoryStore,
  RedisStore,
} from "../../../oauth2/stores/mod.ts";
import { testExpiry, testStore } from "./_contract.ts";

testStore("MemoryStore", () => ({ store: new MemoryStore() }));

testExpiry("MemoryStore", () => {
  let now = 0;
  const store = new MemoryStore({ ttl: 60, clock: () => now });
  return {
    store,
    pass: (seconds) => now += seconds * 1000,
    count: async () => {
      const keys = ["ana", "eva"].map((key) => store.get(key));
      const values = await Promise.all(keys);
      return values.filter((value) => value !== undefined).length;
    },
  };
});

testStore("EncryptedStore", () => ({
  store: new EncryptedStore(new MemoryStore(), new Uint8Array(32)),
}));

Deno.test("LibsqlStore creates its table again after a failure", async () => {
  let failures = 1;
  const statements: string[] = [];
  const store = new LibsqlStore({
    execute({ sql }) {
      if (failures-- > 0) return Promise.reject(new Error("busy"));
      statements.push(sql.slice(0, 6));
      return Promise.resolve({ rows: [{ value: "1" }], rowsAffected: 0 });
    },
  });
  await assertRejects(() => store.get("ana"), Error, "busy");
  assertEquals(await store.get("ana"), "1");
  assertEquals(await store.get("ana"), "1");
  assertEquals(statements, ["CREATE", "SELECT", "SELECT"]);
});

for (
  const table of ["", "a b", "x; DROP TABLE y", "1a", 'a"', "x".repeat(64)]
) {
  Deno.test(`LibsqlStore refuses the table "${table.slice(0, 20)}"`, () => {
    const database = { execute: () => Promise.reject() };
    assertThrows(() => new LibsqlStore(database, { table }), TypeError);
  });
}

Deno.test("RedisStore sends commands through call, sendCommand or a function", async () => {
  const commands: string[][] = [];
  const answer = (command: string[]) => {
    commands.push(command.slice(0, 2));
    return Promise.resolve(null);
  };
  const clients = [
    answer,
    { sendCommand: answer },
    { call: (...command: string[]) => answer(command) },
    // ioredis has both; its `sendCommand` takes a Command.
    { call: (...command: string[]) => answer(command), sendCommand: fail },
  ];
  for (const client of clients) {
    assertEquals(await new RedisStore(client).get("ana"), undefined);
  }
  assertEquals(commands, clients.map(() => ["GET", "oauth2:ana"]));
});

function fail(): Promise<never> {
  throw new Error("unexpected call");
}

for (const ttl of [0, -1, 1.5, NaN, Infinity, "60"]) {
  Deno.test(`every store refuses the ttl ${ttl}`, () => {
    const options = { ttl: ttl as number };
    for (
      const open of [
        () => new MemoryStore(options),
        () => new FileStore("folder", options),
        () => new LibsqlStore({ execute: fail }, options),
        () => new RedisStore(fail, options),
        () => new DenoKvStore({} as DenoKv, options),
      ]
    ) assertThrows(open, TypeError, "ttl");
  });
}

Deno.test("RedisStore takes undefined for no value", async () => {
  const store = new RedisStore(() => Promise.resolve(undefined));
  assertEquals(await store.get("ana"), undefined);
});

Deno.test("DenoKvStore uses prefix and ttl", async () => {
  const calls: unknown[] = [];
  const store = new DenoKvStore({
    get: () => Promise.resolve({ value: null, versionstamp: null }),
    set: (...call: unknown[]) => Promise.resolve(void calls.push(call)),
    delete: (...call: unknown[]) => Promise.resolve(void calls.push(call)),
    atomic: fail as () => never,
  }, { prefix: ["app", "tokens"], ttl: 60 });
  await store.set("ana", "1");
  await store.set("ana", undefined);
  assertEquals(calls, [
    [["app", "tokens", "ana"], "1", { expireIn: 60_000 }],
    [["app", "tokens", "ana"]],
  ]);
});
