import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { type PassThrough, Readable } from "node:stream";
import { copyLines } from "../../../cep/workers/line_output.ts";

/** Output that keeps each write. */
class Writes {
  readonly all: string[] = [];

  write(bytes: Uint8Array, done: () => void): boolean {
    this.all.push(Buffer.from(bytes).toString());
    setImmediate(done);
    return true;
  }
}

async function copy(chunks: readonly string[]): Promise<string[]> {
  const output = new Writes();
  const from = Readable.from(chunks.map((it) => Buffer.from(it)));
  await copyLines(from, output as unknown as PassThrough);
  return output.all;
}

Deno.test("copyLines writes whole lines", async () => {
  assertEquals(await copy(["a", "b\nc", "d\n", "e\nf\n"]), [
    "ab\n",
    "cd\n",
    "e\nf\n",
  ]);
});

Deno.test("copyLines ends the last line", async () => {
  assertEquals(await copy(["a\nb", "c"]), ["a\n", "bc\n"]);
});

Deno.test("copyLines writes a line of more than 1 MiB in parts", async () => {
  const chunk = "x".repeat(600_000);
  const writes = await copy([chunk, chunk, chunk, "\n"]);
  assertEquals(writes.map(({ length }) => length), [1_200_000, 600_001]);
});

Deno.test("copyLines mixes the lines of two streams, not their parts", async () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "\n", "é") }));
  await fc.assert(
    fc.asyncProperty(texts, texts, async (one, two) => {
      const output = new Writes();
      await Promise.all([one, two].map((chunks) =>
        copyLines(
          Readable.from(chunks.map((it) => Buffer.from(it))),
          output as unknown as PassThrough,
        )
      ));
      const linesOf = (chunks: readonly string[]) =>
        chunks.join("").replace(/\n$/, "").split("\n");
      const isEmpty = (chunks: readonly string[]) => chunks.join("") === "";
      const expected = [one, two].filter((it) => !isEmpty(it)).flatMap(linesOf);
      const actual = output.all.length === 0 ? [] : linesOf(output.all);
      assertEquals(actual.toSorted(), expected.toSorted());
    }),
    { seed: 7, numRuns: 100 },
  );
});
