import { assertEquals } from "@std/assert";
import { WorkerLink } from "../../../cep/workers/worker.ts";
import { ManualTimer } from "../_manual_timer.ts";

Deno.test("WorkerLink.collect returns nothing if the supervisor is silent, and tells once", async () => {
  const timer = new ManualTimer();
  let silences = 0;
  const channel = { send() {}, onMessage() {}, onEnd() {} };
  const link = new WorkerLink(1, channel, () => silences++, timer.schedule);
  for (let i = 0; i < 2; i++) {
    const collected = link.collect([]);
    await timer.pass(5000);
    assertEquals(await collected, []);
  }
  assertEquals([silences, timer.pending], [1, 0]);
});
