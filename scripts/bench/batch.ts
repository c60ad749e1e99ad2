/**
 * Batches: arrays under load, compared with a server that joins prepared
 * records, and a stream of lines.
 */
import { assertEquals } from "@std/assert";
import { type Bench, format, timed } from "./harness.ts";
import { drawCodes, SCRIPT, writeReplay } from "./lookups.ts";
import { findCores } from "./cores.ts";
import type { Row } from "./rows.ts";

/** Number of CEPs in an array, the maximum. */
const CEPS = 1000;

/** Number of CEPs in a stream. */
const LINES = 500_000;

/** Requests records of many CEPs. */
export async function benchBatch(bench: Bench): Promise<void> {
  const rows = await drawCodes(bench);
  const path = `/cep/${rows[0]!.cep}`;
  bench.title(`POST /ceps with ${format(CEPS)} random CEPs`);
  await using servers = new AsyncDisposableStack();
  const options = { path, pinned: true };
  const ours = servers.use(await bench.startServer(options));
  await writeReplay(bench, rows, {}, ours.url);
  const args = ["-A", SCRIPT, "replay.json"];
  const bare = servers.use(await bench.startServer({ ...options, args }));
  const load = { batch: CEPS };
  const rateOf = async (server: typeof ours) =>
    CEPS * (await bench.loadServer(server, load)).rate;
  await bench.measure([{
    name: "array",
    unit: "CEPs/s",
    limit: { atLeast: 200_000 },
    run: () => rateOf(ours),
  }, {
    name: "bare JSON",
    unit: "CEPs/s",
    run: () => rateOf(bare),
  }], { warmUp: 1 });
  await checkArray(ours.url, rows.slice(0, CEPS));
  await bench.measure([{
    name: `stream of ${format(LINES)} lines`,
    unit: "CEPs/s",
    run: async () => LINES / await timed(() => readStream(ours.url, rows)),
  }]);
  bench.note((await findCores()).note);
}

async function checkArray(url: string, rows: readonly Row[]): Promise<void> {
  const response = await fetch(`${url}/ceps`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(rows.map(({ cep }) => cep)),
  });
  assertEquals(await response.json(), rows);
}

async function readStream(url: string, rows: readonly Row[]): Promise<void> {
  let sent = 0;
  const body = new ReadableStream<string>({
    pull(controller) {
      let part = "";
      for (let i = 0; i < CEPS; i++) {
        part += `"${rows[sent++ % rows.length]!.cep}"\n`;
      }
      controller.enqueue(part);
      if (sent >= LINES) controller.close();
    },
  });
  const response = await fetch(`${url}/ceps`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: body.pipeThrough(new TextEncoderStream()),
  });
  let lines = 0;
  for await (const chunk of response.body!) {
    for (const byte of chunk) if (byte === 0x0a) lines++;
  }
  assertEquals(lines, LINES);
}
