/** Answers while a release is replaced by another one. */
import { assertEquals } from "@std/assert";
import type { Store } from "../../../cep/store/store.ts";
import { addresses, fakeStore, recordsStore } from "../_records.ts";
import { Service } from "../_service.ts";

const FIRST = recordsStore(
  addresses(1_900_001, 3, { bairro: "Brasília (Velha)" }),
);
const SECOND = recordsStore(
  addresses(1_900_001, 4, { bairro: "Brasília (Nova)" }),
);

/** Returns a store that is read once from one release, then from another. */
function changingStore(): Store {
  let times = 0;
  return fakeStore({
    release: () => FIRST.release(),
    read: (action) => (times++ === 0 ? FIRST : SECOND).read(action),
  });
}

/** Returns the answer to a POST request with a JSON body. */
async function post<T>(path: string, body: unknown): Promise<T> {
  await using service = await Service.open({ store: changingStore() });
  const response = await service.ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await response.json();
}

Deno.test("POST /ceps reads from one release", async () => {
  const ceps = ["01900001", "01900002", "01900003", "01900004"];
  const records = await post<{ bairro?: string; code?: string }[]>(
    "/ceps",
    ceps,
  );
  assertEquals(
    records.map(({ bairro, code }) => bairro ?? code),
    [...Array(3).fill("Brasília (Velha)"), "cep_not_found"],
  );
});

Deno.test("GET /cep/:cep looks for the history of a CEP in the release without it", async () => {
  await using service = await Service.open({ store: changingStore() });
  assertEquals((await service.ask("/cep/01900004")).status, 404);
});

Deno.test("POST /enderecos reads from one release", async () => {
  const { registro } = await post<{ registro: { bairro: string } }>(
    "/enderecos",
    { cep: "01900001", bairro: "Brasília" },
  );
  assertEquals(registro.bairro, "Brasília (Velha)");
});
