/** Token managers in real processes, with a store in a folder. */
import { assert, assertEquals } from "@std/assert";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AccessToken, Client } from "../../../oauth2/mod.ts";
import { TokenManager } from "../../../oauth2/manager/mod.ts";
import { FileStore } from "../../../oauth2/stores/file_store.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { codeCommand, moduleUrl, outputOf, start } from "../../_program.ts";
import { RotatingServer } from "./_rotating_server.ts";

const PROCESSES = 4;
const CALLS = 25;

/** Program that calls the API, and prints the statuses. */
function programOf(site: string, folder: string): string {
  return `
    import { Client } from "${moduleUrl("oauth2/mod.ts")}";
    import { TokenManager } from "${moduleUrl("oauth2/manager/mod.ts")}";
    import { FileStore } from "${moduleUrl("oauth2/stores/file_store.ts")}";
    const client = new Client("abc", "secret", { site: "${site}" });
    const store = new FileStore(${JSON.stringify(folder)});
    const api = new TokenManager({ client, store, key: "ana" });
    const calls = Array.from({ length: ${CALLS} }, () => api.fetch("/me"));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    console.log(statuses.join(" "));
  `;
}

/** Serves a session on loopback. */
async function serve(server: RotatingServer) {
  const listener = createServer((request, response) => {
    const chunks: string[] = [];
    request.setEncoding("utf8").on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      const form = new URLSearchParams(chunks.join(""));
      const answer = request.url === "/oauth/token"
        ? server.refresh(form.get("refresh_token")!)
        : server.serve(request.headers.authorization ?? null);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    });
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address() as AddressInfo;
  return {
    site: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((done) => {
        listener.close(() => done());
        listener.closeAllConnections();
      }),
  };
}

Deno.test("TokenManager refreshes once for four processes that share a FileStore", async () => {
  using folder = new TemporaryFolder("token-manager");
  const server = new RotatingServer({ now: Date.now });
  const { site, close } = await serve(server);
  try {
    const client = new Client("abc", "secret", { site });
    const store = new FileStore(folder.path);
    const api = new TokenManager({ client, store, key: "ana" });
    await api.set(
      AccessToken.fromHash(client, { ...server.login(), expires_at: 1 }),
    );
    const program = codeCommand(programOf(site, folder.path));
    const outputs = await Promise.all(
      Array.from({ length: PROCESSES }, () => outputOf(program)),
    );
    const expected = Array.from({ length: CALLS }, () => 200).join(" ");
    for (const { stdout, stderr } of outputs) {
      assertEquals(stdout.trim(), expected, stderr);
    }
    assertEquals([server.rotations, server.reuses], [1, []]);
  } finally {
    await close();
  }
});

Deno.test("FileStore keeps every value that a killed process has confirmed", async () => {
  using folder = new TemporaryFolder("file-store");
  const program = codeCommand(`
    import { FileStore } from "${moduleUrl("oauth2/stores/file_store.ts")}";
    const store = new FileStore(${JSON.stringify(folder.path)});
    for (;;) {
      const value = await store.get("count");
      const next = String(Number(value ?? 0) + 1);
      if (await store.compareAndSwap("count", value, next)) console.log(next);
    }
  `);
  let confirmed = 0;
  const runs = Array.from({ length: PROCESSES }, async (_, i) => {
    const child = start(program);
    let lines = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      lines += text.split("\n").length - 1;
      if (lines > 20 * (i + 1)) child.kill("SIGKILL");
    });
    await once(child, "close");
    confirmed += lines;
  });
  await Promise.all(runs);
  const store = new FileStore(folder.path);
  const count = Number(await store.get("count"));
  // Each process may have ended between a swap and its confirmation.
  assert(count >= confirmed && count <= confirmed + PROCESSES, `${count}`);
  assert(await store.compareAndSwap("count", `${count}`, "done"));
});
