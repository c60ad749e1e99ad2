import { assertEquals } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { misspell, SLIPS } from "../evaluate_search/noise.ts";
import { Random } from "../generate_dne/random.ts";
import { type Bench, format } from "./harness.ts";
import { drawRows } from "./rows.ts";

/** Addresses of the stream. */
const ADDRESSES = 6000;

/** Clients that search, and characters of a search. */
const CLIENTS = 4;
const CHARACTERS = 60;

/** Milliseconds between two lookups. */
const PAUSE_MS = 2;

/** Goals for the 99th percentile: milliseconds, and idle waits divided by it. */
const GOAL = { limit: { atMost: 25 }, ratio: { atLeast: 1 / 5 } };

/** Measures the slowest lookups of a hundred. */
export async function benchWaits(bench: Bench): Promise<void> {
  const { file, path: databasePath } = await bench.largeRelease();
  const rows = await drawRows(bench, ADDRESSES, file);
  const random = new Random(rows.length, "");
  const texts = rows.map(({ logradouro, bairro, cidade }) =>
    [logradouro, bairro, cidade].map((part = "") =>
      misspell(part, random, { slip: SLIPS.wrong }) ?? part
    ).join(" ")
  );
  bench.title("Lookups beside searches, 99th percentile");
  await using server = await bench.startServer({
    path: `/cep/${rows[0]!.cep}`,
    settings: { DB_PATH: databasePath },
  });
  const { url } = server;

  /** Looks records up until a work ends, or the time of a run is over. */
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
      const { cep } = rows[i % rows.length]!;
      const start = performance.now();
      const response = await fetch(`${url}/cep/${cep}`);
      await response.body?.cancel();
      waits.push(performance.now() - start);
      assertEquals(response.status, 200);
      await delay(PAUSE_MS);
    }
    stop.abort();
    await working;
    return waits.sort((a, b) => a - b)[Math.floor(0.99 * waits.length)]!;
  }

  const rest = (signal: AbortSignal) => delay(2 ** 30, undefined, { signal });
  const stream = async (signal: AbortSignal) => {
    const lines = texts.map((endereco) => JSON.stringify({ endereco }));
    const response = await fetch(`${url}/enderecos`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: lines.join("\n"),
      signal,
    });
    await response.body!.pipeTo(new WritableStream(), { signal });
  };
  const search = async (signal: AbortSignal) => {
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = client; !signal.aborted; i += CLIENTS) {
        // Words of two streets, none of which is near the other.
        const q = `${texts[i % ADDRESSES]} ${texts[(i + 1) % ADDRESSES]}`;
        const query = new URLSearchParams({ q: q.slice(0, CHARACTERS) });
        const response = await fetch(`${url}/busca?${query}`, { signal });
        await response.body?.cancel();
        assertEquals(response.status, 200);
      }
    });
    await Promise.all(clients);
  };
  await bench.measure([
    { name: "idle", unit: "ms", run: () => measure(rest) },
    {
      name: `beside a stream of ${format(ADDRESSES)} addresses`,
      unit: "ms",
      ...GOAL,
      run: () => measure(stream),
    },
    {
      name: `beside ${CLIENTS} clients that search`,
      unit: "ms",
      ...GOAL,
      run: () => measure(search),
    },
  ], { warmUp: 1 });
  bench.note(
    `misspelt addresses, searches of ${CHARACTERS} characters; the client of ` +
      "the lookups runs on the same processors",
  );
}
