import { assertEquals, assertRejects } from "@std/assert";
import type { Value } from "../../../cep/release/connection.ts";
import type { RemoteStatement } from "../../../cep/store/remote_server.ts";
import {
  StatementQueue,
  type StatementServer,
} from "../../../cep/store/remote_tables.ts";

/** Server that answers when a test tells it, with the values of statements. */
class HeldServer implements StatementServer {
  /** Numbers of statements of the requests so far. */
  readonly sizes: number[] = [];
  readonly #held: { end(): void; fail(error: Error): void }[] = [];

  query(_sql: string, values: readonly Value[]): Promise<Value[][]> {
    return this.#hold(1, [[...values]]);
  }

  read(statements: readonly RemoteStatement[]): Promise<Value[][][]> {
    const rows = statements.map(({ values = [] }) => [[...values]]);
    return this.#hold(statements.length, rows);
  }

  #hold<T>(size: number, result: T): Promise<T> {
    this.sizes.push(size);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#held.push({ end: () => resolve(result), fail: reject });
    return promise;
  }

  /** Answers the oldest request. */
  answer(): void {
    this.#held.shift()!.end();
  }

  /** Fails the oldest request. */
  fail(): void {
    this.#held.shift()!.fail(new Error("away"));
  }
}

/** Lets everything that waits for no answer happen. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

function fill(queue: StatementQueue, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, (_, i) => queue.get("SELECT ?", [i]));
}

Deno.test("StatementQueue sends the statements of one task together", async () => {
  const server = new HeldServer();
  const rows = fill(new StatementQueue(server), 3);
  await settle();
  assertEquals(server.sizes, [3]);
  server.answer();
  assertEquals(await Promise.all(rows), [[0], [1], [2]]);
});

Deno.test("StatementQueue sends those that arrive meanwhile when a request ends, or fails", async () => {
  const server = new HeldServer();
  const queue = new StatementQueue(server);
  const first = fill(queue, 1);
  await settle();
  const next = fill(queue, 2);
  await settle();
  const last = fill(queue, 2);
  assertEquals(server.sizes, [1]);
  server.fail();
  await assertRejects(() => Promise.all(first), Error, "away");
  await settle();
  assertEquals(server.sizes, [1, 4]);
  server.answer();
  assertEquals(await Promise.all([...next, ...last]), [[0], [1], [0], [1]]);
});

Deno.test("StatementQueue bounds the statements of a request, and the requests at a time", async () => {
  const server = new HeldServer();
  const queue = new StatementQueue(server);
  const rows = fill(queue, 2001);
  await settle();
  assertEquals(server.sizes, [250, 250, 250, 250]);
  for (let i = 0; i < 9; i++) {
    server.answer();
    await settle();
  }
  assertEquals(server.sizes, [...Array(8).fill(250), 1]);
  assertEquals(await Promise.all(rows), rows.map((_, i) => [i]));
});
