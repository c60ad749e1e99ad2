import { assertEquals } from "@std/assert";
import { EventLoopLag } from "../../../cep/serve/event_loop_lag.ts";

Deno.test("EventLoopLag.takeLongest returns the longest delay since the last call", () => {
  let ms = 0;
  let tick = () => {};
  const repeat = ((callback: () => void) => {
    tick = callback;
    return { unref() {} };
  }) as unknown as typeof setInterval;
  const lag = new EventLoopLag(() => ms, repeat as never);
  const tickAt = (time: number) => {
    ms = time;
    tick();
  };
  tickAt(100);
  assertEquals(lag.takeLongest(), 0);
  tickAt(250);
  tickAt(380);
  assertEquals(lag.takeLongest(), 0.05);
  // A tick that is still to come is late, too.
  ms = 680;
  assertEquals(lag.takeLongest(), 0.2);
  assertEquals(lag.takeLongest(), 0.2);
});
