import { assertEquals } from "@std/assert";
import { free, freePart } from "../../../cep/util/free.ts";

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
