/** Several processes on one port. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { Connection } from "./_connection.ts";
import { Process } from "./_process.ts";
import { seedFiles } from "./_seeding.ts";
import { OpenedStore } from "./_stores.ts";
import { within } from "./_within.ts";

const UNLIMITED = { API_RATE_LIMIT_ENABLE: "false" };

const ignore = process.versions.deno !== undefined &&
  process.platform !== "linux";
const why = ignore ? " (ignored: Deno shares a port only on Linux)" : "";

function testWorkers(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: name + why, ignore, fn });
}

/** Service of several processes on a database of the small DNE. */
class Site implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly service: Process;

  private constructor(folder: TemporaryFolder, env: Record<string, string>) {
    this.#folder = folder;
    this.service = Process.main({
      DB_PATH: join(folder.path, "data"),
      WORKERS: "2",
      LOG_LEVEL: "debug",
      ...env,
    });
  }

  static async open(env: Record<string, string> = UNLIMITED): Promise<Site> {
    const folder = new TemporaryFolder();
    const path = join(folder.path, "data");
    await using opened = await OpenedStore.open({ path });
    await seedFiles(opened.store);
    return new Site(folder, env);
  }

  /** Process ids of the workers so far. */
  get pids(): number[] {
    return this.service.lines
      .filter(({ message }) => message === "Started worker")
      .map(({ pid }) => pid as number);
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

/** Waits until a process has ended, even if nothing awaits it. */
async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await delay(10);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

const COUNTED =
  'http_requests_total{method="GET",route="/cep/:cep",status="200"}';

testWorkers("WORKERS=2 answers on one port, and sums the metrics", async () => {
  await using site = await Site.open();
  const { port, workers } = await site.service.logged("Listening");
  assert(Number(port) > 0);
  assertEquals(workers, 2);
  for (let i = 1; i <= 40; i++) {
    assertEquals((await site.get("/cep/01900001")).status, 200);
    if (i % 10 === 0) assertEquals(await site.metric(COUNTED), i);
  }
  assertEquals(await site.metric("cep_workers"), 2);
  const records = await site.metric("cep_records");
  const health = JSON.parse((await site.get("/healthcheck")).text);
  assertEquals(records, health.data.total_ceps);
});

testWorkers(
  "WORKERS=2 answers while a worker is killed, and starts another",
  async () => {
    await using site = await Site.open();
    await site.service.port();
    for (let i = 0; i < 20; i++) await site.get("/cep/01900001");
    assertEquals(await site.metric(COUNTED), 20);
    process.kill(site.pids[0]!, "SIGKILL");
    const line = await site.service.logged(
      "Worker ended, and will be restarted",
    );
    assertEquals([line.worker, line.error], [1, "SIGKILL"]);
    assertEquals(await site.metric(COUNTED), 20);
    await site.service.logged("Worker listens");
    assertEquals(site.pids.length, 3);
    for (let i = 0; i < 20; i++) await site.get("/cep/01900001");
    assertEquals(await site.metric(COUNTED), 40);
    assertEquals(await site.metric("cep_worker_restarts_total"), 1);
  },
);

testWorkers(
  "WORKERS=2 restarts a worker while another one hangs at its start",
  async () => {
    await using site = await Site.open();
    const { pid } = await site.service.line(
      "the start of worker 2",
      ({ message, worker }) => message === "Started worker" && worker === 2,
    );
    process.kill(pid as number, "SIGSTOP");
    try {
      process.kill(site.pids[0]!, "SIGKILL");
      const line = await site.service.logged(
        "Worker ended, and will be restarted",
      );
      assertEquals([line.worker, line.error], [1, "SIGKILL"]);
      await site.service.line(
        "the restart of worker 1",
        ({ pid }) => pid !== undefined && site.pids.indexOf(pid as number) > 1,
      );
    } finally {
      process.kill(pid as number, "SIGKILL");
    }
  },
);

testWorkers("WORKERS=2 shares the rate limits exactly", async () => {
  await using site = await Site.open({
    API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "30",
    API_RATE_LIMIT_REQUESTS_BURST: "10",
    API_RATE_LIMIT_EXPIRE_MINUTES: "600",
  });
  await site.service.port();
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
  testWorkers(
    `WORKERS=2 completes a request in flight on ${signal}`,
    async () => {
      await using site = await Site.open();
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
      // A terminal sends the signal to all processes.
      for (const pid of site.pids) process.kill(pid, signal);
      site.service.kill(signal);
      assertEquals((await site.service.logged("Stopping")).reason, signal);
      await writer.write(line);
      await writer.close();
      assertEquals((await response.text()).trim().split("\n").length, 2);
      const { code, stderr } = await site.service.end();
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      await within("the workers", Promise.all(site.pids.map(ended)));
    },
  );
}

testWorkers("WORKERS=2 ends when the supervisor is killed", async () => {
  await using site = await Site.open();
  await site.service.port();
  const { pids } = site;
  assertEquals(pids.length, 2);
  site.service.kill("SIGKILL");
  await within("the workers", Promise.all(pids.map(ended)));
});

testWorkers("WORKERS=2 ends with status 1 on a port in use", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  {
    await using site = await Site.open({ API_PORT: `${port}` });
    assertEquals((await site.service.end()).code, 1);
    const { error } = await site.service.logged("Stopped by an error");
    assertStringIncludes(`${error}`, `Cannot listen on 127.0.0.1:${port}: `);
    assertEquals(site.pids, []);
  }
  server.close();
  await once(server, "close");
});

testWorkers(
  "WORKERS=2 ends with status 1 on the port of another service with WORKERS=2",
  async () => {
    await using site = await Site.open();
    const port = await site.service.port();
    await using other = await Site.open({ API_PORT: `${port}` });
    assertEquals((await other.service.end()).code, 1);
  },
);

testWorkers(
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

testWorkers(
  "WORKERS=2 ends with status 1 and the reason of a worker",
  async () => {
    await using site = await Site.open({ DB_PATH: "/dev/null/data" });
    assertEquals((await site.service.end()).code, 1);
    const errors = site.service.lines.filter(({ level }) => level === "ERROR");
    const [worker] = errors;
    assertEquals(
      errors.at(-1)!.error,
      `Cannot start the workers: ${worker!.error}`,
    );
  },
);

testWorkers("WORKERS=2 logs whole lines", async () => {
  await using site = await Site.open();
  await site.service.port();
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
  const workers = new Set(site.service.lines.map(({ worker }) => worker));
  assert(workers.has(1) && workers.has(2));
});
