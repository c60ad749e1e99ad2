import { assertEquals, assertThrows } from "@std/assert";
import { packViews, unpackViews } from "../../cep/shared_views.ts";

Deno.test("unpackViews restores arrays over the same memory", () => {
  const memory = new SharedArrayBuffer(64);
  const data = {
    records: new Uint8Array(memory, 3, 5),
    parts: [{ starts: new Uint32Array(memory, 8, 2) }, "São João", 3, null],
    counts: new Uint16Array(memory, 16, 4),
    points: { degrees: new Int32Array(memory, 32) },
    isCounted: true,
  };
  const packed = packViews(data);
  assertEquals(JSON.stringify(packed).includes('"0":0'), false);
  const unpacked = unpackViews(packed) as typeof data;
  new Uint8Array(memory).fill(7);
  assertEquals(unpacked, data);
  assertEquals(unpacked.records.buffer, memory);
});

Deno.test("packViews refuses arrays that it does not know", () => {
  assertThrows(
    () => packViews({ a: new Float32Array(1) }),
    TypeError,
    "Cannot send a Float32Array",
  );
});
