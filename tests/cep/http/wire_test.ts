/** Responses of the runtime's server on a socket. */
import { assertEquals, assertMatch } from "@std/assert";
import process from "node:process";
import type { RunningServer } from "../../../cep/serve/listen.ts";
import { Connection } from "../_connection.ts";
import { address, addresses } from "../_records.ts";
import { Service } from "../_service.ts";

const RECORD = address();
const BYTES = new TextEncoder().encode(JSON.stringify(RECORD)).length;

interface Case {
  readonly method: string;
  readonly headers?: string;
  readonly status: number;
  /** Value of `Content-Length`, `null` without one. */
  readonly length: number | null;
  /** Bytes of the body. */
  readonly sent: number;
}

const CASES: readonly Case[] = [
  { method: "GET", status: 200, length: BYTES, sent: BYTES },
  { method: "HEAD", status: 200, length: BYTES, sent: 0 },
  {
    method: "HEAD",
    headers: "Accept-Encoding: gzip",
    status: 200,
    length: BYTES,
    sent: 0,
  },
  ...["GET", "HEAD"].map((method) => ({
    method,
    headers: "If-None-Match: *",
    status: 304,
    length: null,
    sent: 0,
  })),
];

for (const { method, headers = "X: x", status, length, sent } of CASES) {
  Deno.test(`listen sends ${status} for ${method} with the header ${headers}`, async () => {
    await using service = await Service.open({ records: [RECORD] });
    const server = await listen(service);
    try {
      const { head, body } = await send(
        server,
        `${method} /cep/01900001 HTTP/1.1\r\n${headers}\r\n`,
      );
      assertMatch(head, new RegExp(`^HTTP/1\\.1 ${status} `));
      const [, told] = /^content-length: (.*)$/mi.exec(head) ?? [];
      assertEquals(told ?? null, length === null ? null : `${length}`);
      assertMatch(head, /^etag: "\w+"$/mi);
      assertMatch(head, /^cache-control: max-age=300$/mi);
      assertEquals(/^vary:/mi.test(head), false);
      assertEquals(body.length, sent);
    } finally {
      await server.shutdown();
    }
  });
}

for (const path of ["/cep/01900001", "/nada", "/metrics", "/ws/x/json"]) {
  Deno.test(`listen sends ${path} without the name of the server`, async () => {
    await using service = await Service.open({ records: [RECORD] });
    const server = await listen(service);
    try {
      const { head } = await send(server, `GET ${path} HTTP/1.1\r\n`);
      assertMatch(head, /^x-content-type-options: nosniff$/mi);
      assertEquals(/^(server|via|x-powered-by):/mi.test(head), false, head);
    } finally {
      await server.shutdown();
    }
  });
}

Deno.test("listen sends the length of an uncompressed list for HEAD", async () => {
  const records = addresses(1_900_001, 150);
  await using service = await Service.open({ records });
  const server = await listen(service);
  try {
    const get = await send(server, "GET /debug/list HTTP/1.1\r\n");
    const { head } = await send(
      server,
      "HEAD /debug/list HTTP/1.1\r\nAccept-Encoding: gzip\r\n",
    );
    assertMatch(head, /^vary: Accept-Encoding$/mi);
    assertMatch(
      head,
      new RegExp(`^content-length: ${get.body.length}$`, "mi"),
    );
  } finally {
    await server.shutdown();
  }
});

async function listen({ handler }: Service): Promise<RunningServer> {
  const { listen } = "deno" in process.versions
    ? await import("../../../cep/serve/deno.ts")
    : await import("../../../cep/serve/node.ts");
  return await listen({
    handler,
    host: "127.0.0.1",
    port: 0,
    onError(error) {
      throw error;
    },
  });
}

/** Sends the head of a request, and receives the response. */
async function send(
  { address }: RunningServer,
  head: string,
): Promise<{ head: string; body: string }> {
  using connection = await Connection.open(address.port);
  await connection.send(`${head}Host: localhost\r\nConnection: close\r\n\r\n`);
  const answer = (await connection.drain()).replaceAll("\r\n", "\n");
  const end = answer.indexOf("\n\n");
  return { head: answer.slice(0, end), body: answer.slice(end + 2) };
}
