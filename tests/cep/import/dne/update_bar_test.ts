import { assertEquals } from "@std/assert";
import { updateBar } from "../../../../cep/import/progress_bar.ts";

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
