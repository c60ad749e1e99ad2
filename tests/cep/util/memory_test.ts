import { collectGarbage } from "../../../cep/util/collect_garbage.ts";
import { free, freePart } from "../../../cep/util/free.ts";
import {
  allocateTogether,
  plainMemory,
  sharedMemory,
} from "../../../cep/util/memory.ts";
import { assertEquals } from "@std/assert";

for (
  const [name, allocate, type] of [
    ["plainMemory", plainMemory, ArrayBuffer],
    ["sharedMemory", sharedMemory, SharedArrayBuffer],
  ] as const
) {
  Deno.test(`allocateTogether aligns arrays in one block (${name})`, () => {
    const arrays = allocateTogether([3, 0, 8, 1], allocate);
    assertEquals(arrays.map(({ length }) => length), [3, 0, 8, 1]);
    assertEquals(arrays.map(({ byteOffset }) => byteOffset), [0, 4, 4, 12]);
    assertEquals(new Set(arrays.map(({ buffer }) => buffer)).size, 1);
    assertEquals(arrays[0]!.buffer instanceof type, true);
  });
}

Deno.test("free empties arrays", () => {
  const arrays = [new Uint8Array(3), new Float64Array(5)];
  free(...arrays);
  assertEquals(arrays.map(({ length }) => length), [0, 0]);
});

Deno.test("freePart empties bytes with memory of their own", () => {
  const part = new Uint8Array(3);
  freePart(part);
  assertEquals(part.length, 0);
});

Deno.test("freePart keeps memory that other arrays may share", () => {
  const bytes = new Uint8Array([1, 2, 3]);
  freePart(bytes.subarray(0, 2));
  freePart(new Uint8Array(new SharedArrayBuffer(1)));
  assertEquals([...bytes], [1, 2, 3]);
});

Deno.test("collectGarbage collects shared memory that was dropped", async () => {
  const dropped =
    ((): WeakRef<ArrayBufferLike> => new WeakRef(sharedMemory(1 << 20)))();
  await collectGarbage();
  assertEquals(dropped.deref(), undefined);
});
