import { assertEquals, assertRejects } from "@std/assert";
import { atMost } from "../../cep/at_most.ts";

Deno.test("atMost waits until something is there, and leaves no timer", async () => {
  let there = false;
  const something = Promise.resolve().then(() => there = true);
  await atMost(60_000, something);
  assertEquals(there, true);
});

Deno.test("atMost waits no longer than it is told", async () => {
  assertEquals(await atMost(0, new Promise(() => {})), undefined);
});

Deno.test("atMost fails as what it waits for", async () => {
  const failure = Promise.reject(new TypeError("broken"));
  await assertRejects(() => atMost(60_000, failure), TypeError, "broken");
});
