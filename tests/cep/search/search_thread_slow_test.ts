/** Searches of the sample in real threads. */
import { assert, assertEquals } from "@std/assert";
import { collectGarbage } from "../../../cep/util/collect_garbage.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { sharedMemory } from "../../../cep/util/memory.ts";
import {
  LocalSearches,
  runCall,
  type SearchPlace,
} from "../../../cep/search/search_calls.ts";
import { SearchPool } from "../../../cep/search/search_pool.ts";
import {
  type SearchThread,
  type StartThread,
  startThread,
} from "../../../cep/search/search_thread.ts";
import { openStoreIn } from "../../../cep/store/file_store.ts";
import { openStore, type Store } from "../../../cep/store/mod.ts";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import { setImmediate } from "node:timers/promises";
import { Searcher } from "../../../cep/search/search.ts";
import { SearchIndex } from "../../../cep/search/search_index.ts";
import { seed } from "../../../cep/import/seed.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../_logger.ts";
import { within } from "../_within.ts";
import { entries, fill } from "../store/_release.ts";

const SAMPLE = new URL("../../../samples/dne", import.meta.url);
const directory = decodeURIComponent(SAMPLE.pathname);

/** Pool of real threads, which a test kills. */
class Pool {
  readonly logger = new CapturingLogger();
  readonly kills: (() => void)[] = [];
  readonly searches: SearchPlace;

  constructor(threads: number) {
    const start: StartThread = (arrays, events) => {
      const thread: SearchThread = startThread(arrays, events);
      this.kills.push(() => {
        thread.end();
        events.onEnd("killed");
      });
      return thread;
    };
    this.searches = new SearchPool({
      threads,
      start,
      local: new LocalSearches(),
      logger: this.logger,
    });
  }
}

const TEXTS = [
  "av paulista 1578, sao paulo",
  "rua das flores",
  "praca da se sp",
  "013",
  "brasilia quadra 5 bloco a",
];

Deno.test("openStore finds in threads what it finds without them", async () => {
  using folder = new TemporaryFolder();
  const alone = await openStore({ path: folder.path });
  await seed({ directory, store: alone });
  const threaded = await openStore({ path: folder.path, searchThreads: 2 });
  const answers = (store: Store) =>
    Promise.all(TEXTS.flatMap((text) => [
      store.search({ text, limit: 5 }),
      store.search({ text, uf: "SP", limit: 5 }),
      store.findAddress({ text, parts: { uf: "SP" }, limit: 5 }),
      store.findAddress({ text, parts: {}, limit: 5, inBulk: true }),
    ]));
  assertEquals(await answers(threaded), await answers(alone));
  assert(threaded.searchLoad!().threads > 0);
  await Promise.all([alone.close(), threaded.close()]);
  assertEquals(threaded.searchLoad?.().threads, 0);
});

/** Opens a folder with a store whose searches run in a pool. */
async function withPool(
  pool: Pick<Pool, "searches">,
  action: (store: Store, folder: string) => Promise<void>,
): Promise<void> {
  using folder = new TemporaryFolder();
  const store = await openStoreIn(new ReleaseDirectory(folder.path), {
    searches: pool.searches,
  });
  try {
    await fill(store, entries("01310100", "01310200"));
    await action(store, folder.path);
  } finally {
    await store.close();
  }
}

/** Sends lines, and returns the answers to the first ones and to the rest. */
function stream(store: Store, lines: number) {
  const handler = createHandler({
    store,
    config: { rateLimit: false },
    logger: new CapturingLogger(),
  });
  const line = '{"endereco": "Rua das Flores 01310100, Vila Grande"}\n';
  const answered = Promise.resolve(handler(
    new Request("http://localhost/enderecos", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: line.repeat(lines),
    }),
  ));
  return { handler, answered };
}

Deno.test("a stream of addresses survives threads that are killed in its middle", async () => {
  const pool = new Pool(2);
  await withPool(pool, async (store) => {
    const { answered } = stream(store, 400);
    const reader = (await answered).body!.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (let chunks = 0;; chunks++) {
      const { done, value } = await within("answers", reader.read());
      if (done) break;
      text += decoder.decode(value);
      if (chunks === 1) pool.kills[0]!();
      if (chunks === 3) pool.kills[1]!();
    }
    const answers = text.trimEnd().split("\n").map((it) => JSON.parse(it));
    assertEquals(answers.length, 400);
    assertEquals(new Set(answers.map(({ cep }) => cep)), new Set(["01310100"]));
    assertEquals(pool.logger.at("error").map(({ error }) => error), [
      "killed",
      "killed",
    ]);
  });
});

Deno.test("a search that ends its thread twice is an error of its own, others are answered", async () => {
  /** Thread in this one, which a text ends. */
  const start: StartThread = (arrays, events) => {
    const searcher = new Searcher(new SearchIndex(arrays));
    let isEnded = false;
    events.onReady();
    return {
      end: () => isEnded = true,
      async send({ id, name, argument }) {
        await setImmediate();
        if (isEnded) return;
        if ((argument as { text: string }).text === "deadly") {
          isEnded = true;
          return events.onEnd("killed");
        }
        const result = runCall(searcher, name, argument as never);
        events.onAnswer({ id, result, isOverBudget: false });
      },
    };
  };
  const logger = new CapturingLogger();
  const searches = new SearchPool({
    threads: 2,
    start,
    local: new LocalSearches(),
    logger,
    schedule: (callback) => {
      queueMicrotask(callback);
      return () => {};
    },
  });
  await withPool({ searches }, async (store) => {
    const handler = createHandler({
      store,
      config: { rateLimit: false },
      logger,
    });
    const body = ["flores 01310100", "deadly", "flores 01310200"]
      .map((endereco) => JSON.stringify({ endereco })).join("\n");
    const response = await handler(
      new Request("http://localhost/enderecos", {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body,
      }),
    );
    const lines = (await within("answers", response.text())).trimEnd()
      .split("\n").map((it) => JSON.parse(it));
    assertEquals(lines.map(({ cep, code }) => cep ?? code), [
      "01310100",
      "database_not_ready",
      "01310200",
    ]);
  });
});

Deno.test("a release that is replaced during searches in threads answers them, and its memory is returned", async () => {
  const indexes: WeakRef<ArrayBufferLike>[] = [];
  const pool = new SearchPool({
    threads: 1,
    start: startThread,
    local: new LocalSearches(),
    logger: new CapturingLogger(),
  });
  const searches: SearchPlace = {
    allocate(bytes) {
      const memory = sharedMemory(bytes);
      indexes.push(new WeakRef(memory));
      return memory;
    },
    open: (arrays) => pool.open(arrays),
    get load() {
      return pool.load;
    },
  };
  await withPool({ searches }, async (store) => {
    const query = { text: "rua das flores", limit: 5 };
    const running = Array.from({ length: 50 }, () => store.search(query));
    await fill(store, entries("01310300"));
    for (const page of await within("searches", Promise.all(running))) {
      assertEquals(page?.data.length, 2);
    }
    const next = await store.search(query);
    assertEquals(next?.data.map(({ cep }) => cep), ["01310300"]);
    assertEquals(indexes.length, 2);
    await collectGarbage();
    assertEquals(indexes[0]!.deref(), undefined);
  });
});
