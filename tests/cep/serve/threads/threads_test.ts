import { assertEquals } from "@std/assert";
import { settle } from "../../_manual_timer.ts";
import { FakeThreads, figuresOf } from "./_fake_threads.ts";

Deno.test("Threads starts all but the first", async () => {
  const { all, logger } = await FakeThreads.listening();
  assertEquals(all.map(({ number }) => number), [2, 3, 4]);
  assertEquals(logger.at("info").map(({ thread }) => thread), [2, 3, 4]);
});

Deno.test("Threads.collect returns the figures of the others once", async () => {
  const fake = await FakeThreads.listening();
  fake.threads.provide(() => figuresOf(() => 1000));
  for (const thread of fake.all) thread.requests = thread.number;
  const first = await fake.sums();
  assertEquals([first.requests, first.cep_workers], [2 + 3 + 4, 4]);
  const second = await fake.sums(fake.all[0]);
  assertEquals([second.requests, second.cep_workers], [1000 + 3 + 4, 4]);
  assertEquals(second.process_cpu_seconds_total, undefined);
});

Deno.test("Threads.collect keeps the counts of a thread that has ended", async () => {
  const fake = await FakeThreads.listening();
  fake.all[0]!.requests = 20;
  await fake.timer.pass(1000);
  fake.all[0]!.crash("out of memory");
  const sums = await fake.sums();
  assertEquals([sums.requests, sums.lag], [20, 0]);
  fake.all[3]!.link.listening();
  fake.all[3]!.requests = 1;
  await settle();
  const again = await fake.sums(fake.all[1]);
  assertEquals([again.requests, again.cep_worker_restarts_total], [21, 1]);
});

Deno.test("Threads.collect does not wait for a thread that hangs", async () => {
  const fake = await FakeThreads.listening();
  for (const thread of fake.all) thread.requests = 5;
  await fake.timer.pass(1000);
  fake.all[0]!.isStuck = true;
  for (const thread of fake.all) thread.requests = 7;
  assertEquals((await fake.sums()).requests, 5 + 7 + 7);
});

Deno.test("Threads replaces a thread, each time after twice the time", async () => {
  const fake = await FakeThreads.listening();
  const delays = [];
  for (let i = 0; i < 10; i++) {
    const thread = fake.all.findLast(({ number }) => number === 2)!;
    thread.crash("out of memory");
    const { error, restart_ms } = fake.logger.at("error").at(-1)!;
    assertEquals(error, "out of memory");
    delays.push(restart_ms);
    const { length } = fake.all;
    await fake.timer.pass(Number(restart_ms) - 1);
    assertEquals(fake.all.length, length);
    await fake.timer.pass(1);
    assertEquals(fake.all.length, length + 1);
  }
  assertEquals(delays.slice(0, 4), [100, 200, 400, 800]);
  assertEquals(delays.at(-1), 30_000);
  fake.all.at(-1)!.link.listening();
  await fake.timer.pass(10_000);
  fake.all.at(-1)!.crash("out of memory");
  assertEquals(fake.logger.at("error").at(-1)!.restart_ms, 100);
});

Deno.test("Threads says once that it is alone, and tries again", async () => {
  const fake = new FakeThreads();
  fake.failure = "too many threads";
  fake.threads.listen(8080);
  await fake.timer.pass(120_000);
  assertEquals(
    fake.logger.entries.map(({ message, properties }) => [
      message,
      properties.error,
    ]),
    [["One thread answers all requests", "too many threads"]],
  );
  fake.failure = undefined;
  await fake.timer.pass(30_000);
  assertEquals(fake.all.length, 3);
});

Deno.test("Threads logs why a thread has failed", async () => {
  const fake = await FakeThreads.listening();
  const { events } = fake.all[1]!;
  events.onMessage({ kind: "ended", error: "the port is in use" });
  const [{ thread, error } = {}] = fake.logger.at("error");
  assertEquals({ thread, error }, { thread: 3, error: "the port is in use" });
});

Deno.test("Threads replaces a thread without a sign of life for 30 s", async () => {
  const fake = await FakeThreads.listening();
  fake.all[2]!.isStuck = true;
  await fake.timer.pass(30_000);
  assertEquals(fake.logger.at("error"), []);
  await fake.timer.pass(1000);
  const [{ thread, error } = {}] = fake.logger.at("error");
  assertEquals({ thread, error }, { thread: 4, error: "no answer for 30 s" });
  await fake.timer.pass(100);
  assertEquals(fake.all.map(({ number }) => number), [2, 3, 4, 4]);
});

Deno.test("Threads tells the others the age of the data", async () => {
  const fake = await FakeThreads.listening();
  assertEquals(fake.all[0]!.link.freshness(), undefined);
  fake.freshness = { syncedAt: "2026-11-22T12:00:00.000Z" };
  await fake.timer.pass(1000);
  assertEquals(fake.all[0]!.link.freshness(), fake.freshness);
});

Deno.test("Threads.stop lets each thread complete its requests", async () => {
  const fake = await FakeThreads.listening();
  let isStopped = false;
  fake.threads.stop("SIGTERM").then(() => isStopped = true);
  assertEquals(
    fake.all.map(({ received }) => received.at(-1)),
    Array(3).fill({ kind: "stop", reason: "SIGTERM" }),
  );
  assertEquals(isStopped, false);
  await settle();
  assertEquals(isStopped, true);
  assertEquals(fake.timer.pending, 0);
  assertEquals(fake.logger.at("error"), []);
});

Deno.test("Threads.stop ends a thread that takes too long", async () => {
  const fake = await FakeThreads.listening();
  fake.all[0]!.isStuck = true;
  const stopped = fake.threads.stop("SIGTERM");
  await fake.timer.pass(11_999);
  assertEquals(fake.all[0]!.isEnded, false);
  await fake.timer.pass(1);
  assertEquals(fake.all[0]!.isEnded, true);
  await stopped;
});

Deno.test("Threads.stop ends a thread that does not listen yet", async () => {
  const fake = new FakeThreads();
  fake.threads.listen(8080);
  await fake.threads.stop("SIGTERM");
  assertEquals(fake.all.map(({ isEnded }) => isEnded), [true, true, true]);
});

Deno.test("Threads.stop ends before the threads have been started", async () => {
  const fake = new FakeThreads();
  await fake.threads.stop("an error");
  fake.threads.listen(8080);
  assertEquals(fake.all, []);
});
