import { assertEquals, assertRejects } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { Client, OAuth2Error } from "../../../oauth2/mod.ts";

/** Resolves to what a client of a server that compresses a token returns. */
async function request(padding: number): Promise<string> {
  const token = { access_token: "monkey", padding: "a".repeat(padding) };
  const body = gzipSync(JSON.stringify(token));
  const server = createServer((_, response) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-encoding": "gzip",
      "content-length": body.length,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Client("abc", "secret", {
    site: `http://127.0.0.1:${port}`,
  });
  try {
    return (await client.clientCredentials.getToken()).token;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

Deno.test("getToken reads a compressed response", async () => {
  assertEquals(await request(1000), "monkey");
});

Deno.test("getToken refuses a response that is too long when decompressed, although its Content-Length is not", async () => {
  await assertRejects(
    () => request(2_000_000),
    OAuth2Error,
    "it is longer than 1048576 bytes",
  );
});
