/** Requests of `node:http` to the service, without those of the web platform. */
import { assertEquals, assertMatch } from "@std/assert";
import { once } from "node:events";
import { connect } from "node:net";
import type { Incoming, Reply } from "../../../cep/http/reply.ts";
import type { RunningServer, ServeHandler } from "../../../cep/serve/listen.ts";
import { listen } from "../../../cep/serve/node.ts";
import { addresses } from "../_records.ts";
import { Service } from "../_service.ts";
import { within } from "../_within.ts";

const CORS = "Origin: https://loja.example\r\n";

/** Requests, and the statuses that they are answered with. */
const REQUESTS: Readonly<Record<string, number>> = {
  "GET /cep/01900001 HTTP/1.1": 200,
  "GET /cep/01900001/ HTTP/1.1": 200,
  "GET http://outro.example/cep/01900001 HTTP/1.1": 200,
  "HEAD /cep/01900001 HTTP/1.1": 200,
  "GET /cep/01900001 HTTP/1.1\r\nIf-None-Match: *": 304,
  'GET /cep/01900001 HTTP/1.1\r\nIf-None-Match: "a"\r\nIf-None-Match: "b"': 200,
  "GET /cep/01900001 HTTP/1.1\r\nX-Request-Id: r-1": 200,
  [`GET /cep/01900001 HTTP/1.1\r\n${CORS}Accept-Encoding: gzip`]: 200,
  "GET /debug/list HTTP/1.1\r\nAccept-Encoding: gzip": 200,
  "HEAD /debug/list HTTP/1.1": 200,
  "GET /cep/../metrics HTTP/1.1\r\nX-Request-Id: r-1": 404,
  "GET /cep/99999999 HTTP/1.1\r\nX-Request-Id: r-1": 404,
  "GET /cep/x HTTP/1.1\r\nX-Request-Id: r-1": 400,
  "DELETE /cep/01900001 HTTP/1.1\r\nX-Request-Id: r-1": 405,
  [`OPTIONS /cep HTTP/1.1\r\n${CORS}Access-Control-Request-Method: GET`]: 204,
  'POST /ceps HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n["01900001"]':
    200,
};

/** Returns a handler without `reply`, like that of a user. */
function wrapped({ handler }: Service): ServeHandler {
  return (request, info) => handler(request, info);
}

for (const [request, status] of Object.entries(REQUESTS)) {
  Deno.test(`createNodeListener answers ${JSON.stringify(request)} as through a Request`, async () => {
    await using service = await Service.open({
      records: addresses(1_900_001, 150),
      config: { rateLimit: false },
    });
    const answers: string[] = [];
    for (const handler of [service.handler, wrapped(service)]) {
      const server = await start(handler);
      answers.push(await send(server, request));
      await server.shutdown();
    }
    assertMatch(answers[0]!, RegExp(`^HTTP/1\\.1 ${status} `));
    assertEquals(answers[0], answers[1]);
  });
}

/** Status lines by the replies of a service. */
const STATUS_LINES: Readonly<
  Record<string, { status: number; content: string | null }>
> = {
  "HTTP/1.1 200 OK": { status: 200, content: "{}" },
  "HTTP/1.1 204 No Content": { status: 204, content: null },
  "HTTP/1.1 404 Not Found": { status: 404, content: "{}" },
  "HTTP/1.1 429 Too Many Requests": { status: 429, content: "{}" },
  "HTTP/1.1 503 Service Unavailable": { status: 503, content: "{}" },
};

for (const [line, { status, content }] of Object.entries(STATUS_LINES)) {
  const responses: Record<string, ServeHandler> = {
    "a reply": replying(() => ({ status, content, headers: {} })),
    "a reply in a stream": replying(() =>
      Promise.resolve({
        status,
        content: new Response(content).body,
        headers: {},
      })
    ),
    "a Response": () => new Response(content, { status }),
  };
  for (const [name, handler] of Object.entries(responses)) {
    Deno.test(`createNodeListener sends ${line} for ${name}`, async () => {
      const server = await start(handler);
      const answer = await send(server, "GET / HTTP/1.1");
      await server.shutdown();
      assertEquals(answer.split("\r\n")[0], line);
    });
  }
}

Deno.test("createNodeListener sends the reason of a Response that has one", async () => {
  const server = await start(() => new Response(null, { statusText: "Feito" }));
  const answer = await send(server, "GET / HTTP/1.1");
  await server.shutdown();
  assertEquals(answer.split("\r\n")[0], "HTTP/1.1 200 Feito");
});

const BROKEN: Readonly<Record<string, (request: Incoming) => Reply>> = {
  "an exception": () => {
    throw new Error("broken");
  },
  "a header that is not allowed": () => ({
    status: 200,
    headers: { "x-a": "a\r\nb: c" },
    content: null,
  }),
};

for (const [name, reply] of Object.entries(BROKEN)) {
  for (const later of [false, true]) {
    const time = later ? "later" : "at once";
    Deno.test(`createNodeListener returns 500 and reports ${name} of a reply ${time}`, async () => {
      const errors: unknown[] = [];
      const server = await start(
        replying((it) => later ? Promise.resolve(it).then(reply) : reply(it)),
        (error) => errors.push(error),
      );
      const answer = await send(server, "GET / HTTP/1.1");
      await server.shutdown();
      assertMatch(answer, /^HTTP\/1\.1 500 Internal Server Error\r\n/);
      assertEquals(errors.length, 1);
    });
  }
}

Deno.test("createNodeListener cancels the stream of a reply whose client has left", async () => {
  const cancelled = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const content = new ReadableStream<Uint8Array>({
    cancel: () => cancelled.resolve(),
  });
  const asked = Promise.withResolvers<void>();
  const server = await start(replying(async () => {
    asked.resolve();
    await left.promise;
    return { status: 200, headers: {}, content };
  }));
  const socket = connect(server.address.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await asked.promise;
  socket.destroy();
  const down = server.shutdown();
  await within("the end of the connection", down);
  left.resolve();
  await within("the cancellation", cancelled.promise);
});

function replying(reply: NonNullable<ServeHandler["reply"]>): ServeHandler {
  const refuse = () => {
    throw new Error("Cannot handle a Request: a reply was expected");
  };
  return Object.assign(refuse, { reply });
}

function start(
  handler: ServeHandler,
  onError: (error: unknown) => void = (error) => {
    throw error;
  },
): Promise<RunningServer> {
  return listen({ handler, host: "127.0.0.1", port: 0, onError });
}

/** Sends a request, and returns the response without what differs each time. */
async function send(
  { address }: RunningServer,
  request: string,
): Promise<string> {
  const socket = connect(address.port, "127.0.0.1").setEncoding("latin1");
  const [head, body = ""] = request.split("\r\n\r\n");
  socket.write(
    `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n${body}`,
  );
  let answer = "";
  socket.on("data", (chunk) => answer += chunk);
  await within("the answer", once(socket, "close"));
  const end = answer.indexOf("\r\n\r\n");
  const [line, ...headers] = answer.slice(0, end).split("\r\n");
  const sent = headers.map((it) => it.toLowerCase()).filter((it) =>
    !it.startsWith("date:")
  );
  return [line, ...sent.sort(), answer.slice(end)].join("\r\n");
}
