import { assertEquals, assertRejects } from "@std/assert";
import { settle } from "../../_manual_timer.ts";
import { FakeThreads } from "./_fake_threads.ts";

/** Reads that a test completes. */
class Reads {
  readonly readers: string[] = [];
  readonly #results = new Map<string, PromiseWithResolvers<unknown>>();

  read(reader: string): () => Promise<unknown> {
    return () => {
      this.readers.push(reader);
      const result = Promise.withResolvers<unknown>();
      this.#results.set(reader, result);
      return result.promise;
    };
  }

  end(reader: string): PromiseWithResolvers<unknown> {
    return this.#results.get(reader)!;
  }
}

function part(): { words: Uint32Array } {
  return { words: new Uint32Array(new SharedArrayBuffer(8)) };
}

Deno.test("PartsBroker has one thread read a part, in memory of all", async () => {
  const { all: [two, three], parts } = await FakeThreads.listening();
  const reads = new Reads();
  const taken = [
    two!.link.take(7, "snapshot", reads.read("two")),
    three!.link.take(7, "snapshot", reads.read("three")),
  ];
  await settle();
  taken.push(parts.own.take(7, "snapshot", reads.read("own")));
  assertEquals(reads.readers, ["two"]);
  const data = part();
  reads.end("two").resolve(data);
  const results = await Promise.all(taken) as (typeof data)[];
  data.words[1] = 5;
  assertEquals(results.map(({ words }) => words[1]), [5, 5, 5]);
});

Deno.test("PartsBroker reads each part of each release", async () => {
  const { all: [two] } = await FakeThreads.listening();
  const reads = new Reads();
  two!.link.take(7, "snapshot", reads.read("7 snapshot"));
  two!.link.take(7, "busca", reads.read("7 busca"));
  two!.link.take(8, "busca", reads.read("8 busca"));
  await settle();
  assertEquals(reads.readers, ["7 snapshot", "7 busca", "8 busca"]);
});

for (
  const [name, fail] of [
    ["fails", (fake, reads) => {
      reads.end("two").reject(new Error("the disk is gone"));
      return fake;
    }],
    ["ends", (fake) => fake.all[0]!.crash("out of memory")],
  ] as readonly [string, (fake: FakeThreads, reads: Reads) => unknown][]
) {
  Deno.test(`PartsBroker has the next thread read if one ${name}`, async () => {
    const fake = await FakeThreads.listening();
    const [two, three, four] = fake.all;
    const reads = new Reads();
    const failed = two!.link.take(7, "busca", reads.read("two"));
    const taken = [three, four].map((it) =>
      it!.link.take(7, "busca", reads.read(`${it!.number}`))
    );
    await settle();
    fail(fake, reads);
    if (name === "fails") await assertRejects(() => failed, Error, "the disk");
    await settle();
    assertEquals(reads.readers, ["two", "3"]);
    reads.end("3").resolve(part());
    assertEquals(await Promise.all(taken), [part(), part()]);
  });
}

Deno.test("PartsBroker sends a part that comes late to no other thread", async () => {
  const fake = await FakeThreads.listening();
  const [two, three] = fake.all;
  const reads = new Reads();
  three!.link.take(7, "busca", reads.read("three"));
  two!.link.take(7, "busca", reads.read("two"));
  await settle();
  two!.crash("out of memory");
  await fake.timer.pass(100);
  const replacement = fake.all.at(-1)!;
  assertEquals(replacement.number, 2);
  reads.end("three").resolve(part());
  await settle();
  const kinds = replacement.received.map(({ kind }) => kind);
  assertEquals(kinds.includes("part"), false);
});

Deno.test("PartsBroker forgets a release when its last thread drops it", async () => {
  const fake = await FakeThreads.listening();
  const [two, three] = fake.all;
  const reads = new Reads();
  const taken = [two, three].map((it) =>
    it!.link.take(7, "busca", reads.read("first"))
  );
  await settle();
  reads.end("first").resolve(part());
  await Promise.all(taken);
  two!.link.drop(7);
  await settle();
  assertEquals(fake.collections, 0);
  await fake.parts.own.take(7, "busca", reads.read("own"));
  three!.crash("out of memory");
  assertEquals(reads.readers, ["first"]);
  fake.parts.own.drop(7);
  assertEquals(fake.collections, 1);
  fake.parts.own.take(7, "busca", reads.read("again"));
  assertEquals(reads.readers, ["first", "again"]);
});
