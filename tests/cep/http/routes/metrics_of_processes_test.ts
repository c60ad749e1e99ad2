import { assertEquals } from "@std/assert";
import type { Figures, OtherFigures } from "../../../../cep/http/figures.ts";
import { createHandler } from "../../../../cep/http/handler.ts";
import {
  RateLimiter,
  type RateLimitStore,
} from "../../../../cep/http/rate_limiter.ts";
import { addresses, recordsStore } from "../../_records.ts";
import { info } from "../../_service.ts";

/** Process whose figures others add to their own. */
class Peer implements OtherFigures {
  read: () => Promise<Figures> = () => Promise.resolve([]);
  others: readonly Peer[] = [];
  error: Error | undefined;

  provide(read: () => Promise<Figures>): void {
    this.read = read;
  }

  async collect(): Promise<readonly Figures[]> {
    if (this.error) throw this.error;
    return await Promise.all(this.others.map((it) => it.read()));
  }
}

/** Limits in a state. */
function limitsWith(isShared: boolean, localRequests: number): RateLimitStore {
  const limiter = new RateLimiter({ max: 100, burst: 0, minutes: 1 });
  return {
    spend: (client, now) => limiter.spend(client, now),
    sharing: { isShared, localRequests },
  };
}

function open(others?: Peer, limits = limitsWith(true, 0)) {
  const handler = createHandler({
    store: recordsStore(addresses(1_900_001, 3)),
    limits,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    ...(others && { others }),
  });
  const get = async (path: string) => {
    const request = new Request(`http://localhost${path}`);
    const response = await handler(request, info("192.0.2.1"));
    return { status: response.status, text: await response.text() };
  };
  return {
    get,
    async metrics(): Promise<Map<string, string>> {
      const lines = (await get("/metrics")).text.split("\n");
      return new Map(
        lines.filter((line) => line && !line.startsWith("#"))
          .map((line) => line.split(" ") as [string, string]),
      );
    },
  };
}

const LOOKUPS = 'route="/cep/:cep"';

Deno.test("/metrics adds up the requests of all processes, and not their records", async () => {
  const [one, two] = [new Peer(), new Peer()];
  one.others = [two];
  two.others = [one];
  const [first, second] = [open(one), open(two)];
  for (const service of [first, second, second]) {
    await service.get("/cep/01900001");
  }
  for (const service of [first, second]) {
    const metrics = await service.metrics();
    assertEquals(
      [
        `http_requests_total{method="GET",${LOOKUPS},status="200"}`,
        `http_request_duration_seconds_count{${LOOKUPS}}`,
        `http_request_duration_seconds_bucket{le="+Inf",${LOOKUPS}}`,
        "cep_records",
      ].map((name) => [name, metrics.get(name)]),
      [
        [`http_requests_total{method="GET",${LOOKUPS},status="200"}`, "3"],
        [`http_request_duration_seconds_count{${LOOKUPS}}`, "3"],
        [`http_request_duration_seconds_bucket{le="+Inf",${LOOKUPS}}`, "3"],
        ["cep_records", "3"],
      ],
    );
    const infos = [...metrics].filter(([name]) => name.includes("_info{"));
    assertEquals(infos.map(([, value]) => value), ["1", "1"]);
  }
});

Deno.test("/metrics has the same metrics of one process as of several", async () => {
  const peer = new Peer();
  peer.others = [new Peer()];
  const [alone, several] = [open(), open(peer)];
  assertEquals(
    [...(await several.metrics()).keys()],
    [...(await alone.metrics()).keys()],
  );
});

Deno.test("/metrics answers 500 if the figures of others are missing", async () => {
  const peer = new Peer();
  peer.error = new Error("timed out");
  assertEquals((await open(peer).get("/metrics")).status, 500);
});

for (const isShared of [true, false]) {
  Deno.test(`/metrics tells that limits are ${isShared ? "" : "not "}shared by all processes`, async () => {
    const peer = new Peer();
    const other = new Peer();
    open(other, limitsWith(true, 2));
    peer.others = [other];
    const metrics = await open(peer, limitsWith(isShared, 5)).metrics();
    assertEquals(metrics.get("cep_rate_limit_shared"), isShared ? "1" : "0");
    assertEquals(metrics.get("cep_rate_limit_local_requests_total"), "7");
  });
}
