import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Chains } from "../../../cep/search/street_details.ts";

function itemsOf(chains: Chains, key: number): number[] {
  const items: number[] = [];
  let item = chains.first(key);
  for (; item >= 0; item = chains.next(item)) items.push(item);
  return items;
}

Deno.test("Chains lists the items of each key in their order", () => {
  const key = fc.oneof(fc.nat(20), fc.nat(2 ** 32 - 1));
  fc.assert(fc.property(fc.array(key, { maxLength: 3000 }), (keys) => {
    const chains = new Chains();
    const expected = new Map<number, number[]>();
    keys.forEach((key, item) => {
      chains.add(key);
      expected.set(key, [...expected.get(key) ?? [], item]);
    });
    for (const [key, items] of expected) {
      assertEquals(itemsOf(chains, key), items);
    }
    const absent = [0, 7, 2 ** 32 - 1, -1, 0.5, NaN]
      .filter((it) => !expected.has(it));
    for (const key of absent) assertEquals(chains.first(key), -1);
  }));
});

Deno.test("Chains lists more items than its first hash table has slots", () => {
  const chains = new Chains();
  for (let i = 0; i < 50_000; i++) chains.add(i % 10_000 * 1024);
  for (let key = 0; key < 10_000; key++) {
    const items = Array.from({ length: 5 }, (_, i) => key + i * 10_000);
    assertEquals(itemsOf(chains, key * 1024), items);
  }
});
