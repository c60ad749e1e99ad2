import { assertEquals, assertRejects } from "@std/assert";
import { once } from "node:events";
import { createServer } from "node:net";
import process from "node:process";
import { claimPort } from "../../../../cep/serve/threads/shared_port.ts";
import { freePort } from "../../../_free_port.ts";

const host = "127.0.0.1";

Deno.test("claimPort needs no claim of any free port", async () => {
  assertEquals(await claimPort({ host, port: 0 }), undefined);
});

Deno.test("claimPort leaves the port to the threads", async () => {
  const port = await freePort();
  const claim = await claimPort({ host, port });
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
  claim?.close();
});

Deno.test("claimPort refuses a port in use", async () => {
  const port = await freePort();
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  await assertRejects(
    () => claimPort({ host, port }),
    Error,
    `Cannot listen on ${host}:${port}: `,
  );
  server.close();
  await once(server, "close");
});

Deno.test({
  name: "claimPort refuses a port that is claimed, until it is not",
  ignore: process.platform !== "linux",
  async fn() {
    const port = await freePort();
    for (let i = 0; i < 2; i++) {
      const claim = (await claimPort({ host, port }))!;
      await assertRejects(
        () => claimPort({ host, port }),
        Error,
        `Cannot listen on ${host}:${port}: another service uses the port`,
      );
      const other = await claimPort({ host: "127.0.0.2", port });
      for (const it of [claim, other!]) {
        it.close();
        await once(it, "close");
      }
    }
  },
});
