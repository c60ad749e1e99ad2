import { assertEquals, assertThrows } from "@std/assert";
import { Growing } from "../../../cep/util/growing.ts";

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

Deno.test("Growing.findSorted returns the index of an item, -1 without it", () => {
  const growing = new Growing();
  for (let i = 0; i < 3000; i++) growing.push(70_000_000 + 2 * i);
  const numbers = [69_999_999, 70_000_000, 70_000_001, 70_005_998, 70_005_999];
  assertEquals(
    numbers.map((it) => growing.findSorted(it)),
    [-1, 0, -1, 2999, -1],
  );
  assertEquals(new Growing().findSorted(0), -1);
});
