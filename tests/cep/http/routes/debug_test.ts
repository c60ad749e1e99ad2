import { assertEquals } from "@std/assert";
import { address, fakeStore, RELEASE } from "../../_records.ts";
import { Service } from "../../_service.ts";

const DATA = [address()];

const PREFIXES: readonly (readonly [query: string, prefix: string])[] = [
  ["", ""],
  ["?prefix=0", "0"],
  ["?prefix=01234", "01234"],
  ["?prefix=01234-", "01234"],
  ["?prefix=01234-9", "012349"],
  ["?prefix=01234-900", "01234900"],
  ["?prefix=01234900", "01234900"],
];

for (const [query, prefix] of PREFIXES) {
  Deno.test(`/debug/list${query} lists the first 100 records of prefix "${prefix}"`, async () => {
    const calls: unknown[] = [];
    const store = fakeStore({
      release: () => Promise.resolve(RELEASE),
      list(...call) {
        calls.push(call);
        return Promise.resolve({ total: 200, data: DATA });
      },
    });
    await using service = await Service.open({ store });
    const response = await service.ask(`/debug/list${query}`);
    assertEquals(
      await response.text(),
      JSON.stringify({ total: 200, data: DATA }),
    );
    assertEquals(calls, [[prefix, 100]]);
  });
}
