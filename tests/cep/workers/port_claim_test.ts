import { assertEquals, assertRejects } from "@std/assert";
import process from "node:process";
import { once } from "node:events";
import { createServer } from "node:net";
import { PortClaim } from "../../../cep/workers/port_claim.ts";

const HOST = "127.0.0.1";

Deno.test("PortClaim.take finds a free port, and leaves it to the workers", async () => {
  await using claim = await PortClaim.take(HOST, 0);
  const server = createServer().listen({ host: HOST, port: claim.port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
});

Deno.test("PortClaim.take refuses a port in use", async () => {
  const { port } = await freePort();
  const server = createServer().listen({ host: HOST, port });
  await once(server, "listening");
  await assertRejects(
    () => PortClaim.take(HOST, port),
    Error,
    `Cannot listen on ${HOST}:${port}: `,
  );
  server.close();
  await once(server, "close");
});

Deno.test({
  name: "PortClaim.take refuses a port that is claimed, until it is not",
  ignore: process.platform !== "linux",
  async fn() {
    const { port } = await freePort();
    for (let i = 0; i < 2; i++) {
      await using _claim = await PortClaim.take(HOST, port);
      await assertRejects(
        () => PortClaim.take(HOST, port),
        Error,
        `Cannot listen on ${HOST}:${port}: another supervisor uses the port`,
      );
      await using other = await PortClaim.take("127.0.0.2", port);
      assertEquals(other.port, port);
    }
  },
});

/** Returns a port that is free now. */
async function freePort(): Promise<{ port: number }> {
  await using claim = await PortClaim.take(HOST, 0);
  return { port: claim.port };
}
