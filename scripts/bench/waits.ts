import { assertEquals } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { misspell, SLIPS } from "../evaluate_search/noise.ts";
import { Random } from "../generate_dne/random.ts";
import { type Bench, format } from "./harness.ts";

/** Addresses of the stream. */
const ADDRESSES = 6000;

/** Clients that search, and characters of a search. */
const CLIENTS = 4;
const CHARACTERS = 60;

/** Milliseconds between two lookups. */
const PAUSE_MS = 2;

/** Goals for the 99th percentile: milliseconds, and idle waits divided by it. */
const GOAL = { limit: { atMost: 25 }, ratio: { atLeast: 1 / 5 } };

/** Measures the slowest lookups of a hundred beside a work of others. */
export async function benchWaits(bench: Bench): Promise<void> {
  const large = await bench.largeRelease();
  const records = await bench.drawRecords(large, ADDRESSES);
  const random = new Random(ADDRESSES, "waits");
  const texts = records.map(({ logradouro, bairro, cidade }) =>
    [logradouro, bairro, cidade]
      .map((part) => misspell(part, random, { slip: SLIPS.wrong }) ?? part)
      .join(" ")
  );
  const paths = records.map(({ cep }) => `/cep/${cep}`);
  bench.title("Lookups beside searches, 99th percentile");
  const settings = { DB_PATH: large.path };
  await using server = await bench.startServer({ path: paths[0]!, settings });
  const { url } = server;

  async function stream(signal: AbortSignal): Promise<void> {
    const lines = texts.map((endereco) => JSON.stringify({ endereco }));
    const response = await fetch(`${url}/enderecos`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: lines.join("\n"),
      signal,
    });
    await response.body!.pipeTo(new WritableStream(), { signal });
  }

  async function search(signal: AbortSignal): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = client; !signal.aborted; i += CLIENTS) {
        // Words of two streets, of which no record has all.
        const text = `${texts[i % ADDRESSES]} ${texts[(i + 1) % ADDRESSES]}`;
        const query = new URLSearchParams({ q: text.slice(0, CHARACTERS) });
        const response = await fetch(`${url}/busca?${query}`, { signal });
        await response.body?.cancel();
        assertEquals(response.status, 200);
      }
    });
    await Promise.all(clients);
  }

  /** Looks records up until the work ends, or the time of a run is over. */
  async function measure(
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<number> {
    const stop = new AbortController();
    let isDone = false;
    const working = work(stop.signal)
      .catch((error) => {
        if (!stop.signal.aborted) throw error;
      })
      .finally(() => isDone = true);
    const waits: number[] = [];
    const end = performance.now() + bench.plan.seconds * 1000;
    for (let i = 0; !isDone && performance.now() < end; i++) {
      const start = performance.now();
      const response = await fetch(url + paths[i % paths.length]);
      await response.body?.cancel();
      waits.push(performance.now() - start);
      assertEquals(response.status, 200);
      await delay(PAUSE_MS);
    }
    stop.abort();
    await working;
    return waits.sort((a, b) => a - b)[Math.floor(0.99 * waits.length)]!;
  }

  await bench.measure([{
    name: "idle",
    unit: "ms",
    run: () => measure((signal) => delay(2 ** 30, undefined, { signal })),
  }, {
    name: `beside a stream of ${format(ADDRESSES)} addresses`,
    unit: "ms",
    ...GOAL,
    run: () => measure(stream),
  }, {
    name: `beside ${CLIENTS} clients that search`,
    unit: "ms",
    ...GOAL,
    run: () => measure(search),
  }], { warmUp: 1 });
  bench.note("the client of the lookups runs on the same processors");
}
