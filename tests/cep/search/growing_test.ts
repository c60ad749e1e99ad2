import { assertEquals, assertThrows } from "@std/assert";
import { Growing } from "../../../cep/search/growing.ts";

Deno.test("Growing keeps its items while it grows", () => {
  const growing = new Growing();
  for (let i = 0; i < 5000; i++) growing.push(3 * i);
  growing.set(4999, 7);
  assertEquals(growing.length, 5000);
  assertEquals(growing.at(2048), 6144);
  assertEquals([...growing.all].slice(4998), [14994, 7]);
});

Deno.test("Growing refuses to list items after they are freed", () => {
  const growing = new Growing();
  growing.push(1);
  growing.free();
  assertThrows(() => growing.all, TypeError);
});
