import { assertEquals, assertRejects } from "@std/assert";
import { atMost } from "../../../cep/util/at_most.ts";

Deno.test("atMost waits for the promise, and clears its timer", async () => {
  let isSettled = false;
  const promise = Promise.resolve().then(() => isSettled = true);
  await atMost(60_000, promise);
  assertEquals(isSettled, true);
});

Deno.test("atMost resolves after the given time", async () => {
  assertEquals(await atMost(0, new Promise(() => {})), undefined);
});

Deno.test("atMost rejects with the error of the promise", async () => {
  const failure = Promise.reject(new TypeError("broken"));
  await assertRejects(() => atMost(60_000, failure), TypeError, "broken");
});
