import { setTimeout as delay } from "node:timers/promises";
import { HttpClient } from "./http_client.ts";
import type { Kind, SoakRequest } from "./request.ts";
import { judgeReply, type TrafficOptions } from "./traffic.ts";

/** Kinds of hostile clients, with the number of clients of each. */
export const HOSTILE_CLIENTS = {
  "aborted request": 3,
  "slow reader": 2,
  "slow head": 6,
  "slow body": 3,
  "endless body": 2,
  "idle connection": 10,
  "garbage": 1,
  "churn": 2,
} as const;

/** Kind of a hostile client. */
export type HostileKind = keyof typeof HOSTILE_CLIENTS;

/** Surroundings of hostile clients. */
export interface HostileOptions extends TrafficOptions {
  /** Milliseconds for which a slow client dawdles. */
  readonly dawdleMs: number;
}

/** Behaves in one way, again and again until the signal. */
export async function runHostile(
  kind: HostileKind,
  options: HostileOptions,
): Promise<void> {
  while (!options.signal.aborted) {
    const start = performance.now();
    try {
      const isCounted = await BEHAVIOURS[kind](options);
      if (isCounted) options.tally.add(kind, performance.now() - start);
    } catch (error) {
      options.tally.fault(kind, (error as Error).message);
    }
    await pause(options.random.int(200), options.signal);
  }
}

/** Misbehaves once. Resolves with true if the service answered. */
type Behaviour = (options: HostileOptions) => Promise<boolean>;

const BEHAVIOURS: Readonly<Record<HostileKind, Behaviour>> = {
  async "aborted request"(options) {
    const { random, target } = options;
    using client = await HttpClient.open(target);
    const kind = random.pick<Kind>(["lookup", "search", "batch", "stream"]);
    client.send(someRequest(kind, options));
    await delay(random.int(15));
    return true;
  },

  async "slow reader"(options) {
    const { target, random, signal } = options;
    using client = await HttpClient.open(target, {
      beforeRead: () => pause(random.int(100), signal),
    });
    return await askOnce(client, someRequest("slow reader", options), options);
  },

  async "slow head"(options) {
    const { target, random, signal, dawdleMs } = options;
    using client = await HttpClient.open(target);
    client.write("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    for (let i = 0; i < 10 && !signal.aborted; i++) {
      client.write("x");
      await pause(dawdleMs / 10, signal);
    }
    // Others leave without a word.
    if (signal.aborted || random.chance(50)) return true;
    client.write("\r\n\r\n");
    // A service that bounds the time of a head has closed the connection.
    await client.receive().catch(() => {});
    return true;
  },

  async "slow body"(options) {
    const { target, signal, dawdleMs, judge } = options;
    const request = someRequest("batch", options);
    const { body = "", headers, ...rest } = request;
    using client = await HttpClient.open(target);
    const oldest = judge.oldest;
    const length = { "content-length": `${body.length}` };
    client.send({ ...rest, headers: { ...headers, ...length } });
    const size = Math.ceil(body.length / 10);
    for (let i = 0; i < body.length; i += size) {
      client.write(body.slice(i, i + size));
      await pause(dawdleMs / 10, signal);
    }
    const reply = await client.receive();
    judgeReply(request, 0, reply, oldest, options);
    return true;
  },

  async "endless body"(options) {
    const { target, signal, tally } = options;
    using client = await HttpClient.open(target);
    client.send({
      method: "POST",
      path: "/ceps",
      headers: { "content-type": "application/json", "content-length": "999" },
    });
    client.write("[");
    const abort = () => client[Symbol.dispose]();
    signal.addEventListener("abort", abort, { once: true });
    try {
      const { status, body } = await client.receive();
      if (status === 408 && body.includes('"body_timeout"')) return true;
      tally.fault("endless body", `answered with ${status} ${body}`);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
    return false;
  },

  async "idle connection"({ target, signal, dawdleMs }) {
    using _client = await HttpClient.open(target);
    await pause(dawdleMs, signal);
    return true;
  },

  async "garbage"({ target, random, tally }) {
    using client = await HttpClient.open(target);
    client.write(random.pick(GARBAGE));
    const reply = await client.receive().catch(() => undefined);
    if (reply !== undefined && reply.status < 400) {
      tally.fault("garbage", `answered with ${reply.status}`);
    }
    return true;
  },

  async "churn"(options) {
    using client = await HttpClient.open(options.target);
    const request = someRequest("lookup", options);
    const headers = { ...request.headers, connection: "close" };
    return await askOnce(client, request, options, headers);
  },
};

const GARBAGE: readonly string[] = [
  "\r\n\r\n\r\n\0\0\0\0\r\n\r\n",
  "GET\r\n\r\n",
  "GET /cep/01310100 HTTP/9.9\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  "POST /ceps HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" +
  "Content-Type: application/json\r\n\r\nzz\r\n[]\r\n0\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\x01\x02: y\r\n\r\n",
];

function someRequest(
  kind: Kind,
  { releases, random }: HostileOptions,
): SoakRequest {
  return random.pick(releases.requests.get(kind)!);
}

async function askOnce(
  client: HttpClient,
  request: SoakRequest,
  options: HostileOptions,
  headers = request.headers,
): Promise<boolean> {
  const oldest = options.judge.oldest;
  const reply = await client.ask({ ...request, headers });
  judgeReply(request, 0, reply, oldest, options);
  return true;
}

/** Waits, but not after the signal. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => {});
}
