import { assertEquals, assertRejects } from "@std/assert";
import { setImmediate } from "node:timers/promises";
import { LocalSearches } from "../../../cep/search/search_calls.ts";
import { Turns } from "../../../cep/util/turns.ts";
import { sampleIndex } from "./_sample_index.ts";

const QUERY = { text: "rua das flores", hasPrefix: true, offset: 0, limit: 5 };

Deno.test("LocalSearches gives the event loop back between searches that fill a turn", async () => {
  const { arrays } = await sampleIndex();
  // Each look at the clock is a millisecond later.
  let ms = 0;
  const searches = new LocalSearches(new Turns(() => ms++)).open(arrays);
  let turns = 0;
  let isDone = false;
  const seen: number[] = [];
  const watch = async () => {
    while (!isDone) {
      await setImmediate();
      turns++;
    }
  };
  const watching = watch();
  await Promise.all(Array.from({ length: 20 }, async () => {
    await searches.call("search", QUERY);
    seen.push(turns);
  }));
  isDone = true;
  await watching;
  assertEquals(new Set(seen).size >= 5, true, `${seen}`);
});

Deno.test("LocalSearches rejects searches after close", async () => {
  const index = await sampleIndex();
  const arrays = structuredClone(index.arrays);
  const searches = new LocalSearches().open(arrays);
  assertEquals((await searches.call("search", QUERY)).length > 0, true);
  searches.close();
  await assertRejects(() => searches.call("search", QUERY), Error, "closed");
});

Deno.test("LocalSearches counts searches that their budget ends", async () => {
  const { arrays } = await sampleIndex();
  const place = new LocalSearches();
  const searches = place.open(arrays);
  await searches.call("search", QUERY);
  assertEquals(place.load.overBudget, 0);
  const text = "ruaa avenidda pracca travvessa jardiim villa parqque centtro " +
    "brassil aveniida praaca travesssa jardinn vilaa parquee ruua centrro";
  await searches.call("search", { ...QUERY, text });
  assertEquals(place.load.overBudget, 1);
});
