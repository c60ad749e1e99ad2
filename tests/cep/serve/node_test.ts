/** Server of Node, over real sockets. */
import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import process from "node:process";
import type { RunningServer, ServeHandler } from "../../../cep/serve/listen.ts";
import { listen } from "../../../cep/serve/node.ts";
import { createNodeListener } from "../../../cep/serve/node_listener.ts";
import { within } from "../_within.ts";

/** Server, and the errors that it reports. */
class Served implements AsyncDisposable {
  private constructor(
    readonly server: RunningServer,
    readonly errors: unknown[],
  ) {}

  static async start(handler: ServeHandler): Promise<Served> {
    const errors: unknown[] = [];
    const server = await listen({
      handler,
      host: "127.0.0.1",
      port: 0,
      onError: (error) => errors.push(error),
    });
    return new Served(server, errors);
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.address.port}`;
  }

  /** Opens a connection. */
  connect(): Socket {
    return connect(this.server.address.port, "127.0.0.1").setEncoding("latin1");
  }

  /** Sends lines, and receives everything until the connection is closed. */
  async raw(...lines: readonly string[]): Promise<string> {
    const socket = this.connect();
    socket.write([...lines, "connection: close", "", ""].join("\r\n"));
    return await within("the end of the answer", readAll(socket));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await within("the end of the server", this.server.shutdown());
  }
}

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => text += chunk);
  await once(socket, "close");
  return text;
}

const describe: ServeHandler = (request, { remoteAddr }) => {
  const { method, headers, url } = request;
  return Promise.resolve(Response.json([
    method,
    url.replace(/^http:\/\/[^/]*/, ""),
    headers.get("x-some"),
    remoteAddr?.hostname,
  ]));
};

const TARGETS = {
  "/cep/01310100?a=b": "/cep/01310100?a=b",
  "//cep//01310100": "//cep//01310100",
  "http://elsewhere.example/cep/01310100?a=b": "/cep/01310100?a=b",
  "http://elsewhere.example:99999/cep/../metrics": "/cep/../metrics",
  "http://elsewhere.example?a=b": "/?a=b",
  "/cep/%5B%2F": "/cep/%5B%2F",
  "/cep\\01310100": "/cep\\01310100",
  "/cep/../metrics": "/cep/../metrics",
  "/cep/%2e%2e/metrics": "/cep/%2e%2e/metrics",
  "/?": "/?",
};

for (const [target, path] of Object.entries(TARGETS)) {
  Deno.test(`createNodeListener passes the target ${target} as ${path}`, async () => {
    await using served = await Served.start(describe);
    const answer = await served.raw(
      `GET ${target} HTTP/1.1`,
      "host: localhost",
      "x-some: a",
      "X-Some: b",
    );
    const [method, found, header, address] = JSON.parse(bodyOf(answer));
    assertEquals([method, found], ["GET", path]);
    assertEquals([header, address], ["a, b", "127.0.0.1"]);
  });
}

for (const host of ["[", "a b", "%", "localhost:99999", "a/b?c#d@e"]) {
  Deno.test(`createNodeListener handles a request with the header Host: ${host}`, async () => {
    await using served = await Served.start(describe);
    const answer = await served.raw("GET /a HTTP/1.1", `host: ${host}`);
    assertEquals(JSON.parse(bodyOf(answer)).slice(0, 2), ["GET", "/a"]);
  });
}

Deno.test("createNodeListener passes TRACE, which the Request constructor refuses", async () => {
  await using served = await Served.start(describe);
  const answer = await served.raw("TRACE / HTTP/1.1", "host: localhost");
  assertEquals(JSON.parse(bodyOf(answer)).slice(0, 2), ["TRACE", "/"]);
});

for (const method of ["GET", "POST", "OPTIONS"]) {
  Deno.test(`createNodeListener handles the request after an unread body of ${method}`, async () => {
    await using served = await Served.start(describe);
    const socket = served.connect();
    const body = "a".repeat(1_000_000);
    socket.write(
      `${method} /first HTTP/1.1\r\nhost: a\r\n` +
        `content-length: ${body.length}\r\n\r\n`,
    );
    await once(socket, "data");
    socket.write(body);
    socket.write("GET /next HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    const answer = await within("the next answer", readAll(socket));
    assertStringIncludes(answer, `"/next"`);
  });
}

Deno.test("createNodeListener returns 400 for HTTP/0.9", async () => {
  await using served = await Served.start(describe);
  const socket = served.connect();
  socket.write("GET /\r\n\r\n");
  assertMatch(await readAll(socket), /^HTTP\/1\.1 400 /);
});

Deno.test("createNodeListener returns 500 and reports an error of the handler", async () => {
  const error = new Error("broken");
  await using served = await Served.start(() => Promise.reject(error));
  const response = await fetch(served.url);
  assertEquals([response.status, await response.text()], [500, ""]);
  assertEquals(served.errors, [error]);
});

Deno.test("createNodeListener returns 500 and reports a response whose body has been read", async () => {
  await using served = await Served.start(async () => {
    const response = new Response("once");
    await response.text();
    return response;
  });
  const response = await fetch(served.url);
  assertEquals([response.status, await response.text()], [500, ""]);
  assertMatch(String(served.errors), /its body has been read/);
});

Deno.test({
  name: "createNodeListener cuts off and reports a response whose body fails",
  // The `node:http` of Deno does not keep the error of a destroyed response.
  ignore: "deno" in process.versions,
  async fn() {
    const error = new Error("broken");
    const told = Promise.withResolvers<unknown>();
    const listener = createNodeListener(
      () => Promise.resolve(new Response(failing(error))),
      told.resolve,
    );
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await assertRejects(async () => {
      await (await fetch(`http://127.0.0.1:${port}`)).arrayBuffer();
    });
    assertEquals(await within("the error", told.promise), error);
    server.close();
  },
});

/** Body that fails after its first bytes. */
function failing(error: Error): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    pull: (controller) => controller.error(error),
  }, { highWaterMark: 2 });
}

Deno.test("createNodeListener responds to HEAD with the length and without a body", async () => {
  await using served = await Served.start(() =>
    Promise.resolve(
      new Response("unsent", { headers: { "content-length": "1234" } }),
    )
  );
  const answer = await served.raw("HEAD / HTTP/1.1", "host: localhost");
  assertMatch(answer, /content-length: 1234\r\n/i);
  assertEquals(bodyOf(answer), "");
});

Deno.test("createNodeListener sends each cookie in a separate header", async () => {
  await using served = await Served.start(() => {
    const headers = new Headers();
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    return Promise.resolve(new Response(null, { headers }));
  });
  const response = await fetch(served.url);
  await response.body?.cancel();
  assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
});

Deno.test("createNodeListener passes the body of a request", async () => {
  await using served = await Served.start(async (request) =>
    new Response((await request.text()).toUpperCase())
  );
  const response = await fetch(served.url, { method: "POST", body: "não" });
  assertEquals(await response.text(), "NÃO");
});

Deno.test("createNodeListener sends each chunk of a stream immediately", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  await using served = await Served.start(() =>
    Promise.resolve(new Response(readable))
  );
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const first = writer.write(encoder.encode("one"));
  const { body } = await fetch(served.url);
  const received: string[] = [];
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    received.push(chunk);
    // The next chunk is written only after this one has arrived.
    if (received.length === 1) await writer.write(encoder.encode("two"));
    else await writer.close();
  }
  await first;
  assertEquals(received, ["one", "two"]);
});

Deno.test("createNodeListener aborts the signal of a request whose client disconnects", async () => {
  const arrived = Promise.withResolvers<AbortSignal>();
  const aborted = Promise.withResolvers<void>();
  await using served = await Served.start(async ({ signal }) => {
    signal.addEventListener("abort", () => aborted.resolve());
    arrived.resolve(signal);
    await aborted.promise;
    return new Response("unread");
  });
  const leaving = send(served.url).end();
  const refused = assertRejects(() => once(leaving, "response"));
  assertEquals((await arrived.promise).aborted, false);
  leaving.destroy();
  await within("the signal", aborted.promise);
  await refused;
  assertEquals(served.errors, []);
});

Deno.test("createNodeListener cancels the body when the client disconnects", async () => {
  const cancelled = Promise.withResolvers<void>();
  await using served = await Served.start(() =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new Uint8Array(10)),
          cancel: () => cancelled.resolve(),
        }),
      ),
    )
  );
  const socket = served.connect();
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  await within("the cancellation", cancelled.promise);
  assertEquals(served.errors, []);
});

Deno.test("listen accepts headers of 60,000 bytes and returns 431 for more than 64 KiB", async () => {
  await using served = await Served.start(describe);
  const ask = (bytes: number) =>
    served.raw("GET / HTTP/1.1", "host: a", `x-big: ${"a".repeat(bytes)}`);
  assertMatch(await ask(60_000), /^HTTP\/1\.1 200 /);
  assertMatch(await ask(66_000), /^HTTP\/1\.1 431 /);
});

Deno.test("listen rejects if the port is in use", async () => {
  await using served = await Served.start(describe);
  const { port } = served.server.address;
  const error = await assertRejects(() =>
    listen({ handler: describe, host: "127.0.0.1", port, onError() {} })
  );
  assertEquals((error as NodeJS.ErrnoException).code, "EADDRINUSE");
});

Deno.test("shutdown closes idle connections, including used ones", async () => {
  const served = await Served.start(describe);
  const fresh = served.connect();
  const used = served.connect();
  await once(fresh, "connect");
  used.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await once(used, "data");
  const ends = [once(fresh, "close"), once(used, "close")];
  await within("the end of the server", served.server.shutdown());
  await within("the ends", Promise.all(ends));
  await served.server.finished;
});

Deno.test("shutdown waits for a request in flight and then closes its connection", async () => {
  const started = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const served = await Served.start(async () => {
    started.resolve();
    await go.promise;
    return new Response("late", { headers: { "content-length": "4" } });
  });
  const socket = served.connect();
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const answer = readAll(socket);
  await started.promise;
  const down = served.server.shutdown();
  await assertRejects(() => fetch(served.url));
  go.resolve();
  await within("the end of the server", down);
  assertEquals(bodyOf(await answer), "late");
});

Deno.test("shutdown lets a slow client read its whole response", async () => {
  const length = 20_000_000;
  const served = await Served.start(() =>
    Promise.resolve(
      new Response(new Uint8Array(length), {
        headers: { "content-length": `${length}` },
      }),
    )
  );
  const socket = served.connect();
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await once(socket, "readable");
  const down = served.server.shutdown();
  await assertRejects(() => fetch(served.url));
  assertEquals(bodyOf(await readAll(socket)).length, length);
  await within("the end of the server", down);
});

function bodyOf(answer: string): string {
  const end = answer.indexOf("\r\n\r\n");
  const body = answer.slice(end + 4);
  return /transfer-encoding: chunked/i.test(answer.slice(0, end))
    ? body.replace(/^[\da-f]+\r\n/i, "").split("\r\n")[0]!
    : body;
}
