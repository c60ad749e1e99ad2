/** Client over sockets: fetch of the runtime, and servers that misbehave. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { CepError, createCepClient } from "../../../cep/client/mod.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { createNodeListener } from "../../../cep/serve/node_listener.ts";
import { CapturingLogger } from "../_logger.ts";
import { address, recordsStore } from "../_records.ts";

const CEP = "01310100";

/** Serves requests on loopback while a function runs. */
async function withServer(
  listener: RequestListener,
  use: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve())
  );
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

Deno.test("lookup and batch of a server return its records", async () => {
  const record = address({ cep: CEP });
  const handler = createHandler({
    store: recordsStore([record]),
    logger: new CapturingLogger(),
  });
  await withServer(createNodeListener(handler), async (baseUrl) => {
    const client = createCepClient({ baseUrl, cache: 10 });
    for (let i = 0; i < 2; i++) {
      assertEquals(await client.lookup("01310-100"), record);
    }
    const items = await client.batch(Array(2000).fill(CEP));
    assertEquals(items.length, 2000);
    assert(items.every(({ address }) => address?.cep === CEP));
  });
});

Deno.test("lookup follows a redirect of its server", async () => {
  await withServer(({ url }, response) => {
    if (url === `/cep/${CEP}`) {
      response.writeHead(301, { location: `/v1/cep/${CEP}` }).end();
    } else {
      response.end(JSON.stringify(address({ cep: CEP })));
    }
  }, async (baseUrl) => {
    assertEquals((await createCepClient({ baseUrl }).lookup(CEP)).cep, CEP);
  });
});

for (
  const [name, code, listener] of [
    [
      "redirects to a page",
      "response_invalid",
      ({ url }, response) => {
        if (url === "/login") response.end("<html>");
        else response.writeHead(302, { location: "/login" }).end();
      },
    ],
    [
      "redirects in a circle",
      "network",
      ({ url }, response) => {
        response.writeHead(302, { location: url }).end();
      },
    ],
    [
      "breaks off the body",
      "network",
      (_request, response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write('{"cep":', () => response.destroy());
      },
    ],
    [
      "closes the connection",
      "network",
      ({ socket }) => {
        socket.destroy();
      },
    ],
    [
      "never responds",
      "timeout",
      () => {},
    ],
    [
      "never ends the body",
      "timeout",
      (_request, response) => {
        response.write("{");
      },
    ],
  ] as readonly [string, string, RequestListener][]
) {
  Deno.test(`lookup rejects with ${code} if the server ${name}`, async () => {
    await withServer(listener, async (baseUrl) => {
      // Other errors come at once, on a busy machine a little later.
      const timeout = code === "timeout" ? 200 : 60_000;
      const client = createCepClient({ baseUrl, timeout, retries: 0 });
      const error = await assertRejects(() => client.lookup(CEP), CepError);
      assertEquals(error.code, code);
    });
  });
}

Deno.test("lookup rejects with network if nothing listens", async () => {
  let free = "";
  await withServer(() => {}, (baseUrl) => {
    free = baseUrl;
    return Promise.resolve();
  });
  const client = createCepClient({ baseUrl: free, retries: 0 });
  const error = await assertRejects(() => client.lookup(CEP), CepError);
  assertEquals(error.code, "network");
  assertEquals(error.message, `Cannot reach "${free}/cep/${CEP}"`);
  assert(error.cause instanceof Error);
});
