/** Search for places by the names in LOG_VAR_LOC and LOG_VAR_BAI. */
import { assertEquals } from "@std/assert";
import { OpenedStore } from "../_stores.ts";

const FILES = {
  "LOG_VAR_LOC.TXT": [
    "1@1@Vila Antiga",
    "2@1@Cerro Azulado",
    "3@1@Pinguela",
  ],
  "LOG_VAR_BAI.TXT": ["2@1@Horto Velho"],
};

const CASES: readonly [text: string, place: string, ceps: string[]][] = [
  ["vila antiga", "a locality coded by street", [
    "01900001",
    "01900002",
    "01900900",
  ]],
  ["cerro azulado", "a locality with a general CEP", [
    "12900000",
    "12900990",
    "12905000",
    "12905970",
  ]],
  ["pinguela", "a district with a general CEP", ["12905000", "12905970"]],
  ["horto velho", "a neighbourhood", ["01900002"]],
];

for (const [text, place, ceps] of CASES) {
  Deno.test(`Store.search finds ${place} by its alternative name`, async () => {
    await using opened = await OpenedStore.inMemory(FILES);
    const page = await opened.store.search({ text, limit: 9 });
    assertEquals(page?.data.map(({ cep }) => cep).sort(), ceps);
  });
}
