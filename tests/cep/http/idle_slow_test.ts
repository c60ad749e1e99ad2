/** Clients that hold connections without completing a request. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import process from "node:process";
import { cepCommand } from "../../_program.ts";
import { Connection } from "../_connection.ts";
import { type LogLine, Process } from "../_process.ts";
import { within } from "../_within.ts";

const ENV = { DB_PATH: ":memory:", API_RATE_LIMIT_ENABLE: "false" };

const ON_DENO = "deno" in process.versions;

const IS_WINDOWS = process.platform === "win32";

/** Parts of a request, each of which a client may stop after. */
const HALVES: Readonly<Record<string, string>> = {
  "nothing": "",
  "half of a method": "GE",
  "half of a header": "GET /livez HTTP/1.1\r\nHost: a\r\nX: ",
  "a request and half of the next":
    "GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /livez HTTP/1.1\r\nHost:",
};

/** Connections, each with half of a request. */
class Held implements Disposable {
  readonly connections: Connection[] = [];

  /** Opens connections, until the server refuses one. */
  static async open(port: number, count: number): Promise<Held> {
    const halves = Object.values(HALVES);
    const held = new Held();
    for (let i = 0; i < count; i++) {
      try {
        const connection = await Connection.open(port);
        held.connections.push(connection);
        await connection.send(halves[i % halves.length]!);
      } catch {
        break;
      }
    }
    return held;
  }

  [Symbol.dispose](): void {
    for (const connection of this.connections) connection[Symbol.dispose]();
  }
}

async function isAlive(port: number): Promise<boolean> {
  using connection = await Connection.open(port);
  return (await connection.get("/livez"))?.status === 200;
}

for (const seconds of ["0", "60"]) {
  Deno.test(`serve answers while 2,000 connections are idle, with API_HEADER_SECONDS=${seconds}`, async () => {
    await using server = Process.main({ ...ENV, API_HEADER_SECONDS: seconds });
    const port = await server.port();
    using held = await Held.open(port, 2000);
    assertEquals(held.connections.length, 2000);
    assert(await within("the answer", isAlive(port)));
  });
}

for (const [name, bytes] of Object.entries(HALVES)) {
  Deno.test(`serve closes a connection with ${name} after API_HEADER_SECONDS`, async () => {
    await using server = Process.main({ ...ENV, API_HEADER_SECONDS: "1" });
    const port = await server.port();
    using connection = await Connection.open(port);
    await connection.send(bytes);
    const text = await within("the end", connection.drain());
    assertMatch(text, /HTTP\/1\.1 408 /);
    assert(await isAlive(port));
  });
}

Deno.test({
  name: "serve shares a port among threads with API_HEADER_SECONDS",
  ignore: ON_DENO && process.platform !== "linux",
  async fn() {
    const settings = { WORKERS: "2", API_HEADER_SECONDS: "60" };
    await using server = Process.main({ ...ENV, ...settings });
    assert(await isAlive(await server.port()));
    assertEquals((await server.logged("Listening")).workers, 2);
    assertEquals(server.lines.filter(({ level }) => level === "ERROR"), []);
  },
});

Deno.test({
  name: "serve recovers after connections have used up the file descriptors",
  ignore: IS_WINDOWS,
  async fn() {
    const limited = ["-c", 'ulimit -n 100; exec "$@"', "sh", ...cepCommand()];
    await using server = Process.service(["sh", ...limited], {
      ...ENV,
      // Node recovers by this timeout.
      ...(ON_DENO ? {} : { API_HEADER_SECONDS: "1" }),
    });
    const port = await server.port();
    using _held = await Held.open(port, 300);
    await within("the recovery", recovery(port));
    const errors = server.lines.filter(({ level }) => level === "ERROR");
    assertEquals(errors.filter((line) => !isOutOfFiles(line)), []);
    assertEquals(errors.length > 0, ON_DENO);
    server.kill("SIGTERM");
    assertEquals((await server.end()).code, 0);
  },
});

/** Asks until the server answers. */
async function recovery(port: number): Promise<void> {
  let isRecovered = false;
  for (let i = 0; i < 30_000 && !isRecovered; i++) {
    isRecovered = await isAlive(port).catch(() => false);
  }
  assert(isRecovered);
}

function isOutOfFiles({ message, error }: LogLine): boolean {
  return message === "Cannot accept connections, so idle ones are closed" &&
    /Too many open files/.test(`${error}`);
}
