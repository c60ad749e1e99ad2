import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { HOSTILE_MESSAGES } from "../../tests/cep/http/_hostile.ts";
import {
  bytesOf,
  HOSTILE_REQUESTS,
} from "../../tests/cep/http/_hostile_requests.ts";
import type { Random } from "../generate_dne/random.ts";
import type { AnswerJudge } from "./judge.ts";
import {
  nextPath,
  normalize,
  PAGES,
  type Releases,
  type Reply,
} from "./releases.ts";
import { type Kind, MIX, type SoakRequest } from "./requests.ts";

/** Faults that are described; the others are only counted. */
const DESCRIBED = 20;

/** Counts by kind of traffic, and the first faults. */
export class Tally {
  /** Milliseconds of the answers, and faults. */
  readonly kinds = new Map<string, { times: number[]; faults: number }>();
  readonly described: string[] = [];

  /** Counts an answer. */
  add(kind: string, milliseconds: number): void {
    this.#of(kind).times.push(milliseconds);
  }

  /** Counts and describes a fault. */
  fault(kind: string, description: string): void {
    this.#of(kind).faults++;
    if (this.described.length < DESCRIBED) {
      this.described.push(`${kind}: ${description}`);
    }
  }

  #of(kind: string) {
    const tally = this.kinds.get(kind) ?? { times: [], faults: 0 };
    this.kinds.set(kind, tally);
    return tally;
  }

  get faults(): number {
    return this.#sum(({ faults }) => faults);
  }

  get answers(): number {
    return this.#sum(({ times }) => times.length);
  }

  #sum(count: (tally: { times: number[]; faults: number }) => number): number {
    return [...this.kinds.values()].reduce((sum, it) => sum + count(it), 0);
  }
}

/** Surroundings of the traffic. */
export interface TrafficOptions {
  /** URL of the service. */
  readonly url: string;
  readonly releases: Pick<Releases, "requests" | "reply">;
  readonly judge: AnswerJudge;
  readonly tally: Tally;
  readonly random: Random;
  /** Ends the traffic. */
  readonly signal: AbortSignal;
  /** Milliseconds between two requests of a client. */
  readonly pauseMs: number;
  /** Milliseconds for which a slow client dawdles. */
  readonly dawdleMs: number;
}

/** Requests of a client, after which another one connects. */
const REQUESTS_PER_CLIENT = 300;

/** Milliseconds in which an answer must be complete. */
const ANSWER_MS = 60_000;

/** Sends requests on one connection after another until the signal. */
export async function runClient(options: TrafficOptions): Promise<void> {
  const { tally, random, signal, pauseMs } = options;
  while (!signal.aborted) {
    let kind: Kind = "lookup";
    try {
      using client = Deno.createHttpClient({ poolMaxIdlePerHost: 1 });
      for (let i = 0; i < REQUESTS_PER_CLIENT && !signal.aborted; i++) {
        kind = random.pick(MIX);
        await askPages(someRequest(kind, options), { client }, options);
        await delay(random.int(2 * pauseMs + 1));
      }
    } catch (error) {
      tally.fault(kind, `Cannot read the answer: ${(error as Error).message}`);
      await delay(pauseMs);
    }
  }
}

function someRequest(
  kind: Kind,
  { releases, random }: TrafficOptions,
): SoakRequest {
  return random.pick(releases.requests.get(kind)!);
}

type Init = RequestInit & { client?: Deno.HttpClient };

function send(
  { path, method, headers, body }: SoakRequest,
  { headers: more, ...init }: Init,
  { url }: TrafficOptions,
): Promise<Response> {
  return fetch(url + path, {
    method,
    body: body ?? null,
    signal: AbortSignal.timeout(ANSWER_MS),
    headers: { ...headers, ...more as Record<string, string> },
    ...init,
  });
}

/** Sends a request, asks for the next pages, and revalidates a record. */
async function askPages(
  request: SoakRequest,
  init: Init,
  options: TrafficOptions,
): Promise<void> {
  const { judge, random } = options;
  // Some clients read no compressed answers.
  const encoding = random.chance(30) ? { "accept-encoding": "identity" } : {};
  let path: string | undefined = request.path;
  for (let page = 0; path !== undefined && page < PAGES; page++) {
    const oldest = judge.oldest;
    const wire = { ...request, path };
    const reply = await ask(wire, { ...init, headers: encoding }, options);
    const isStaleCursor = page > 0 && reply.status === 400 &&
      reply.body.includes('"cursor_invalid"');
    // The cursor is of a release that has been replaced.
    if (isStaleCursor && judge.newest > 0) return;
    judgeReply(request, page, reply, oldest, options);
    path = nextPath(request, reply.body);
    const { tag } = reply;
    if (request.kind !== "lookup" || !tag || !random.chance(20)) continue;
    const later = judge.oldest;
    const headers = { ...encoding, "if-none-match": tag };
    const second = await ask(request, { ...init, headers }, options);
    // The answer is the one that the client has.
    const meant = second.status === 304 ? reply : second;
    judgeReply(request, 0, meant, later, options);
  }
}

async function ask(
  request: SoakRequest,
  init: Init,
  options: TrafficOptions,
): Promise<Reply & { readonly tag: string | null }> {
  const start = performance.now();
  const response = await send(request, init, options);
  const body = await response.text();
  options.tally.add(request.kind, performance.now() - start);
  const { status, headers } = response;
  return { status, body, tag: headers.get("etag") };
}

/** Kinds of requests whose answers are streams of lines. */
const LINES: ReadonlySet<Kind> = new Set<Kind>(["stream", "slow reader"]);

/** Judges an answer, and counts a fault. */
function judgeReply(
  request: SoakRequest,
  page: number,
  reply: Reply,
  oldest: number,
  { judge, releases, tally }: TrafficOptions,
): void {
  const expect = (release: number) => releases.reply(release, request, page);
  const normal = normalize(reply);
  const verdict = LINES.has(request.kind)
    ? judge.judgeLines(normal, oldest, expect)
    : judge.judge(normal, oldest, expect);
  if (verdict === "right") return;
  tally.fault(
    request.kind,
    `${verdict} answer to ${request.method} ${request.path.slice(0, 200)}` +
      ` of releases ${oldest} to ${judge.newest}: ${describe(normal)}, ` +
      `expected ${describe(expect(judge.newest))}`,
  );
}

function describe({ status, body }: Reply): string {
  const text = body.length > 300 ? `${body.slice(0, 300)}…` : body;
  return `${status} ${text} (${body.length} characters)`;
}

/** Kinds of hostile clients, with the number of clients of each. */
export const HOSTILE_CLIENTS = {
  "aborted request": 3,
  "slow reader": 2,
  "slow head": 6,
  "slow body": 3,
  "endless body": 2,
  "idle connection": 10,
  "hostile message": 1,
  "hostile request": 1,
  "churn": 2,
} as const;

/** Kind of a hostile client. */
export type HostileKind = keyof typeof HOSTILE_CLIENTS;

/** Behaves in one way, again and again until the signal. */
export async function runHostile(
  kind: HostileKind,
  options: TrafficOptions,
): Promise<void> {
  const { signal, tally, random } = options;
  while (!signal.aborted) {
    const start = performance.now();
    try {
      using client = Deno.createHttpClient({});
      await BEHAVIOURS[kind](options, { client });
      tally.add(kind, performance.now() - start);
    } catch (error) {
      if (!signal.aborted) tally.fault(kind, (error as Error).message);
    }
    await pause(random.int(200), signal);
  }
}

/** Misbehaves once. */
type Behaviour = (options: TrafficOptions, init: Init) => Promise<void>;

const BEHAVIOURS: Readonly<Record<HostileKind, Behaviour>> = {
  async "aborted request"(options, init) {
    const { random } = options;
    const kind = random.pick<Kind>(["lookup", "search", "batch", "stream"]);
    const signal = AbortSignal.timeout(random.int(15));
    const request = someRequest(kind, options);
    await send(request, { ...init, signal }, options)
      .then((response) => response.text()).catch(() => {});
  },

  async "slow reader"(options, init) {
    const { random, signal, judge } = options;
    const request = someRequest("slow reader", options);
    const oldest = judge.oldest;
    const { body, status } = await send(request, init, options);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body!) {
      await pause(random.int(100), signal);
      chunks.push(chunk);
    }
    const reply = { status, body: Buffer.concat(chunks).toString() };
    judgeReply(request, 0, reply, oldest, options);
  },

  async "slow head"({ url, random, signal, dawdleMs }) {
    await using socket = await open(url);
    socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    for (let i = 0; i < 10 && !signal.aborted; i++) {
      socket.write("x");
      await pause(dawdleMs / 10, signal);
    }
    // Others leave without a word.
    if (signal.aborted || random.chance(50)) return;
    socket.write("\r\n\r\n");
    // A service that bounds the time of a head has closed the connection.
    await firstBytes(socket, dawdleMs);
  },

  async "slow body"(options, init) {
    const { signal, dawdleMs, judge } = options;
    const request = someRequest("batch", options);
    const bytes = Buffer.from(request.body ?? "");
    const size = Math.ceil(bytes.length / 10);
    const parts = async function* () {
      for (let i = 0; i < bytes.length; i += size) {
        yield bytes.subarray(i, i + size);
        await pause(dawdleMs / 10, signal);
      }
    };
    const body = ReadableStream.from(parts());
    const oldest = judge.oldest;
    const response = await send(request, { ...init, body }, options);
    const reply = { status: response.status, body: await response.text() };
    judgeReply(request, 0, reply, oldest, options);
  },

  async "endless body"(options, init) {
    const { signal } = options;
    const request = someRequest("batch", options);
    const { readable: body, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    writer.write(Buffer.from("[")).catch(() => {});
    // The connection stays open until the body ends.
    const end = () => void writer.abort().catch(() => {});
    signal.addEventListener("abort", end, { once: true });
    const response = await send(request, { ...init, body, signal }, options);
    const text = await response.text();
    end();
    if (response.status === 408 && text.includes('"body_timeout"')) return;
    throw new Error(`answered with ${response.status} ${text}`);
  },

  async "idle connection"({ url, signal, dawdleMs }) {
    await using _socket = await open(url);
    await pause(dawdleMs, signal);
  },

  async "hostile message"({ url, random, dawdleMs }) {
    const { bytes, name } = random.pick(REFUSED);
    const status = await statusOf(url, bytes, dawdleMs);
    if (status < 400) throw new Error(`${name}: answered with ${status}`);
  },

  async "hostile request"({ url, random, dawdleMs }) {
    const request = random.pick(HOSTILE_REQUESTS);
    const status = await statusOf(url, bytesOf(request), dawdleMs);
    // The tests of it have other records, so that only a failure is wrong.
    if (status < 500 || status === NO_ANSWER) return;
    if (request.statuses.includes(status)) return;
    throw new Error(`${request.name}: answered with ${status}`);
  },

  async "churn"(options, init) {
    const request = someRequest("lookup", options);
    const oldest = options.judge.oldest;
    const response = await send(request, init, options);
    const reply = { status: response.status, body: await response.text() };
    judgeReply(request, 0, reply, oldest, options);
  },
};

/** Messages that must be refused. */
const REFUSED = HOSTILE_MESSAGES.filter(({ expected }) =>
  expected === "refused"
);

async function open(url: string): Promise<Socket & AsyncDisposable> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port) });
  await once(socket, "connect");
  // The next read reports an error.
  socket.on("error", () => {});
  return Object.assign(socket, {
    async [Symbol.asyncDispose]() {
      const closed = socket.closed ? undefined : once(socket, "close");
      socket.destroy();
      await closed;
    },
  });
}

/** Resolves with the first bytes of an answer, `""` without any. */
async function firstBytes(socket: Socket, milliseconds: number) {
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.once("data", (bytes) => resolve(bytes.toString()));
  socket.once("close", () => resolve(""));
  const timer = setTimeout(() => resolve(""), milliseconds);
  return await promise.finally(() => clearTimeout(timer));
}

const NO_ANSWER = Infinity;

/** Returns the status of the answer to some bytes. */
async function statusOf(url: string, bytes: string, milliseconds: number) {
  await using socket = await open(url);
  socket.write(Buffer.from(bytes, "latin1"));
  const answer = await firstBytes(socket, milliseconds);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? NO_ANSWER);
}

/** Waits, but not after the signal. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => {});
}
