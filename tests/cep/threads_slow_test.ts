/** Several threads on one port. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import type { Command } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { freePort } from "../_free_port.ts";
import { cepCommand, codeCommand, moduleUrl } from "../_program.ts";
import { Connection } from "./_connection.ts";
import { type LogLine, Process } from "./_process.ts";
import { seedFolder } from "./_stores.ts";

const UNLIMITED = { API_RATE_LIMIT_ENABLE: "false" };

const ON_DENO = process.versions.deno !== undefined;
const ignore = process.platform !== "linux" ||
  process.versions.bun !== undefined;
const why = ignore ? " (ignored: threads share a port only on Linux)" : "";

function testThreads(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: name + why, ignore, fn });
}

/** Service of several threads on a database of the small DNE. */
class Site implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly service: Process;

  private constructor(
    folder: TemporaryFolder,
    env: Record<string, string>,
    command: (data: string) => Command,
  ) {
    const data = join(folder.path, "data");
    this.#folder = folder;
    this.service = Process.service(command(data), {
      DB_PATH: data,
      WORKERS: "2",
      LOG_LEVEL: "debug",
      ...env,
    });
  }

  /** Starts the service, by default the command line. */
  static async open(
    env: Record<string, string> = UNLIMITED,
    command: (data: string) => Command = () => cepCommand(),
  ): Promise<Site> {
    const folder = new TemporaryFolder();
    await seedFolder(join(folder.path, "data"));
    return new Site(folder, env, command);
  }

  /** Imports the small DNE once more. */
  async seed(): Promise<void> {
    await seedFolder(join(this.#folder.path, "data"));
  }

  /** Waits until the second thread listens for the n-th time. */
  async ready(n = 1): Promise<void> {
    const isLast = ({ message }: LogLine) =>
      message === "Thread listens" &&
      this.service.lines.filter((it) => it.message === message).length >= n;
    await this.service.line("of the second thread", isLast);
  }

  /** Sends a request over a new connection. */
  async get(path: string): Promise<{ status: number; text: string }> {
    using connection = await Connection.open(await this.service.port());
    const answer = await connection.get(path);
    if (answer === undefined) throw new Error(`No answer to ${path}`);
    const text = new TextDecoder().decode(answer.body);
    return { status: answer.status, text };
  }

  /** Returns the value of a metric. */
  async metric(name: string): Promise<number> {
    const { text } = await this.get("/metrics");
    const line = text.split("\n").find((it) => it.startsWith(`${name} `));
    return Number(line?.split(" ")[1]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

const COUNTED =
  'http_requests_total{method="GET",route="/cep/:cep",status="200"}';

testThreads("WORKERS=2 answers on one port, and sums the metrics", async () => {
  await using site = await Site.open();
  const { port, workers } = await site.service.logged("Listening");
  assert(Number(port) > 0);
  assertEquals(workers, 2);
  await site.ready();
  for (let i = 1; i <= 40; i++) {
    assertEquals((await site.get("/cep/01900001")).status, 200);
    if (i % 10 === 0) assertEquals(await site.metric(COUNTED), i);
  }
  assertEquals(await site.metric("cep_workers"), 2);
  const records = await site.metric("cep_records");
  const health = JSON.parse((await site.get("/healthcheck")).text);
  assertEquals(records, health.data.total_ceps);
  const memory = await site.metric("process_resident_memory_bytes");
  assert(memory < 1e9 && memory === Math.trunc(memory), `${memory}`);
});

testThreads("WORKERS=2 answers from a new release in each thread", async () => {
  await using site = await Site.open();
  await site.ready();
  await site.seed();
  for (const number of [1, 2]) {
    await site.service.line(
      `of thread ${number}`,
      ({ message, thread }) =>
        message === "Opened a new release" && thread === number,
    );
  }
  for (let i = 0; i < 20; i++) {
    assertEquals((await site.get("/cep/01900001")).status, 200);
  }
});

/** Service whose second thread ends at each line of the standard input. */
const MORTAL = `
import { createInterface } from "node:readline";
import process from "node:process";
const load = (path) => import(new URL(path, ${
  JSON.stringify(moduleUrl("cep/main.ts"))
}));
const extension = ${JSON.stringify(ON_DENO ? "ts" : "js")};
const { parseConfig } = await load("./settings/config." + extension);
const { configureLogs, defaultLogger } = await load("./util/logger." + extension);
const { listenInThreads } = await load("./modes/listen_in_threads." + extension);
const { threadStarter } = await load("./modes/listen_thread." + extension);
configureLogs({ format: "json", level: "info", write: console.log });
let last;
createInterface(process.stdin).on("line", () => last.end());
await listenInThreads(
  parseConfig(process.env),
  defaultLogger(),
  (...options) => {
    const start = threadStarter(...options);
    return (...where) => last = start(...where);
  },
);
process.exit();
`;

testThreads(
  "WORKERS=2 answers while a thread is ended, and starts another",
  async () => {
    const [runtime, ...options] = codeCommand(MORTAL);
    const flags = ON_DENO
      ? [options[0]!, "--unstable-net", ...options.slice(1)]
      // Node hands its flags on to threads, which refuse this one.
      : options.filter((it) => it !== "--input-type=module");
    await using site = await Site.open(UNLIMITED, () => [runtime!, ...flags]);
    await site.ready();
    for (let i = 0; i < 20; i++) await site.get("/cep/01900001");
    assertEquals(await site.metric(COUNTED), 20);
    site.service.write("end");
    const { thread } = await site.service.logged(
      "Thread ended, and will be replaced",
    );
    assertEquals(thread, 2);
    await site.ready(2);
    assertEquals(await site.metric(COUNTED), 20);
    for (let i = 0; i < 20; i++) await site.get("/cep/01900001");
    assertEquals(await site.metric(COUNTED), 40);
    assertEquals(await site.metric("cep_worker_restarts_total"), 1);
    site.service.kill("SIGTERM");
    assertEquals((await site.service.end()).code, 0);
  },
);

testThreads("WORKERS=2 shares the rate limits exactly", async () => {
  await using site = await Site.open({
    API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "30",
    API_RATE_LIMIT_REQUESTS_BURST: "10",
    API_RATE_LIMIT_EXPIRE_MINUTES: "600",
  });
  await site.ready();
  const clients = Array.from({ length: 20 }, async () => {
    const statuses = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await site.get("/cep/01900001")).status);
    }
    return statuses;
  });
  const statuses = (await Promise.all(clients)).flat();
  assertEquals(statuses.filter((status) => status === 200).length, 40);
  assertEquals(statuses.filter((status) => status === 429).length, 40);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  testThreads(
    `WORKERS=2 completes a request in flight on ${signal}`,
    async () => {
      await using site = await Site.open();
      await site.ready();
      const port = await site.service.port();
      const body = new TransformStream<Uint8Array, Uint8Array>();
      const writer = body.writable.getWriter();
      const line = new TextEncoder().encode('"01900001"\n');
      writer.write(line);
      const response = await fetch(`http://127.0.0.1:${port}/ceps`, {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: body.readable,
        duplex: "half",
      } as RequestInit);
      site.service.kill(signal);
      assertEquals((await site.service.logged("Stopping")).reason, signal);
      await writer.write(line);
      await writer.close();
      assertEquals((await response.text()).trim().split("\n").length, 2);
      const { code, stderr } = await site.service.end();
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
    },
  );
}

testThreads("WORKERS=2 ends with status 1 on a port in use", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  {
    await using site = await Site.open({ API_PORT: `${port}` });
    assertEquals((await site.service.end()).code, 1);
    const { error } = await site.service.logged("Stopped by an error");
    assertStringIncludes(`${error}`, `Cannot listen on 127.0.0.1:${port}: `);
  }
  server.close();
  await once(server, "close");
});

testThreads(
  "WORKERS=2 ends with status 1 on the port of another service with WORKERS=2",
  async () => {
    await using site = await Site.open();
    const port = await site.service.port();
    await using other = await Site.open({ API_PORT: `${port}` });
    assertEquals((await other.service.end()).code, 1);
  },
);

testThreads(
  "WORKERS=2 listens once if it is started twice at the same time",
  async () => {
    const env = { ...UNLIMITED, API_PORT: `${await freePort()}` };
    await using one = await Site.open(env);
    await using two = await Site.open(env);
    const outcomes = await Promise.all(
      [one, two].map(({ service }) =>
        Promise.race([
          service.port().then(() => "listens", () => "ended"),
          service.end().then(() => "ended"),
        ])
      ),
    );
    assertEquals(outcomes.toSorted(), ["ended", "listens"]);
  },
);

testThreads("WORKERS=2 ends with the error of one thread", async () => {
  const env = { DB_PATH: "/dev/null/data" };
  const errors = [];
  for (const WORKERS of ["1", "2"]) {
    await using site = await Site.open({ ...env, WORKERS });
    assertEquals((await site.service.end()).code, 1);
    errors.push((await site.service.logged("Stopped by an error")).error);
  }
  assertEquals(errors[1], errors[0]);
});

const NARROW = [
  ["to run it with --unstable-net", [], "--unstable-net"],
  ["to read the program", ["--unstable-net"], "allow-read"],
] as const;

for (const [name, added, reason] of NARROW) {
  Deno.test({
    name: `WORKERS=2 answers in one thread without the permission ${name}`,
    ignore: !ON_DENO || ignore,
    async fn() {
      const port = await freePort();
      await using site = await Site.open(
        { ...UNLIMITED, API_PORT: `${port}` },
        (data) => [
          process.execPath,
          ...["run", "--no-prompt", "--allow-env", "--allow-ffi"],
          ...["--allow-sys", `--allow-net=127.0.0.1:${port}`],
          ...[`--allow-read=${data}`, ...added, join(ROOT, "cep/main.ts")],
        ],
      );
      const { error } = await site.service.logged(
        "One thread answers all requests",
      );
      assertStringIncludes(`${error}`, reason);
      assertEquals((await site.get("/cep/01900001")).status, 200);
      assertEquals(await site.metric(COUNTED), 1);
    },
  });
}

testThreads("WORKERS=2 logs whole lines", async () => {
  await using site = await Site.open();
  await site.ready();
  const paths = Array.from(
    { length: 200 },
    (_, i) => `/nada/${i}/${"x".repeat(10_000)}`,
  );
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let i = client; i < paths.length; i += 8) await site.get(paths[i]!);
  });
  await Promise.all(clients);
  site.service.kill("SIGTERM");
  assertEquals((await site.service.end()).code, 0);
  const logged = site.service.lines.flatMap(({ path }) => path ?? []);
  assertEquals(logged.toSorted(), paths.toSorted());
  const threads = new Set(site.service.lines.map(({ thread }) => thread));
  assert(threads.has(1) && threads.has(2));
});
