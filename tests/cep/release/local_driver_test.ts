/** Threads that use a database of libSQL, which tolerates one at a time. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type DirectDriver,
  type Drivers,
  type LocalDatabase,
  openDirect,
  openReadable,
  openWritable,
  type ThreadedDriver,
} from "../../../cep/release/local_driver.ts";

/** Drivers that log their calls, and count those that run at once. */
class LoggedDrivers implements Drivers {
  readonly log: string[] = [];
  /** Highest number of calls in another thread at once. */
  most = 0;
  #running = 0;
  /** Message of the failure of the next call in another thread. */
  failure: string | undefined;

  direct(): DirectDriver {
    const note = (text: string) => this.log.push(`direct ${text}`);
    return {
      exec: note,
      prepare: () => ({
        reader: true,
        // The first call for a statement.
        raw: () => note("raw"),
        get: (values) => {
          note(`get ${values}`);
          return [...values];
        },
        all: (values) => [[...values]],
      }),
      close: () => note("close"),
    };
  }

  threaded(): ThreadedDriver {
    return {
      exec: () => this.#run("exec", undefined),
      prepare: async () => {
        await this.#run("prepare", undefined);
        return {
          reader: true,
          raw: () => {},
          all: (values) => this.#run(`all ${values}`, [[...values]]),
        };
      },
      close: () => this.log.push("threaded close"),
    };
  }

  async #run<T>(text: string, result: T): Promise<T> {
    this.most = Math.max(this.most, ++this.#running);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    this.log.push(`threaded ${text}`);
    this.#running--;
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw new Error(failure);
    return result;
  }
}

const OPENERS: readonly [
  name: string,
  open: (drivers: Drivers) => LocalDatabase,
][] = [
  ["openReadable", (drivers) => openReadable("file:x", drivers)],
  ["openWritable", (drivers) => openWritable("x", drivers)],
];

for (const [name, open] of OPENERS) {
  Deno.test(`${name} runs one statement at a time in another thread`, async () => {
    const drivers = new LoggedDrivers();
    const database = open(drivers);
    const one = database.prepare("SELECT 1");
    const two = database.prepare("SELECT 2");
    const results = await Promise.all([
      one.all([1]),
      two.all([2]),
      database.exec("PRAGMA x"),
      one.all([3]),
      database.shrink(),
    ]);
    assertEquals(results.slice(0, 4), [[[1]], [[2]], undefined, [[3]]]);
    assertEquals(drivers.most, 1);
    assertEquals(
      drivers.log.filter((text) => text.startsWith("threaded")),
      ["prepare", "all 1", "prepare", "all 2", "exec", "all 3", "exec"]
        .map((text) => `threaded ${text}`),
    );
  });

  Deno.test(`${name} runs the next statement after one that fails`, async () => {
    const drivers = new LoggedDrivers();
    const database = open(drivers);
    const select = database.prepare("SELECT 1");
    drivers.failure = "no such table";
    const failing = select.all([1]);
    const next = select.all([2]);
    await assertRejects(() => failing, Error, "no such table");
    assertEquals(await next, [[2]]);
  });
}

Deno.test("openReadable queries synchronously on a database of its own", () => {
  const drivers = new LoggedDrivers();
  const database = openReadable("file:x", drivers);
  const select = database.prepare("SELECT 1");
  assertEquals([select.get([1]), select.get([2])], [[1], [2]]);
  database.close();
  assertEquals(drivers.log, [
    "direct raw",
    "direct get 1",
    "direct get 2",
    "direct close",
    "threaded close",
  ]);
});

Deno.test("openReadable closes the first database if the second cannot be opened", () => {
  const drivers = new class extends LoggedDrivers {
    override direct(): never {
      throw new Error("unable to open database file");
    }
  }();
  assertThrows(() => openReadable("file:x", drivers), Error, "unable to open");
  assertEquals(drivers.log, ["threaded close"]);
});

Deno.test("openWritable refuses synchronous queries", () => {
  const database = openWritable("x", new LoggedDrivers());
  assertThrows(() => database.prepare("SELECT 1").get([]), Error, "Cannot");
});

Deno.test("openDirect opens one database, in this thread", async () => {
  const drivers = new LoggedDrivers();
  const database = openDirect(":memory:", drivers);
  const select = database.prepare("SELECT 1");
  assertEquals(select.get([1]), [1]);
  assertEquals(await select.all([2]), [[2]]);
  await database.exec("PRAGMA x");
  database.close();
  assert(drivers.log.every((text) => text.startsWith("direct")));
});

Deno.test("openDirect keeps one statement for each text, and so its last values only", async () => {
  const drivers = new LoggedDrivers();
  const database = openDirect(":memory:", drivers);
  const sql = "INSERT INTO snapshot (bytes) VALUES (?)";
  for (const part of [1, 2]) await database.prepare(sql).all([part]);
  await database.prepare("SELECT 1").all([]);
  assertEquals(drivers.log, ["direct raw", "direct raw"]);
});
