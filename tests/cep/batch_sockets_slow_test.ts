/** Batches of CEPs over sockets, on the servers of Deno and Node. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect, type Socket } from "node:net";
import process from "node:process";
import { createHandler, type HandlerOptions } from "../../cep/http/handler.ts";
import type { Listen, RunningServer } from "../../cep/serve/listen.ts";
import { CapturingLogger } from "./_logger.ts";
import { addresses, recordsStore } from "./_records.ts";
import { within } from "./_within.ts";

const RECORDS = addresses(1_900_001, 9);
const CEPS = RECORDS.map(({ cep }) => cep);
const LINES = CEPS.map((cep) => `${cep}\n`).join("");
const LONG_MS = 60_000;

/** Server of a runtime. */
class Served implements AsyncDisposable {
  readonly #server: RunningServer;

  /** Resolves when a body is not read any further, before its end. */
  readonly stopped: Promise<void>;

  private constructor(server: RunningServer, stopped: Promise<void>) {
    this.#server = server;
    this.stopped = stopped;
  }

  static async start(
    listen: Listen,
    { bodyMs = LONG_MS, ...options }: Partial<HandlerOptions>,
  ): Promise<Served> {
    const stopped = Promise.withResolvers<void>();
    const handler = createHandler({
      store: recordsStore(RECORDS),
      ...options,
      config: { rateLimit: false },
      logger: new CapturingLogger(),
      bodyMs,
    });
    const server = await listen({
      handler: (request, info) =>
        handler(watch(request, stopped.resolve), info),
      host: "127.0.0.1",
      port: 0,
      onError() {},
    });
    return new Served(server, stopped.promise);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.address.port}/ceps`;
  }

  /** Opens a connection, and begins a stream of lines. */
  stream(...chunks: readonly string[]): Socket {
    const socket = connect(this.#server.address.port, "127.0.0.1");
    socket.setEncoding("latin1").on("error", () => {});
    const head = [
      "POST /ceps HTTP/1.1",
      "Host: localhost",
      "Content-Type: application/x-ndjson",
      "Transfer-Encoding: chunked",
    ];
    socket.write([...head, "", ""].join("\r\n"));
    for (const chunk of chunks) writeChunk(socket, chunk);
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await within("the end of the server", this.#server.shutdown());
  }
}

/** Returns a request that reports when its body is cancelled or cut off. */
function watch(request: Request, onStop: () => void): Request {
  if (request.body === null) return request;
  const reader = request.body.getReader();
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        onStop();
        throw error;
      });
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      onStop();
      await reader.cancel(reason);
    },
  });
  const { url, method, headers } = request;
  const init = { method, headers, body, duplex: "half" };
  return new Request(url, init);
}

function writeChunk(socket: Socket, text: string): boolean {
  return socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
}

/** Receives until a text occurs. */
async function receive(socket: Socket, text: string): Promise<string> {
  let received = "";
  const found = Promise.withResolvers<void>();
  const add = (part: string) => {
    received += part;
    if (received.includes(text)) found.resolve();
  };
  socket.on("data", add);
  await within(text, found.promise);
  socket.off("data", add);
  return received;
}

async function runtimes(): Promise<Readonly<Record<string, Listen>>> {
  const node = (await import("../../cep/serve/node.ts")).listen;
  if (!("deno" in process.versions)) return { node };
  return { node, deno: (await import("../../cep/serve/deno.ts")).listen };
}

/** Defines a test on each server. */
function test(
  name: string,
  action: (served: Served) => Promise<void>,
  options: Partial<HandlerOptions> = {},
): void {
  Deno.test(`POST /ceps ${name}`, async (t) => {
    for (const [runtime, listen] of Object.entries(await runtimes())) {
      await t.step(runtime, async () => {
        await using served = await Served.start(listen, options);
        await action(served);
      });
    }
  });
}

test("answers arrays on one connection, compressed", async ({ url }) => {
  for (let i = 0; i < 3; i++) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(CEPS),
    });
    assertEquals(response.headers.get("vary"), "Accept-Encoding");
    assertEquals(await response.json(), RECORDS);
  }
});

test("answers a stream while it is sent", async (served) => {
  const socket = served.stream(LINES);
  assertStringIncludes(await receive(socket, CEPS.at(-1)!), CEPS[0]!);
  writeChunk(socket, "x\n");
  await receive(socket, "cep_invalid");
  socket.write("0\r\n\r\n");
  await receive(socket, "0\r\n\r\n");
  socket.destroy();
});

test("answers a long stream of fetch", async ({ url }) => {
  const lines = LINES.repeat(100);
  let chunks = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (chunks++ < 20) controller.enqueue(new TextEncoder().encode(lines));
      else controller.close();
    },
  });
  const init = { method: "POST", body, duplex: "half" };
  const headers = { "content-type": "application/x-ndjson" };
  const response = await fetch(url, { ...init, headers });
  // Streams are not compressed.
  assertEquals(response.headers.get("content-encoding"), null);
  const text = await response.text();
  assertEquals(text.split("\n").length - 1, 9 * 100 * 20);
  assertEquals(text.startsWith(JSON.stringify(RECORDS[0])), true);
});

test("ends a stream whose client stops sending", async (served) => {
  const socket = served.stream("01900001\n0190");
  const text = await receive(socket, "0\r\n\r\n");
  assertStringIncludes(text, RECORDS[0]!.logradouro);
  assertStringIncludes(text, "body_timeout");
  socket.destroy();
}, { bodyMs: 1000 });

test("stops reading from a client that stops receiving", async (served) => {
  const socket = served.stream();
  socket.pause();
  const lines = LINES.repeat(1000);
  // The answers are longer than the lines, and fill the buffers of the sockets.
  socket.on("drain", function more() {
    while (writeChunk(socket, lines));
  });
  while (writeChunk(socket, lines));
  await within("the end of reading", served.stopped);
  socket.destroy();
}, { bodyMs: 50 });

test("stops reading if the client disconnects", async (served) => {
  const socket = served.stream("01900001\n");
  await receive(socket, RECORDS[0]!.logradouro);
  socket.destroy();
  await within("the end of reading", served.stopped);
});

/** Lines of a stream that takes as many turns of the event loop. */
const MANY = 300;

let ms = 0;

test("lets other requests be answered during a stream", async (served) => {
  const socket = served.stream("01900001\n".repeat(MANY));
  let answered = 0;
  const first = Promise.withResolvers<void>();
  socket.on("data", (text: string) => {
    answered += text.split("tipo_logradouro").length - 1;
    first.resolve();
  });
  await within("the first answer", first.promise);
  const response = await fetch(served.url, { method: "OPTIONS" });
  await response.body?.cancel();
  assert(answered < MANY, `${answered} lines were answered before`);
  socket.write("0\r\n\r\n");
  await receive(socket, "\r\n0\r\n\r\n");
  socket.destroy();
}, { now: () => ms += 10 });
