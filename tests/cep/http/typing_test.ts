import { assertEquals } from "@std/assert";
import { Typing } from "../../../cep/http/middleware/rate_limit.ts";
import { address } from "../_records.ts";
import { Service } from "../_service.ts";

Deno.test("Typing covers nine searches after one that counts", () => {
  const typing = new Typing();
  assertEquals(typing.take("a", 0), false);
  typing.cover("a", 0);
  const taken = Array.from({ length: 10 }, () => typing.take("a", 1));
  assertEquals(taken, [...Array(9).fill(true), false]);
  assertEquals(typing.take("b", 1), false);
});

Deno.test("Typing covers searches for half a minute", () => {
  const typing = new Typing();
  typing.cover("a", 0);
  assertEquals(typing.take("a", 30_000), true);
  assertEquals(typing.take("a", 30_001), false);
  assertEquals(typing.take("a", 30_000), false);
});

/** Statuses of searches in one moment. */
async function statuses(
  count: number,
  headers: Record<string, string>,
  path = "/busca?q=flores",
): Promise<number[]> {
  await using service = await Service.open({
    records: [address()],
    config: { rateLimitMax: 2, rateLimitBurst: 0 },
    now: () => 0,
  });
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    const response = await service.ask(path, { from: "192.0.2.1", headers });
    await response.body?.cancel();
    found.push(response.status);
  }
  return found;
}

const OF_PAGE = { "carteiro-page": "1" };

Deno.test("ten searches of the page count as one", async () => {
  const found = await statuses(22, OF_PAGE);
  assertEquals(found, [...Array(20).fill(200), 429, 429]);
});

for (
  const [name, headers, path] of [
    ["searches of another program", {}],
    ["lookups of the page", OF_PAGE, "/cep/01900001"],
  ] as const
) {
  Deno.test(`${name} count one by one`, async () => {
    assertEquals(await statuses(3, { ...headers }, path), [200, 200, 429]);
  });
}
