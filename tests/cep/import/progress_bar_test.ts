import { assertEquals, assertMatch } from "@std/assert";
import { progressBar, updateBar } from "../../../cep/import/progress_bar.ts";

/** Creates a bar, its output, and a clock that is set by hand. */
function bar() {
  const written: string[] = [];
  const clock = { now: 5000 };
  const draw = progressBar((text) => written.push(text), () => clock.now);
  return { written, clock, draw };
}

const HALF = {
  file: "LOG_CPC.TXT",
  bytes: 2e6,
  totalBytes: 4e6,
  codes: 3000,
  done: false,
};
const END = { ...HALF, bytes: 4e6, done: true };

Deno.test("progressBar draws bytes, CEPs, CEPs per second and the time left", () => {
  const { written, clock, draw } = bar();
  clock.now += 2000;
  draw(HALF);
  assertEquals(written, [
    "\r############............  50%  2.0 of 4.0 MB  3000 CEPs  " +
    "1500 CEPs/s  2 s left  LOG_CPC.TXT\x1b[K",
  ]);
});

Deno.test("progressBar ends its line in the last call", () => {
  const { written, clock, draw } = bar();
  clock.now += 4000;
  draw(END);
  assertEquals(written, [
    "\r########################  100%  4.0 of 4.0 MB  3000 CEPs  " +
    "750 CEPs/s  0 s left  LOG_CPC.TXT\x1b[K\n",
  ]);
});

Deno.test("progressBar does not draw again within 100 ms", () => {
  const { written, clock, draw } = bar();
  draw(HALF);
  clock.now += 99;
  draw(HALF);
  assertEquals(written.length, 1);
  clock.now += 1;
  draw(HALF);
  assertEquals(written.length, 2);
});

Deno.test("progressBar continues its line while CEPs are written", () => {
  const { written, draw } = bar();
  draw({ ...HALF, bytes: 4e6 });
  assertMatch(written[0]!, /100%.*[^\n]$/);
});

Deno.test("progressBar draws the end even within 100 ms", () => {
  const { written, draw } = bar();
  draw(HALF);
  draw(END);
  assertEquals(written.length, 2);
  assertMatch(written[1]!, /100%.*\n$/);
});

Deno.test("progressBar draws 0 CEPs per second if no time has passed", () => {
  const { written, draw } = bar();
  draw({ ...HALF, codes: 0 });
  assertEquals(written, [
    "\r############............  50%  2.0 of 4.0 MB  0 CEPs  0 CEPs/s  " +
    "1 s left  LOG_CPC.TXT\x1b[K",
  ]);
});

Deno.test("progressBar draws 100% of empty files", () => {
  const { written, draw } = bar();
  draw({ ...END, bytes: 0, totalBytes: 0, codes: 0 });
  assertEquals(written, [
    "\r########################  100%  0.0 of 0.0 MB  0 CEPs  0 CEPs/s  " +
    "0 s left  LOG_CPC.TXT\x1b[K\n",
  ]);
});

Deno.test("updateBar draws CEPs, and ends its line after the last one", () => {
  const written: string[] = [];
  const clock = { now: 0 };
  const draw = updateBar((text) => written.push(text), () => clock.now);
  clock.now += 2000;
  draw({ codes: 1000, totalCodes: 4000 });
  // A delta may add CEPs.
  clock.now += 2000;
  draw({ codes: 4100, totalCodes: 4000 });
  assertEquals(written, [
    "\r######..................  25%  1000 CEPs  500 CEPs/s  6 s left\x1b[K",
    "\r########################  100%  4100 CEPs  1025 CEPs/s  0 s left" +
    "\x1b[K\n",
  ]);
});
