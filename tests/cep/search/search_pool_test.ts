import { assert, assertEquals, assertRejects } from "@std/assert";
import { sharedMemory } from "../../../cep/util/memory.ts";
import type { IndexArrays } from "../../../cep/search/index_layout.ts";
import {
  type CallOptions,
  SearchBusyError,
  type Searches,
  type SearchPlace,
} from "../../../cep/search/search_calls.ts";
import { SearchPool } from "../../../cep/search/search_pool.ts";
import type {
  SearchThread,
  StartThread,
  ThreadCall,
  ThreadEvents,
} from "../../../cep/search/search_thread.ts";
import { CapturingLogger } from "../_logger.ts";
import { ManualTimer, settle } from "../_manual_timer.ts";

/** Index that no fake thread reads. */
const ARRAYS = {} as IndexArrays;

/** Thread that a test moves. */
class FakeThread implements SearchThread {
  readonly calls: ThreadCall[] = [];
  isEnded = false;

  constructor(readonly events: ThreadEvents) {}

  send(call: ThreadCall): void {
    this.calls.push(call);
  }

  end(): void {
    this.isEnded = true;
  }

  /** Texts of the calls that it has not answered. */
  get texts(): string[] {
    return this.calls.map(({ argument }) =>
      (argument as { text: string }).text
    );
  }

  /** Answers its first call with a CEP. */
  async answer(error?: string): Promise<void> {
    const { id } = this.calls.shift()!;
    const outcome = error === undefined ? { result: [] } : { error };
    this.events.onAnswer({ id, ...outcome, isOverBudget: false });
    await settle();
  }

  async die(reason = "exit code 1"): Promise<void> {
    this.events.onEnd(reason);
    await settle();
  }
}

/** Pool with fake threads. */
class Scene {
  readonly timer = new ManualTimer();
  readonly logger = new CapturingLogger();
  readonly threads: FakeThread[] = [];
  /** Texts of the searches that ran without a thread. */
  readonly local: string[] = [];
  readonly pool: SearchPool;
  readonly searches: Searches;
  isForbidden = false;

  constructor(threads = 1) {
    const start: StartThread = (_arrays, events) => {
      if (this.isForbidden) throw new Error("no threads here");
      const thread = new FakeThread(events);
      this.threads.push(thread);
      return thread;
    };
    this.pool = new SearchPool({
      threads,
      start,
      local: this.#local(),
      logger: this.logger,
      now: this.timer.now,
      schedule: this.timer.schedule,
    });
    this.searches = this.pool.open(ARRAYS);
  }

  /** Searches for a text, and opens the threads that this starts. */
  async search(text: string, options?: CallOptions): Promise<"found"> {
    await this.searches.call("search", query(text), options);
    return "found";
  }

  ready(): void {
    for (const { events } of this.threads) events.onReady();
  }

  /** Texts that the last thread was sent. */
  get texts(): string[] {
    return this.threads.at(-1)!.texts;
  }

  #local(): SearchPlace {
    return {
      allocate: sharedMemory,
      load: { ...NO_LOAD },
      open: () => ({
        call: (_name, argument) => {
          this.local.push((argument as { text: string }).text);
          return Promise.resolve([] as never);
        },
        close: () => {},
      }),
    };
  }
}

const NO_LOAD = {
  threads: 0,
  busy: 0,
  waiting: 0,
  waitedSeconds: 0,
  refused: 0,
  failedThreads: 0,
  overBudget: 0,
};

function query(text: string) {
  return { text, hasPrefix: true, offset: 0, limit: 5 };
}

Deno.test("SearchPool starts its threads with the first search", async () => {
  const scene = new Scene(3);
  assertEquals(scene.threads.length, 0);
  const found = scene.search("a");
  assertEquals(scene.threads.length, 3);
  scene.ready();
  await scene.threads[0]!.answer();
  assertEquals(await found, "found");
});

Deno.test("SearchPool gives a thread one search and the next one, the idle threads first", async () => {
  const scene = new Scene(2);
  const all = ["a", "b", "c", "d", "e"].map((text) => scene.search(text));
  assertEquals(scene.threads.map(({ texts }) => texts), [[], []]);
  scene.ready();
  assertEquals(scene.threads.map(({ texts }) => texts), [
    ["a", "b"],
    ["c", "d"],
  ]);
  await scene.threads[1]!.answer();
  assertEquals(scene.threads[1]!.texts, ["d", "e"]);
  for (const i of [0, 0, 1, 1]) await scene.threads[i]!.answer();
  await Promise.all(all);
});

Deno.test("SearchPool takes searches and searches in bulk in turns", async () => {
  const scene = new Scene();
  const bulk = ["1", "2", "3", "4", "5"].map((text) =>
    scene.search(text, { inBulk: true })
  );
  scene.ready();
  const single = ["a", "b"].map((text) => scene.search(text));
  const order: string[] = [];
  for (let i = 0; i < 7; i++) {
    order.push(scene.texts[0]!);
    await scene.threads[0]!.answer();
  }
  assertEquals(order.join(" "), "1 2 a 3 b 4 5");
  await Promise.all([...bulk, ...single]);
});

Deno.test("SearchPool of one thread lets a thousand streams advance together", async () => {
  const scene = new Scene();
  const answered = new Array<number>(1000).fill(0);
  const streams = answered.map(async (_, i) => {
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 16 }, async () => {
        await scene.search(`${i}`, { inBulk: true });
        answered[i]!++;
      }));
    }
  });
  scene.ready();
  const thread = scene.threads[0]!;
  while (thread.calls.length > 0) {
    const { id } = thread.calls.shift()!;
    thread.events.onAnswer({ id, result: [], isOverBudget: false });
    if (thread.calls.length > 0) continue;
    await settle();
    assert(Math.max(...answered) - Math.min(...answered) <= 17);
  }
  await Promise.all(streams);
  assertEquals(new Set(answered), new Set([48]));
});

Deno.test("SearchPool refuses searches beyond 200 a thread, none in bulk", async () => {
  const scene = new Scene(2);
  const all = Array.from({ length: 400 }, (_, i) => scene.search(`${i}`));
  await assertRejects(() => scene.search("one more"), SearchBusyError);
  all.push(scene.search("in bulk", { inBulk: true }));
  assertEquals(scene.pool.load.refused, 1);
  assertEquals(scene.pool.load.waiting, 401);
  scene.searches.close();
  assertEquals(
    new Set((await Promise.allSettled(all)).map(({ status }) => status)),
    new Set(["rejected"]),
  );
});

Deno.test("SearchPool runs the searches of a thread that ended once more", async () => {
  const scene = new Scene(2);
  const all = ["a", "b", "c", "d", "e"].map((text) => scene.search(text));
  scene.ready();
  const [first, second] = scene.threads as [FakeThread, FakeThread];
  await first.die();
  await second.answer();
  assertEquals(second.texts, ["d", "a"]);
  for (let i = 0; i < 4; i++) await second.answer();
  assertEquals(await Promise.all(all), all.map(() => "found"));
});

Deno.test("SearchPool rejects a search whose thread has ended twice", async () => {
  const scene = new Scene();
  const found = scene.search("a");
  const rejected = assertRejects(() => found, Error, "ended twice: exit code");
  scene.ready();
  await scene.threads[0]!.die();
  await scene.timer.pass(100);
  scene.threads[1]!.events.onReady();
  await scene.threads[1]!.die();
  await rejected;
  scene.searches.close();
});

Deno.test("SearchPool replaces threads that ended, more slowly each time until one has answered", async () => {
  const scene = new Scene();
  const found = scene.search("a").catch(() => {});
  scene.ready();
  for (const delay of [100, 200, 400]) {
    await scene.threads.at(-1)!.die("killed");
    const { length } = scene.threads;
    await scene.timer.pass(delay - 1);
    assertEquals(scene.threads.length, length);
    await scene.timer.pass(1);
    assertEquals(scene.threads.length, length + 1);
    scene.threads.at(-1)!.events.onReady();
  }
  await found;
  const again = scene.search("b");
  await scene.threads.at(-1)!.answer();
  await again;
  await scene.threads.at(-1)!.die("killed");
  assertEquals(
    scene.logger.at("error"),
    [100, 200, 400, 100].map((it) => ({
      error: "killed",
      milliseconds: it,
    })),
  );
  assertEquals(scene.pool.load.failedThreads, 4);
  scene.searches.close();
  assertEquals(scene.timer.pending, 0);
});

for (
  const [name, forbid] of [
    ["may not be started", (scene: Scene) => scene.isForbidden = true],
    ["end before they are ready", () => {}],
  ] as const
) {
  Deno.test(`SearchPool searches in the thread of the caller if threads ${name}, and logs it once`, async () => {
    const scene = new Scene(2);
    forbid(scene);
    const found = scene.search("a");
    for (const thread of scene.threads) await thread.die("no threads here");
    await found;
    await scene.search("b");
    assertEquals(scene.local, ["a", "b"]);
    const next = scene.pool.open(ARRAYS);
    forbid(scene);
    const nextFound = next.call("search", query("c"));
    for (const thread of scene.threads) await thread.die("no threads here");
    await nextFound;
    assertEquals(scene.local, ["a", "b", "c"]);
    assertEquals(scene.logger.at("info"), [{ reason: "no threads here" }]);
  });
}

Deno.test("Searches.close ends the threads, and rejects what waits", async () => {
  const scene = new Scene(2);
  const all = ["a", "b", "c", "d", "e"].map((text) => scene.search(text));
  scene.ready();
  scene.searches.close();
  for (const found of all) await assertRejects(() => found, Error, "closed");
  await assertRejects(() => scene.search("f"), Error, "closed");
  assertEquals(scene.threads.map(({ isEnded }) => isEnded), [true, true]);
  await scene.threads[0]!.die("terminated");
  assertEquals(scene.logger.entries, []);
  assertEquals(scene.pool.load.threads, 0);
});

Deno.test("SearchPool.open starts the threads of the next index at once if the last one is in use", async () => {
  const scene = new Scene();
  scene.pool.open(ARRAYS);
  assertEquals(scene.threads.length, 0);
  const found = scene.search("a");
  scene.ready();
  scene.pool.open(ARRAYS);
  assertEquals(scene.threads.length, 2);
  // The last index stays open until its searches are done.
  await scene.threads[0]!.answer();
  assertEquals(await found, "found");
});

Deno.test("SearchPool rejects a search that fails in its thread", async () => {
  const scene = new Scene();
  const found = scene.search("a");
  scene.ready();
  const rejected = assertRejects(() => found, Error, "out of range");
  await scene.threads[0]!.answer("out of range");
  await rejected;
  assertEquals(scene.threads[0]!.isEnded, false);
});

Deno.test("SearchPool.load tells threads, the queue and the time that searches waited", async () => {
  const scene = new Scene();
  const all = ["a", "b", "c"].map((text) => scene.search(text));
  assertEquals(scene.pool.load, { ...NO_LOAD, waiting: 3 });
  await scene.timer.pass(500);
  scene.ready();
  const load = { ...NO_LOAD, threads: 1, busy: 1, waiting: 1 };
  assertEquals(scene.pool.load, { ...load, waitedSeconds: 1 });
  const { id } = scene.threads[0]!.calls.shift()!;
  scene.threads[0]!.events.onAnswer({ id, result: [], isOverBudget: true });
  await scene.threads[0]!.answer();
  await scene.threads[0]!.answer();
  await Promise.all(all);
  assertEquals(scene.pool.load, {
    ...NO_LOAD,
    threads: 1,
    waitedSeconds: 1.5,
    overBudget: 1,
  });
});
