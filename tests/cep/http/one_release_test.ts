/** Answers while a release is replaced by another one. */
import { assertEquals } from "@std/assert";
import { addresses, type RecordsStore, recordsStore } from "../_records.ts";
import { Service } from "../_service.ts";

const FIRST = addresses(1_900_001, 3, { bairro: "Old" });
const SECOND = addresses(1_900_001, 4, { bairro: "New" });

/**
 * Returns a store that publishes the second release after some lookups.
 *
 * @param method Method that counts as a lookup.
 */
function changingStore(
  lookups: number,
  method: "findJson" | "gazetteer" = "findJson",
): RecordsStore {
  const store = recordsStore(FIRST);
  const { findJson, gazetteer } = store;
  let count = 0;
  const change = (name: string) => {
    if (name === method && ++count === lookups) store.publish(SECOND);
  };
  return recordsStore(undefined, {
    ...methodsOf(store),
    findJson(cep) {
      const found = findJson(cep);
      change("findJson");
      return found;
    },
    gazetteer() {
      const found = gazetteer();
      change("gazetteer");
      return found;
    },
  });
}

function methodsOf(store: RecordsStore): Partial<RecordsStore> {
  const { release, history, search, findAddress, list } = store;
  return { release, history, search, findAddress, list };
}

const CEPS = ["01900001", "01900002", "01900003", "01900004"];

for (let lookups = 1; lookups <= CEPS.length; lookups++) {
  Deno.test(`POST /ceps answers from one release if it changes after ${lookups} CEPs`, async () => {
    await using service = await Service.open({ store: changingStore(lookups) });
    const response = await service.ask("/ceps", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(CEPS),
    });
    const records: { bairro?: string }[] = await response.json();
    assertEquals(
      records.map(({ bairro }) => bairro),
      ["New", "New", "New", "New"],
    );
  });
}

Deno.test("GET /cep/:cep finds a record that is published after it was missed", async () => {
  const store = changingStore(1, "gazetteer");
  await using service = await Service.open({ store });
  const response = await service.ask("/cep/01900004");
  assertEquals(response.status, 200);
  assertEquals((await response.json()).bairro, "New");
});

Deno.test("POST /enderecos answers from one release if it changes after the first query", async () => {
  await using service = await Service.open({ store: changingStore(1) });
  const response = await service.ask("/enderecos", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ cep: "01900001", bairro: "New" }),
  });
  const { registro } = await response.json();
  assertEquals(registro.bairro, "New");
});
