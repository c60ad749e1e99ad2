import { assertEquals } from "@std/assert";
import {
  allocateTogether,
  plainMemory,
  sharedMemory,
} from "../../../cep/util/memory.ts";

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
