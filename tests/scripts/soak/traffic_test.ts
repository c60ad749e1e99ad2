/** Traffic to services that answer wrongly. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { Random } from "../../../scripts/generate_dne/random.ts";
import { AnswerJudge } from "../../../scripts/soak/judge.ts";
import type { Reply } from "../../../scripts/soak/releases.ts";
import {
  type Kind,
  KINDS,
  type SoakRequest,
} from "../../../scripts/soak/requests.ts";
import {
  type HostileKind,
  runClient,
  runHostile,
  Tally,
} from "../../../scripts/soak/traffic.ts";

/** Server on a free loopback port, closed at the end of the block. */
async function listen(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns the surroundings of traffic of one request that a release answers. */
function surroundings(url: string, expected: Reply) {
  const kinds = Object.keys(KINDS) as Kind[];
  const traffic = new AbortController();
  const request = (kind: Kind): SoakRequest => ({
    kind,
    method: "GET",
    path: "/",
    headers: {},
  });
  return {
    url,
    releases: {
      requests: new Map(kinds.map((kind) => [kind, [request(kind)]])),
      reply: () => expected,
    },
    judge: new AnswerJudge(),
    tally: new Tally(),
    random: new Random(7, "test"),
    traffic,
    signal: traffic.signal,
    pauseMs: 0,
    dawdleMs: 10,
  };
}

/** Sends requests until the server has answered some. */
async function faultsOf(listener: RequestListener): Promise<Tally> {
  const answered = Promise.withResolvers<void>();
  let count = 0;
  await using target = await listen((request, response) => {
    listener(request, response);
    if (++count === 10) answered.resolve();
  });
  const options = surroundings(target.url, { status: 200, body: "right" });
  const running = runClient(options);
  await answered.promise;
  options.traffic.abort();
  await running;
  return options.tally;
}

Deno.test("runClient finds right answers without a fault", async () => {
  const plain = await faultsOf((_, response) => response.end("right"));
  assertEquals(plain.described, []);
  const gzip = await faultsOf(({ headers }, response) =>
    headers["accept-encoding"] === "identity"
      ? response.end("right")
      : response.setHeader("content-encoding", "gzip").end(gzipSync("right"))
  );
  assertEquals(gzip.described, []);
  const chunks = await faultsOf((_, response) => {
    response.write("ri");
    response.end("ght");
  });
  assertEquals(chunks.described, []);
  assert(chunks.answers > 0);
});

const WRONG: readonly [
  name: string,
  listener: RequestListener,
  description: string,
][] = [
  [
    "another body",
    (_, response) => response.end("wrong"),
    "wrong answer to GET /",
  ],
  [
    "another status",
    (_, response) => response.writeHead(404).end("right"),
    "404 right",
  ],
  [
    "a body that is cut",
    (_, response) => {
      response.writeHead(200, { "content-length": "9" }).write("right");
      response.destroy();
    },
    "Cannot read the answer",
  ],
  [
    "no answer",
    (_, response) => response.destroy(),
    "Cannot read the answer",
  ],
  [
    "garbage as gzip",
    (_, response) =>
      response.setHeader("content-encoding", "gzip").end("right"),
    "Cannot read the answer",
  ],
];

for (const [name, listener, description] of WRONG) {
  Deno.test(`runClient counts ${name} as a fault`, async () => {
    const { faults, described } = await faultsOf(listener);
    assert(faults > 0);
    assertStringIncludes(described[0]!, description);
  });
}

const HOSTILE: readonly [kind: HostileKind, listener: RequestListener][] = [
  ["endless body", (_, response) => response.end("[]")],
  ["churn", (_, response) => response.end("wrong")],
  ["slow reader", (_, response) => response.end("wrong")],
];

for (const [kind, listener] of HOSTILE) {
  Deno.test(`runHostile counts a wrong answer to "${kind}" as a fault`, async () => {
    await using target = await listen(listener);
    const options = surroundings(target.url, { status: 200, body: "right" });
    const { tally, traffic } = options;
    // The pause after the first round ends it.
    const random = new class extends Random {
      override int(limit: number): number {
        if (tally.faults > 0) traffic.abort();
        return super.int(limit);
      }
    }(7, "test");
    await runHostile(kind, { ...options, random });
    assertEquals(tally.faults, 1);
  });
}
