import { assertEquals } from "@std/assert";
import {
  fromArrayMessage,
  toArrayMessage,
} from "../../../cep/util/array_message.ts";

Deno.test("fromArrayMessage restores arrays in the same memory", () => {
  const memory = new SharedArrayBuffer(16);
  const data = {
    names: new Uint8Array(memory, 0, 4),
    texts: [{ starts: new Uint32Array(memory, 4, 2), word: "rua" }],
    points: new Int32Array(memory, 12, 1),
    suffixes: new Uint16Array(memory, 0, 2),
    counted: true,
    missing: undefined,
  };
  const message = structuredClone(toArrayMessage(data));
  data.texts[0]!.starts[1] = 7;
  const restored = fromArrayMessage<typeof data>(message);
  assertEquals(restored, data);
  data.points[0] = -9;
  assertEquals(restored.points[0], -9);
});

Deno.test("toArrayMessage has no arrays, whose numbers Deno would visit", () => {
  const message = toArrayMessage({ a: [new Uint8Array(3)] });
  const { a: [place] } = message as { a: [object] };
  assertEquals(ArrayBuffer.isView(place), false);
});
