/** Bodies that arrive while the service stops. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { Connection } from "./_connection.ts";
import { Process } from "./_process.ts";
import { seedFolder } from "./_stores.ts";
import { within } from "./_within.ts";

const STREAM = [
  "POST /ceps HTTP/1.1",
  "Host: localhost",
  "Content-Type: application/x-ndjson",
  "Transfer-Encoding: chunked",
  "",
  "",
].join("\r\n");

const NOT_SHARED = process.versions.deno !== undefined &&
  process.platform !== "linux";

function chunk(line: string): string {
  return `${(line.length + 1).toString(16)}\r\n${line}\n\r\n`;
}

/** Starts the service on a database of the small DNE. */
async function serve(
  path: string,
  env: Record<string, string>,
): Promise<Process> {
  await seedFolder(path);
  return Process.main({
    DB_PATH: path,
    API_RATE_LIMIT_ENABLE: "false",
    API_SHUTDOWN_SECONDS: "60",
    ...env,
  });
}

for (
  const [name, env, ignore] of [
    ["its server", {}, false],
    ["a header timeout", { API_HEADER_SECONDS: "5" }, false],
    ["threads", { WORKERS: "2" }, NOT_SHARED],
  ] as const
) {
  Deno.test({
    name: `serve receives the rest of a stream after SIGTERM, with ${name}`,
    ignore,
    fn: async () => {
      using folder = new TemporaryFolder();
      await using server = await serve(folder.path, env);
      const port = await server.port();
      using stream = await Connection.open(port);
      await stream.send(STREAM + chunk("first"));
      await within("the first answer", stream.receiveUntil("}\n"));
      server.kill("SIGTERM");
      await server.logged("Stopping");
      await within("the refusal", refuses(port));
      await stream.send(chunk("second") + chunk("third") + "0\r\n\r\n");
      const text = await within("the answers", stream.drain());
      assertEquals(text.match(/"code":"[a-z_]+"/g)?.length, 3, text);
      assertEquals(text.includes("body_invalid"), false, text);
      assertStringIncludes(text, "\r\n0\r\n\r\n");
      assertEquals((await within("the end", server.end())).code, 0);
    },
  });
}

Deno.test("serve cuts off a stream after API_SHUTDOWN_SECONDS", async () => {
  using folder = new TemporaryFolder();
  await using server = await serve(folder.path, { API_SHUTDOWN_SECONDS: "0" });
  using stream = await Connection.open(await server.port());
  await stream.send(STREAM + chunk("first"));
  await within("the first answer", stream.receiveUntil("}\n"));
  server.kill("SIGTERM");
  assertEquals((await within("the end", server.end())).code, 0);
});

Deno.test("serve answers other requests while a stream ends", async () => {
  using folder = new TemporaryFolder();
  await using server = await serve(folder.path, {});
  const port = await server.port();
  using stream = await Connection.open(port);
  using other = await Connection.open(port);
  assertEquals((await other.get("/cep/01900001"))?.status, 200);
  await stream.send(STREAM + chunk("first"));
  await within("the first answer", stream.receiveUntil("}\n"));
  server.kill("SIGTERM");
  await server.logged("Stopping");
  if (process.versions.deno !== undefined) {
    await within("the refusal", refuses(port));
    const answer = await other.get("/cep/01900001");
    assertEquals(answer?.status, 200);
    assertEquals(answer?.headers.get("connection"), "close");
  }
  await stream.send("0\r\n\r\n");
  assertEquals((await within("the end", server.end())).code, 0);
});

/** Waits until new streams are refused. */
async function refuses(port: number): Promise<void> {
  for (let head = "200"; head.includes("200");) {
    try {
      using late = await Connection.open(port);
      await late.send(`${STREAM}0\r\n\r\n`);
      head = await late.receiveUntil("\r\n\r\n");
    } catch {
      return;
    }
  }
}
