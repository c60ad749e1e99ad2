import { assert, assertEquals } from "@std/assert";
import { Counter, Gauge, Registry } from "prom-client";
import { addUp, type Figures } from "../../../cep/http/figures.ts";
import { settle } from "../_manual_timer.ts";
import { Crew, type FakeWorker } from "./_fake_workers.ts";

Deno.test("Supervisor starts its workers, and reports once that they listen", async () => {
  using crew = new Crew({ workers: 3 });
  assertEquals(crew.workers.map(({ number }) => number), [1, 2, 3]);
  for (const [i, worker] of crew.workers.entries()) {
    assertEquals(crew.listening, []);
    worker.link.listening();
    await settle();
    assertEquals(crew.listening.length, i === 2 ? 1 : 0);
  }
  assertEquals(crew.listening, [3]);
});

Deno.test("Supervisor ends with the reason of a worker if none can start", async () => {
  using crew = new Crew();
  const [first, second] = crew.workers;
  first!.link.failed("Cannot listen on 127.0.0.1:80: permission denied");
  await settle();
  first!.end("exit code 1");
  await crew.timer.pass(4000);
  assertEquals([crew.isEnded, crew.workers.length], [false, 2]);
  second!.link.failed("Cannot open database");
  await settle();
  second!.end("exit code 1");
  assertEquals(
    await crew.ended,
    "Cannot start the workers: Cannot open database",
  );
  assertEquals(crew.workers.length, 2);
});

Deno.test("Supervisor ends with the exit code of workers that give no reason", async () => {
  using crew = new Crew({ workers: 1 });
  crew.workers[0]!.end("exit code 70");
  assertEquals(await crew.ended, "Cannot start the workers: exit code 70");
});

Deno.test("Supervisor listens with the workers that can start, and starts the others again", async () => {
  for (const isFirst of [true, false]) {
    using crew = new Crew();
    const [one, two] = isFirst
      ? crew.workers
      : crew.workers.toReversed() as [FakeWorker, FakeWorker];
    one!.end("SIGKILL");
    two!.link.listening();
    await settle();
    assertEquals(crew.listening, [1]);
    await crew.timer.pass(100);
    assertEquals(crew.workers.length, 3);
    assertEquals(crew.workers[2]!.number, one!.number);
    crew.workers[2]!.link.listening();
    await settle();
    assertEquals(crew.listening, [1]);
    assertEquals(crew.logger.at("info"), [{ worker: one!.number }]);
  }
});

Deno.test("Supervisor starts a crashed worker again, later each time", async () => {
  using crew = await Crew.listening();
  const delays = [];
  for (let i = 0; i < 10; i++) {
    crew.workers.at(-1)!.end("SIGSEGV");
    const { length } = crew.workers;
    const start = crew.timer.time;
    while (crew.workers.length === length) await crew.timer.pass(100);
    delays.push(crew.timer.time - start);
    crew.workers.at(-1)!.link.listening();
    await settle();
  }
  assertEquals(delays, [
    ...[100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000],
  ]);
  assertEquals(crew.logger.at("error")[1], {
    worker: 2,
    error: "SIGSEGV",
    restart_ms: 200,
  });
  assertEquals(crew.isEnded, false);
});

Deno.test("Supervisor starts a worker at once again that was stable", async () => {
  using crew = await Crew.listening({ workers: 1 });
  for (let i = 0; i < 5; i++) {
    await crew.timer.pass(10_000);
    crew.workers.at(-1)!.end("SIGKILL");
    await crew.timer.pass(100);
    assertEquals(crew.workers.length, i + 2);
    crew.workers.at(-1)!.link.listening();
    await settle();
  }
});

Deno.test("Supervisor starts all workers again that crash at the same time", async () => {
  using crew = await Crew.listening();
  for (const worker of [...crew.workers]) worker.end("SIGKILL");
  await crew.timer.pass(100);
  assertEquals(crew.workers.length, 4);
});

Deno.test("Supervisor ends if no worker can start any more", async () => {
  using crew = await Crew.listening();
  for (const worker of [...crew.workers]) worker.end("SIGKILL");
  await crew.timer.pass(100);
  for (const worker of crew.workers.slice(2)) {
    worker.link.failed("Cannot open database");
    await settle();
    worker.end("exit code 1");
  }
  assertEquals(
    await crew.ended,
    "Cannot start the workers: Cannot open database",
  );
});

Deno.test("Supervisor starts a worker again while another one is starting", async () => {
  for (const hasListened of [true, false]) {
    using crew = new Crew();
    const [one] = crew.workers;
    if (hasListened) one!.link.listening();
    await settle();
    one!.end("SIGKILL");
    assertEquals(crew.logger.at("error").map(({ worker }) => worker), [1]);
    await crew.timer.pass(5000);
    assertEquals(crew.workers.map(({ number }) => number), [1, 2, 1]);
    crew.workers[2]!.link.listening();
    await crew.timer.pass(60_000);
    assertEquals(crew.listening, [1]);
  }
});

Deno.test("Supervisor logs a start that takes long, and kills the worker after ten minutes", async () => {
  using crew = new Crew();
  const [one, two] = crew.workers;
  one!.link.listening();
  await crew.timer.pass(29_000);
  assertEquals([crew.listening, crew.logger.at("warn")], [[], []]);
  await crew.timer.pass(1000);
  assertEquals(crew.listening, [1]);
  assertEquals(crew.logger.at("warn"), [
    { worker: 2, seconds: 30, max_seconds: 600 },
  ]);
  await crew.timer.pass(569_000);
  assertEquals(two!.isKilled, false);
  await crew.timer.pass(1000);
  assertEquals([one!.isKilled, two!.isKilled], [false, true]);
  assertEquals(crew.logger.at("error").at(-1), {
    worker: 2,
    error: "not listening after 600 s",
    restart_ms: 100,
  });
  await crew.timer.pass(100);
  assertEquals(crew.workers.length, 3);
});

Deno.test("Supervisor kills a worker that hangs, and starts another", async () => {
  using crew = await Crew.listening();
  const [one, two] = crew.workers;
  await crew.timer.pass(60_000);
  one!.isStuck = true;
  await crew.timer.pass(30_000);
  assertEquals(one!.isKilled, false);
  await crew.timer.pass(5000);
  assertEquals([one!.isKilled, two!.isKilled], [true, false]);
  assertEquals(crew.logger.at("error").map(({ error }) => error), [
    "no answer for 30 s",
    "no answer for 30 s",
  ]);
  await crew.timer.pass(100);
  crew.workers[2]!.link.listening();
  await settle();
  const all = await collect(two!, new Meter(two!));
  assertEquals([all.cep_workers, all.cep_worker_restarts_total], [2, 1]);
});

Deno.test("Supervisor takes a start that throws as a crash", async () => {
  let isBroken = false;
  using crew = await Crew.listening({
    beforeFork: () => {
      if (isBroken) throw new Error("spawn EAGAIN");
    },
  });
  isBroken = true;
  crew.workers[0]!.end("SIGKILL");
  await crew.timer.pass(100);
  assertEquals(crew.logger.at("error").at(-1), {
    worker: 1,
    error: "spawn EAGAIN",
    restart_ms: 200,
  });
  isBroken = false;
  await crew.timer.pass(200);
  assertEquals(crew.workers.map(({ number }) => number), [1, 2, 1]);
});

Deno.test("Supervisor ends if each start throws", async () => {
  using crew = new Crew({
    beforeFork: () => {
      throw new Error("spawn EMFILE");
    },
  });
  assertEquals(await crew.ended, "Cannot start the workers: spawn EMFILE");
});

Deno.test("Supervisor stops its workers, and waits for their end", async () => {
  using crew = await Crew.listening();
  await crew.stop("SIGINT");
  assertEquals(
    await Promise.all(crew.workers.map(({ link }) => link.stop)),
    ["SIGINT", "SIGINT"],
  );
  crew.workers[0]!.end("exit code 0");
  await crew.timer.pass(11_000);
  assertEquals(crew.isEnded, false);
  crew.workers[1]!.end("exit code 0");
  assertEquals(await crew.ended, "stopped");
  assertEquals(crew.workers.length, 2);
  assertEquals(crew.timer.pending, 0);
  assertEquals(crew.logger.at("info"), [{ reason: "SIGINT" }]);
});

Deno.test("Supervisor kills workers that do not end in time", async () => {
  using crew = await Crew.listening();
  await crew.stop();
  await crew.timer.pass(12_000);
  assert(crew.workers.every(({ isKilled }) => isKilled));
  assertEquals(await crew.ended, "stopped");
});

Deno.test("Supervisor kills workers that are starting when it stops", async () => {
  using crew = new Crew();
  crew.workers[0]!.link.listening();
  await settle();
  await crew.stop();
  assertEquals(crew.workers.map(({ isKilled }) => isKilled), [false, true]);
  crew.workers[0]!.end("exit code 0");
  assertEquals(await crew.ended, "stopped");
  assertEquals(crew.listening, []);
});

Deno.test("Supervisor starts no worker while it stops", async () => {
  using crew = await Crew.listening();
  crew.workers[0]!.end("SIGKILL");
  await crew.stop();
  await crew.timer.pass(1000);
  crew.workers[1]!.end("SIGKILL");
  assertEquals(await crew.ended, "stopped");
  assertEquals(crew.workers.length, 2);
});

Deno.test("WorkerLink stops when the supervisor has ended", async () => {
  using crew = await Crew.listening({ workers: 1 });
  const [worker] = crew.workers;
  worker!.disconnect();
  assertEquals(await worker!.link.stop, "the supervisor ended");
});

/** Figures of a worker. */
class Meter {
  readonly #registry = new Registry();
  readonly #requests: Counter;

  constructor({ link }: FakeWorker) {
    const registers = [this.#registry];
    this.#requests = new Counter({ name: "requests", help: "-", registers });
    new Gauge({ name: "age", help: "-", aggregator: "max", registers }).set(7);
    link.provide(() => this.read());
  }

  handle(requests: number): void {
    this.#requests.inc(requests);
  }

  read(): Promise<Figures> {
    return this.#registry.getMetricsAsJSON();
  }
}

/** Collects the figures that a worker serves. */
async function collect(
  worker: FakeWorker,
  meter: Meter,
): Promise<Record<string, number>> {
  const own = await meter.read();
  const text = await addUp([own, ...await worker.link.collect(own)]).metrics();
  const samples = text.split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(" "));
  return Object.fromEntries(samples.map(([name, value]) => [name, +value!]));
}

Deno.test("Supervisor adds up counters of all workers, and not gauges", async () => {
  using crew = await Crew.listening({ workers: 3 });
  const meters = crew.workers.map((worker) => new Meter(worker));
  for (const [i, meter] of meters.entries()) meter.handle(10 ** i);
  for (const [i, worker] of crew.workers.entries()) {
    const all = await collect(worker, meters[i]!);
    assertEquals([all.requests, all.age], [111, 7]);
    assertEquals([all.cep_workers, all.cep_worker_restarts_total], [3, 0]);
    assert(all.process_resident_memory_bytes! > 0);
  }
});

Deno.test("Supervisor keeps the counters of workers that have ended", async () => {
  using crew = await Crew.listening();
  let expected = 0;
  const first = new Meter(crew.workers[0]!);
  for (let i = 0; i < 3; i++) {
    const worker = crew.workers.at(-1)!;
    const meter = new Meter(worker);
    meter.handle(5);
    expected += 5;
    assertEquals((await collect(crew.workers[0]!, first)).requests, expected);
    worker.end("SIGKILL");
    const after = await collect(crew.workers[0]!, first);
    assertEquals([after.requests, after.cep_workers], [expected, 1]);
    await crew.timer.pass(1000);
    crew.workers.at(-1)!.link.listening();
    await settle();
  }
});

Deno.test("Supervisor keeps what a worker served itself before it ended", async () => {
  using crew = await Crew.listening();
  const [one, two] = crew.workers;
  const [first, second] = [new Meter(one!), new Meter(two!)];
  second.handle(5);
  assertEquals((await collect(two!, second)).requests, 5);
  two!.end("SIGKILL");
  assertEquals((await collect(one!, first)).requests, 5);
});

Deno.test("Supervisor adds the last figures of a worker that does not answer", async () => {
  using crew = await Crew.listening();
  const [one, two] = crew.workers;
  const [first, second] = [new Meter(one!), new Meter(two!)];
  second.handle(5);
  assertEquals((await collect(one!, first)).requests, 5);
  two!.isStuck = true;
  second.handle(5);
  first.handle(1);
  const collected = collect(one!, first);
  await crew.timer.pass(1000);
  assertEquals((await collected).requests, 6);
});

Deno.test("Supervisor does not wait for a worker that ends meanwhile", async () => {
  using crew = await Crew.listening();
  const [one, two] = crew.workers;
  const first = new Meter(one!);
  two!.isStuck = true;
  const collected = collect(one!, first);
  await settle();
  two!.end("SIGKILL");
  assertEquals((await collected).cep_workers, 2);
});
