/** Answers of a release of the DNE alone, in which records are as without a CNEFE. */
import { assert, assertEquals } from "@std/assert";
import { CENSUS_FIELDS } from "../../../cep/record/fields.ts";
import { seedSample } from "../_seeding.ts";
import { Service } from "../_service.ts";
import { OpenedStore } from "../_stores.ts";

const MATCHED = JSON.stringify({ endereco: "Avenida Paulista, São Paulo" });

/** Requests whose answers contain the record of 01310100. */
const REQUESTS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ["/cep/01310100"],
  ["/cep/01310-100?formato=geojson"],
  ["/ceps", { method: "POST", body: '["01310100"]' }],
  ["/busca?q=01310100"],
  ["/busca?q=avenida%20paulista"],
  ["/enderecos", { method: "POST", body: MATCHED }],
  ["/debug/list?prefix=01310"],
];

for (const snapshot of [true, false]) {
  const from = snapshot ? "from memory" : "by queries";
  Deno.test(`no answer ${from} has a field of the CNEFE without one`, async (t) => {
    await using opened = await OpenedStore.open({ path: ":memory:", snapshot });
    await seedSample(opened.store);
    await using service = await Service.open({ store: opened.store });
    for (const [path, init] of REQUESTS) {
      await t.step(`${init?.method ?? "GET"} ${path}`, async () => {
        const response = await service.ask(path, {
          headers: { "content-type": "application/json" },
          ...init,
        });
        const text = await response.text();
        assertEquals(response.status, 200, text);
        assert(text.includes('"nome_origem":"LOG_LOGRADOURO_SP.TXT"'), text);
        for (const name of CENSUS_FIELDS) assert(!text.includes(`"${name}"`));
      });
    }
  });
}

Deno.test("GeoJSON of a record without a CNEFE has no geometry", async () => {
  await using opened = await OpenedStore.inMemory();
  await seedSample(opened.store);
  await using service = await Service.open({ store: opened.store });
  const response = await service.ask("/cep/01310100?formato=geojson");
  assertEquals((await response.json()).geometry, null);
});

Deno.test("the page shows the seat of the municipality for a record without a CNEFE", async () => {
  await using opened = await OpenedStore.inMemory();
  await seedSample(opened.store);
  await using service = await Service.open({ store: opened.store });
  const response = await service.ask("/?cep=01310100", {
    headers: { accept: "text/html" },
  });
  const html = await response.text();
  assertEquals(response.status, 200);
  assert(html.includes("Avenida Paulista"));
  assert(!/undefined|NaN/.test(html.replace(/<script[^]*?<\/script>/g, "")));
});
