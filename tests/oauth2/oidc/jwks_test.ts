import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Jwks, type JwksOptions } from "../../../oauth2/oidc/mod.ts";
import { ValidationError } from "../../../oauth2/core/validation_error.ts";

/** Set of keys with these ids. */
const setOf = (...kids: string[]) => ({
  keys: kids.map((kid) => ({ kty: "RSA", n: kid, e: "AQAB", kid })),
});

/** Cache with a clock, and the documents that it gets. */
class World {
  now = 0;
  loads = 0;
  /** Documents of the next requests; the last one is repeated. */
  documents: unknown[];
  readonly jwks: Jwks;

  constructor(documents: unknown[], options: JwksOptions = {}) {
    this.documents = documents;
    this.jwks = new Jwks(async () => {
      this.loads++;
      await Promise.resolve();
      const document = this.documents.length > 1
        ? this.documents.shift()
        : this.documents[0];
      if (document instanceof Error) throw document;
      return document;
    }, { clock: () => this.now * 1000, ...options });
  }

  /** Returns the id of the key that is found, or the code of the error. */
  async find(kid?: string): Promise<string | undefined> {
    try {
      return (await this.jwks.find({ alg: "RS256", kid })).jwk.n;
    } catch (error) {
      if (error instanceof ValidationError) return error.code;
      throw error;
    }
  }
}

Deno.test("Jwks loads nothing before the first key is needed", async () => {
  const world = new World([setOf("a")]);
  assertEquals(world.loads, 0);
  assertEquals(await world.find("a"), "a");
  assertEquals(await world.find("a"), "a");
  assertEquals(world.loads, 1);
});

Deno.test("Jwks loads the keys again after maxAge", async () => {
  const world = new World([setOf("a"), setOf("b")], { maxAge: 60 });
  await world.find("a");
  world.now = 59;
  assertEquals(await world.find("a"), "a");
  world.now = 60;
  assertEquals(await world.find("a"), "unknown_key");
  assertEquals(await world.find("b"), "b");
  assertEquals(world.loads, 2);
});

Deno.test("Jwks loads the keys again if the clock was set back", async () => {
  const world = new World([setOf("a")]);
  world.now = 1000;
  await world.find("a");
  world.now = 10;
  await world.find("a");
  assertEquals(world.loads, 2);
});

Deno.test("Jwks loads the keys once more for an unknown kid, at most once in cooldown", async () => {
  const world = new World([setOf("a"), setOf("a", "b")], { cooldown: 30 });
  await world.find("a");
  world.now = 29;
  assertEquals(await world.find("b"), "unknown_key");
  assertEquals(world.loads, 1);
  world.now = 30;
  assertEquals(await world.find("b"), "b");
  for (let i = 0; i < 100; i++) {
    assertEquals(await world.find(`forged ${i}`), "unknown_key");
  }
  assertEquals(world.loads, 2);
});

Deno.test("Jwks repeats a failed request for an unknown kid after a second, not after cooldown", async () => {
  const failure = new Error("503");
  const documents = [setOf("a"), failure, setOf("b")];
  const world = new World(documents, { cooldown: 30 });
  await world.find("a");
  world.now = 30;
  await assertRejects(() => world.find("b"), Error, "503");
  world.now = 30.9;
  // Without a request, and with the error that may be temporary.
  await assertRejects(() => world.find("b"), Error, "503");
  assertEquals(await world.find("a"), "a");
  assertEquals(world.loads, 2);
  world.now = 31;
  assertEquals(await world.find("b"), "b");
});

for (const kid of ["a", "b"]) {
  Deno.test(`Jwks limits failed requests for the kid "${kid}", up to cooldown`, async () => {
    const world = new World([new Error("503")], { cooldown: 30 });
    const times: number[] = [];
    for (world.now = 0; world.now < 100; world.now++) {
      const before = world.loads;
      for (let i = 0; i < 50; i++) {
        await assertRejects(() => world.find(kid), Error, "503");
      }
      if (world.loads > before) times.push(world.now);
    }
    assertEquals(times, [0, 1, 3, 7, 15, 31, 61, 91]);
    assertEquals(world.loads, times.length);
  });
}

Deno.test("Jwks repeats a failed request at once if the clock was set back", async () => {
  const world = new World([new Error("503"), setOf("a")]);
  world.now = 1000;
  await assertRejects(() => world.find("a"), Error, "503");
  world.now = 10;
  assertEquals(await world.find("a"), "a");
});

Deno.test("Jwks repeats a request at once that its only caller aborted", async () => {
  let isStuck = true;
  const jwks = new Jwks(async (signal) => {
    if (!isStuck) return setOf("a");
    return await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }, { clock: () => 0 });
  const controller = new AbortController();
  const query = { alg: "RS256", kid: "a" };
  const aborted = assertRejects(
    () => jwks.find(query, controller.signal),
    Error,
    "enough",
  );
  controller.abort(new Error("enough"));
  await aborted;
  isStuck = false;
  assertEquals((await jwks.find(query)).jwk.n, "a");
});

Deno.test("Jwks.load loads missing keys, and keeps cached ones", async () => {
  const world = new World([setOf("a"), new Error("503")], { maxAge: 60 });
  await Promise.all([world.jwks.load(), world.jwks.load()]);
  await world.jwks.load();
  assertEquals(world.loads, 1);
  world.now = 60 + 86_400;
  await assertRejects(() => world.jwks.load(), Error, "503");
});

Deno.test("Jwks uses known keys for maxStale during an outage, and only these", async () => {
  const down = new Error("503");
  const world = new World([setOf("a"), down, down, setOf("b")], {
    maxAge: 60,
    maxStale: 1000,
  });
  await world.find("a");
  world.now = 60;
  assertEquals(await world.find("a"), "a");
  assertEquals(world.loads, 2);
  await assertRejects(() => world.find("b"), Error, "503");
  world.now = 1059;
  assertEquals(await world.find("a"), "a");
  world.now = 1060;
  await assertRejects(() => world.find("a"), Error, "503");
  world.now = 2000;
  assertEquals(await world.find("b"), "b");
});

Deno.test("Jwks recovers from an outage", async () => {
  const world = new World([setOf("a"), new Error("503"), setOf("b")], {
    maxAge: 60,
  });
  await world.find("a");
  world.now = 60;
  assertEquals(await world.find("a"), "a");
  world.now = 90;
  // This call starts the request that the next one gets its key from.
  assertEquals(await world.find("a"), "a");
  assertEquals(await world.find("b"), "b");
  assertEquals(world.loads, 3);
});

Deno.test("Jwks waits once for a server that hangs, not with every call", async () => {
  let now = 0;
  let loads = 0;
  const hanging = Promise.withResolvers<unknown>();
  const jwks = new Jwks(() => {
    if (loads++ === 0) return Promise.resolve(setOf("a"));
    return loads === 2 ? Promise.reject(new Error("timeout")) : hanging.promise;
  }, { clock: () => now * 1000 });
  const find = () => jwks.find({ alg: "RS256", kid: "a" });
  await find();
  now = 600;
  await find();
  now = 700;
  await Promise.all([find(), find(), find()]);
  assertEquals(loads, 3);
  hanging.resolve(setOf("a"));
});

Deno.test("Jwks uses known keys if the document is invalid", async () => {
  const world = new World([setOf("a"), { error: "moved" }], { maxAge: 60 });
  await world.find("a");
  world.now = 60;
  assertEquals(await world.find("a"), "a");
});

Deno.test("Jwks.load rejects with the reason of a signal during an outage", async () => {
  const controller = new AbortController();
  let now = 0;
  const jwks = new Jwks(() => {
    if (now === 0) return Promise.resolve(setOf("a"));
    controller.abort(new Error("gone"));
    return new Promise(() => {});
  }, { clock: () => now * 1000 });
  await jwks.load();
  now = 600;
  await assertRejects(() => jwks.load(controller.signal), Error, "gone");
});

Deno.test("Jwks shares one request among concurrent callers", async () => {
  const world = new World([setOf("a"), setOf("b")]);
  assertEquals(
    await Promise.all(Array.from({ length: 50 }, () => world.find("a"))),
    Array(50).fill("a"),
  );
  assertEquals(world.loads, 1);
  world.now = 30;
  assertEquals(
    await Promise.all(Array.from({ length: 50 }, () => world.find("b"))),
    Array(50).fill("b"),
  );
  assertEquals(world.loads, 2);
});

Deno.test("Jwks rejects only the caller whose signal is aborted", async () => {
  const world = new World([setOf("a")]);
  const controller = new AbortController();
  const aborted = assertRejects(
    () => world.jwks.find({ alg: "RS256", kid: "a" }, controller.signal),
    Error,
    "enough",
  );
  const other = world.find("a");
  controller.abort(new Error("enough"));
  await aborted;
  assertEquals(await other, "a");
  assertEquals(world.loads, 1);
});

Deno.test("Jwks.refresh returns false within cooldown", async () => {
  const world = new World([setOf("a")], { cooldown: 30 });
  await world.find("a");
  assertEquals(await world.jwks.refresh(), false);
  world.now = 30;
  assertEquals(await world.jwks.refresh(), true);
  assertEquals(world.loads, 2);
});

for (
  const document of [undefined, null, "keys", [], {}, { keys: {} }, {
    keys: "",
  }]
) {
  Deno.test(`Jwks refuses the document ${JSON.stringify(document)}`, async () => {
    assertEquals(await new World([document]).find("a"), "invalid_jwks");
  });
}

for (
  const key of [null, 7, "key", [], {}, { kty: 1 }, { kty: "oct", k: "AA" }, {
    kty: "RSA",
    kid: ["a"],
  }]
) {
  Deno.test(`Jwks ignores the key ${JSON.stringify(key)}`, async () => {
    const { keys } = setOf("a");
    const world = new World([{ keys: [key, ...keys] }]);
    assertEquals(await world.find("a"), "a");
  });
}

Deno.test("Jwks keeps the public members of a key only", async () => {
  const [key] = setOf("a").keys;
  const world = new World([{ keys: [{ ...key, p: "other", alg: "RS256" }] }]);
  const { jwk } = await world.jwks.find({ alg: "RS256", kid: "a" });
  assertEquals(jwk, { kty: "RSA", n: "a", e: "AQAB" });
});

for (
  const members of [
    { d: "secret" },
    { k: "secret" },
    { use: "enc" },
    { key_ops: [] },
    { key_ops: "verify" },
    { key_ops: ["sign"] },
    { alg: null },
  ]
) {
  Deno.test(`Jwks finds no key with ${JSON.stringify(members)}`, async () => {
    const [key] = setOf("a").keys;
    const world = new World([{ keys: [{ ...key, ...members }] }]);
    assertEquals(await world.find("a"), "unknown_key");
  });
}

for (
  const options of [{ maxAge: NaN }, { cooldown: -1 }, { maxAge: Infinity }]
) {
  const shown = Object.entries(options).join();
  Deno.test(`Jwks refuses the option ${shown}`, () => {
    assertThrows(() => new World([], options), TypeError, "Cannot use");
  });
}
