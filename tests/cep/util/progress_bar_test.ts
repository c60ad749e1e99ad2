import { assertEquals } from "@std/assert";
import { drawProgress } from "../../../cep/util/progress_bar.ts";

/** Creates a bar, its output, and a clock that is set by hand. */
function bar() {
  const written: string[] = [];
  const clock = { now: 5000 };
  const draw = drawProgress({
    unit: "addresses",
    write: (text) => written.push(text),
    now: () => clock.now,
  });
  return { written, clock, draw };
}

Deno.test("drawProgress draws neither a bar nor the time left without a total", () => {
  const { written, clock, draw } = bar();
  clock.now += 2000;
  draw({
    done: 5,
    total: undefined,
    count: 10,
    isLast: false,
    before: ["5 B"],
  });
  assertEquals(written, ["\r5 B  10 addresses  5 addresses/s\x1b[K"]);
});

Deno.test("drawProgress fills the bar if more than the total is done", () => {
  const { written, clock, draw } = bar();
  clock.now += 1000;
  draw({ done: 9, total: 3, count: 9, isLast: true });
  assertEquals(written, [
    `\r${"#".repeat(24)}  100%  9 addresses  9 addresses/s  0 s left\x1b[K\n`,
  ]);
});
