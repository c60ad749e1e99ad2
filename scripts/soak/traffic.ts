import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../generate_dne/random.ts";
import type { AnswerJudge, Reply, Verdict } from "./answer_judge.ts";
import { HttpClient, type Target, type WireReply } from "./http_client.ts";
import { nextPath, normalize, PAGES } from "./reference.ts";
import type { Releases } from "./releases.ts";
import { type Kind, KINDS, type SoakRequest } from "./request.ts";
import type { Tally } from "./tally.ts";

/** Surroundings of the traffic. */
export interface TrafficOptions {
  readonly target: Target;
  readonly releases: Pick<Releases, "requests" | "reference">;
  readonly judge: AnswerJudge;
  readonly tally: Tally;
  readonly random: Random;
  /** Ends the traffic. */
  readonly signal: AbortSignal;
  /** Milliseconds between two requests of a client. */
  readonly pauseMs: number;
}

/** Requests of a connection, after which the client opens another one. */
const REQUESTS_PER_CONNECTION = 300;

/** Headers of clients: browsers, programs and proxies. */
const CLIENTS: readonly Readonly<Record<string, string>>[] = [
  { accept: "*/*", "accept-encoding": "gzip, deflate, br" },
  { "user-agent": "soak", accept: "application/json" },
  { "accept-encoding": "gzip;q=0.5, identity;q=0.1", origin: "https://a.test" },
];

/** Kinds of requests, each as often as its share says. */
const MIX: readonly Kind[] = (Object.keys(KINDS) as Kind[])
  .flatMap((kind) => Array<Kind>(KINDS[kind].share).fill(kind));

/** Sends requests on one connection after another until the signal. */
export async function runClient(options: TrafficOptions): Promise<void> {
  const { target, tally, random, signal, pauseMs } = options;
  while (!signal.aborted) {
    const headers = random.pick(CLIENTS);
    let kind: Kind = "lookup";
    try {
      using client = await HttpClient.open(target);
      for (let i = 0; i < REQUESTS_PER_CONNECTION; i++) {
        if (signal.aborted || !client.isOpen) break;
        kind = random.pick(MIX);
        const request = random.pick(options.releases.requests.get(kind)!);
        await askPages(client, request, headers, options);
        await delay(random.int(2 * pauseMs + 1));
      }
    } catch (error) {
      tally.fault(kind, `Cannot read the answer: ${(error as Error).message}`);
      await delay(pauseMs);
    }
  }
}

/** Sends a request, asks for the next pages, and revalidates a record. */
async function askPages(
  client: HttpClient,
  request: SoakRequest,
  headers: Readonly<Record<string, string>>,
  options: TrafficOptions,
): Promise<void> {
  let path: string | undefined = request.path;
  for (let page = 0; path !== undefined && page < PAGES; page++) {
    const oldest = options.judge.oldest;
    const wire = {
      ...request,
      path,
      headers: { ...headers, ...request.headers },
    };
    const reply = await ask(client, wire, request.kind, options);
    const isStaleCursor = page > 0 && reply.status === 400 &&
      reply.body.includes('"cursor_invalid"');
    // The cursor is of a release that has been replaced.
    if (isStaleCursor && options.judge.newest > 0) return;
    judgeReply(request, page, reply, oldest, options);
    path = request.kind === "pages" ? nextPath(request, reply.body) : undefined;
    const tag = reply.headers.get("etag");
    if (request.kind === "lookup" && tag && options.random.chance(20)) {
      await revalidate(client, request, { headers, tag, reply }, options);
    }
  }
}

/** Repeats a request with the tag of its answer. */
async function revalidate(
  client: HttpClient,
  request: SoakRequest,
  first: {
    readonly headers: Readonly<Record<string, string>>;
    readonly tag: string;
    readonly reply: Reply;
  },
  options: TrafficOptions,
): Promise<void> {
  const oldest = options.judge.oldest;
  const headers = { ...first.headers, "if-none-match": first.tag };
  const reply = await ask(
    client,
    { ...request, headers },
    "revalidate",
    options,
  );
  // The answer is the one that the client has.
  const meant = reply.status === 304 ? first.reply : reply;
  judgeReply(request, 0, meant, oldest, options);
}

async function ask(
  client: HttpClient,
  request: SoakRequest,
  kind: string,
  { tally }: TrafficOptions,
): Promise<WireReply> {
  const start = performance.now();
  const reply = await client.ask(request);
  tally.add(kind, performance.now() - start);
  return reply;
}

/** Kinds of requests whose answers are streams of lines. */
const LINES: ReadonlySet<Kind> = new Set<Kind>(["stream", "slow reader"]);

/** Judges an answer, and counts a fault. */
export function judgeReply(
  request: SoakRequest,
  page: number,
  reply: Reply,
  oldest: number,
  { judge, releases, tally }: Pick<
    TrafficOptions,
    "judge" | "releases" | "tally"
  >,
): Verdict {
  const expect = (release: number) =>
    releases.reference(release).reply(request, page);
  const normal = normalize(reply);
  const verdict = LINES.has(request.kind)
    ? judge.judgeLines(normal, oldest, expect)
    : judge.judge(normal, oldest, expect);
  if (verdict !== "right") {
    tally.fault(
      request.kind,
      `${verdict} answer to ${request.method} ${request.path.slice(0, 200)}` +
        ` of releases ${oldest} to ${judge.newest}: ${describe(normal)}, ` +
        `expected ${describe(expect(judge.newest))}`,
    );
  }
  return verdict;
}

function describe({ status, body }: Reply): string {
  const text = body.length > 300 ? `${body.slice(0, 300)}…` : body;
  return `${status} ${text} (${body.length} characters)`;
}
