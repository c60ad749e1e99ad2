import { assert, assertEquals } from "@std/assert";
import { Latency } from "../../../scripts/soak/latency.ts";

Deno.test("Latency.quantile is exact to 5 %", () => {
  const latency = new Latency();
  for (let i = 1; i <= 1000; i++) latency.add(i);
  for (const share of [0.01, 0.5, 0.99, 1]) {
    const exact = 1000 * share;
    const found = latency.quantile(share);
    assert(found >= exact && found <= exact * 1.05, `${share}: ${found}`);
  }
  assertEquals(latency.max, 1000);
  assertEquals(latency.count, 1000);
});

Deno.test("Latency counts values below and above its buckets", () => {
  const latency = new Latency();
  for (const value of [0, 0.001, 1e9]) latency.add(value);
  assertEquals(latency.count, 3);
  assertEquals(latency.quantile(1), 1e9);
});

Deno.test("Latency.quantile of no values is 0", () => {
  assertEquals(new Latency().quantile(0.99), 0);
});
