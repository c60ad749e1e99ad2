/** Hostile messages on the server of the runtime, over raw sockets. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { ROOT } from "../../../scripts/root.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { Connection } from "../_connection.ts";
import { Process, runSeed } from "../_process.ts";
import { within } from "../_within.ts";
import { HOSTILE_MESSAGES, type HostileMessage } from "./_hostile.ts";
import {
  bytesOf,
  HOSTILE_REQUESTS,
  type HostileRequest,
} from "./_hostile_requests.ts";

/** Environments in which Deno uses another server each. */
const SERVERS: Readonly<Record<string, Record<string, string>>> = {
  "the server of the runtime": {},
  "node:http": { API_HEADER_SECONDS: "60" },
};

/** Server with the bundled sample. */
class Served implements AsyncDisposable {
  private constructor(
    readonly server: Process,
    readonly folder: TemporaryFolder,
    readonly port: number,
  ) {}

  static async start(env: Record<string, string>): Promise<Served> {
    const folder = new TemporaryFolder("hostile");
    await runSeed(folder.path, join(ROOT, "samples/dne"));
    const server = Process.main({
      DB_PATH: folder.path,
      API_RATE_LIMIT_ENABLE: "false",
      API_CORS_ALLOW_ORIGINS: "https://*.loja.com.br",
      ...env,
    });
    return new Served(server, folder, await server.port());
  }

  /** Errors in the log. */
  get errors(): readonly unknown[] {
    return this.server.lines.filter(({ level }) => level === "ERROR");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}

for (const [name, env] of Object.entries(SERVERS)) {
  Deno.test(`serve refuses or answers hostile messages on ${name}`, async (t) => {
    await using served = await Served.start(env);
    for (const message of HOSTILE_MESSAGES) {
      await t.step(`${message.name} is ${message.expected}`, async () => {
        check(message, await exchange(served.port, message));
        await lookUp(served.port);
      });
    }
    assertEquals(served.errors, []);
  });

  Deno.test(`serve answers hostile requests with the documented statuses on ${name}`, async (t) => {
    await using served = await Served.start(env);
    for (const request of HOSTILE_REQUESTS) {
      await t.step(request.name, async () => {
        const text = await ask(served.port, request);
        const [head = ""] = text.split("\r\n\r\n");
        const status = Number(head.split(" ")[1]);
        const { statuses } = request;
        assert(statuses.includes(status), `${status} is not in ${statuses}`);
        assertEquals(/set-cookie/i.test(head), false, head);
        await lookUp(served.port);
      });
    }
    assertEquals(served.errors, []);
  });
}

/** Sends a request, and receives the answer. */
async function ask(port: number, request: HostileRequest): Promise<string> {
  using connection = await Connection.open(port);
  try {
    await connection.send(bytesOf(request));
  } catch {
    // The server may have closed the connection.
  }
  return await within(`the answer of ${request.name}`, connection.drain());
}

/** Sends a message and its successor; returns the statuses of the answers. */
async function exchange(
  port: number,
  { name, bytes, next, ends }: HostileMessage,
): Promise<number[]> {
  using connection = await Connection.open(port);
  try {
    await connection.send(bytes + next);
    if (ends) connection.end();
  } catch {
    // The server may have closed the connection.
  }
  const text = await within(`the end of ${name}`, connection.drain());
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status !== 100);
}

function check(message: HostileMessage, statuses: readonly number[]): void {
  const { expected, status, next, name } = message;
  const answered = next === "" ? [status] : [status, 200];
  const isAnswered = `${statuses}` === `${answered}`;
  const [first = 0, ...rest] = statuses;
  const isRefused = statuses.length <= 1 &&
    statuses.every((it) => (it >= 400 && it < 500) || it === 501);
  const allowed = {
    answered: isAnswered,
    refused: isRefused,
    either: isRefused || (first < 500 && `${rest}` === `${answered.slice(1)}`),
  };
  assert(allowed[expected], `${name}: ${expected}, but got ${statuses}`);
}

/** Looks up a CEP on a new connection. */
async function lookUp(port: number): Promise<void> {
  using connection = await Connection.open(port);
  const answer = await within("the record", connection.get("/cep/01310100"));
  assertEquals(answer?.status, 200);
  const { logradouro } = JSON.parse(new TextDecoder().decode(answer?.body));
  assertEquals(logradouro, "Avenida Paulista");
}
