import { assertEquals } from "@std/assert";
import { Counter, Gauge, Registry } from "prom-client";
import {
  addUp,
  decodeFigures,
  encodeFigures,
  type Figures,
  lastingFigures,
} from "../../../cep/http/figures.ts";

/** Returns the figures of a process. */
async function figures(
  requests: Readonly<Record<string, number>>,
  age = 0,
): Promise<Figures> {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({
    name: "requests_total",
    help: "Requests.",
    labelNames: ["le"],
    registers,
  });
  for (const [le, count] of Object.entries(requests)) {
    counter.inc({ le }, count);
  }
  new Gauge({ name: "age", help: "Age.", aggregator: "max", registers })
    .set(age);
  return await registry.getMetricsAsJSON();
}

async function samples(all: readonly Figures[]): Promise<string[]> {
  const text = await addUp(all).metrics();
  return text.split("\n").filter((line) => line && !line.startsWith("#"));
}

Deno.test("addUp sums counters by labels, and keeps the greatest age", async () => {
  const all = [
    await figures({ "1": 2, "+Inf": 3 }, 7),
    await figures({ "+Inf": 4 }, 5),
  ];
  assertEquals(await samples(all), [
    'requests_total{le="1"} 2',
    'requests_total{le="+Inf"} 7',
    "age 7",
  ]);
});

Deno.test("decodeFigures returns what encodeFigures was given", async () => {
  const given = await figures({ "+Inf": 3, Infinity: 1 }, Infinity);
  assertEquals(
    await samples([decodeFigures(encodeFigures(given))]),
    await samples([given]),
  );
  assertEquals((await samples([given])).at(-1), "age +Inf");
});

Deno.test("lastingFigures keeps counters only", async () => {
  const lasting = await lastingFigures([
    await figures({ "1": 2 }, 7),
    await figures({ "1": 3 }, 7),
  ]);
  assertEquals(await samples([lasting]), ['requests_total{le="1"} 5']);
  const none = await lastingFigures([]);
  assertEquals(await samples([none, await figures({ "1": 1 }, 2)]), [
    'requests_total{le="1"} 1',
    "age 2",
  ]);
});
