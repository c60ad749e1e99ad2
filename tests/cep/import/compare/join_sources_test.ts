import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { joinSources } from "../../../../cep/import/compare/compare_release.ts";

async function* batches(
  keys: readonly string[],
  size: number,
): AsyncGenerator<string[]> {
  for (let i = 0; i < keys.length; i += size) yield keys.slice(i, i + size);
}

const KEYS = fc.uniqueArray(
  fc.integer({ min: 0, max: 50 }).map((n) => `${n}`.padStart(8, "0")),
).map((keys) => keys.toSorted());

const identity = (key: string) => key;

Deno.test("joinSources yields every key once and in order, with the items of both", async () => {
  await fc.assert(fc.asyncProperty(
    KEYS,
    KEYS,
    fc.integer({ min: 1, max: 9 }),
    async (left, right, size) => {
      const joined = await Array.fromAsync(
        joinSources(
          batches(left, size),
          batches(right, 10 - size),
          identity,
          identity,
        ),
      );
      const keys = [...new Set([...left, ...right])].toSorted();
      assertEquals(
        joined,
        keys.map((key) => ({
          key,
          one: left.includes(key) ? key : undefined,
          other: right.includes(key) ? key : undefined,
        })),
      );
    },
  ));
});

Deno.test("joinSources ends both sequences if it is not read to its end", async () => {
  const ended: string[] = [];
  async function* endless(name: string): AsyncGenerator<string[]> {
    try {
      while (true) yield ["01000000", "02000000"];
    } finally {
      ended.push(name);
    }
  }
  const joined = joinSources(
    endless("one"),
    endless("other"),
    identity,
    identity,
  );
  for await (const { key } of joined) {
    assertEquals(key, "01000000");
    break;
  }
  assertEquals(ended, ["one", "other"]);
});
