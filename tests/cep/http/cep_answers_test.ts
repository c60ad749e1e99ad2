/** Error for a CEP without a record. */
import { assertEquals } from "@std/assert";
import { missingCep } from "../../../cep/http/cep_answers.ts";
import { UnreachableError } from "../../../cep/store/store.ts";
import { fakeStore } from "../_records.ts";
import { samplePlaces } from "../_sample_places.ts";

const store = fakeStore({
  gazetteer: samplePlaces,
  lastChange: () => Promise.resolve(undefined),
});

Deno.test("missingCep suggests the municipality in whose range a CEP lies", async () => {
  const { code, details } = await missingCep(store, "01000999");
  assertEquals(code, "cep_not_found");
  assertEquals(details, {
    sugestao: { cidade: "São Paulo", uf: "SP", codigo_ibge: "3550308" },
  });
});

Deno.test("missingCep suggests nothing for a CEP outside all ranges", async () => {
  const { code, details } = await missingCep(store, "00000000");
  assertEquals([code, details], ["cep_not_found", {}]);
});

for (const method of ["gazetteer", "lastChange"] as const) {
  Deno.test(`missingCep returns cep_not_found while ${method} cannot reach the server`, async () => {
    const away = fakeStore({
      gazetteer: samplePlaces,
      [method]: () => Promise.reject(new UnreachableError("away")),
    });
    const { code, details } = await missingCep(away, "01000999");
    assertEquals([code, details], ["cep_not_found", {}]);
  });
}

Deno.test("missingCep returns database_not_ready for an empty database", async () => {
  const empty = fakeStore({ gazetteer: () => Promise.resolve(undefined) });
  assertEquals(
    (await missingCep(empty, "01000999")).code,
    "database_not_ready",
  );
});

for (const successor of ["01001001", null]) {
  Deno.test(`missingCep returns cep_replaced for a CEP whose successor is ${successor}`, async () => {
    const last = {
      cep: "01000999",
      successor,
      dneVersion: "26012",
      seededAt: "2026-01-30T12:00:00.000Z",
    };
    const replaced = fakeStore({
      gazetteer: samplePlaces,
      lastChange: () => Promise.resolve(last),
    });
    const { code, details } = await missingCep(replaced, "01000999");
    assertEquals(code, "cep_replaced");
    // The municipality helps only if there is no successor.
    const sugestao = {
      cidade: "São Paulo",
      uf: "SP",
      codigo_ibge: "3550308",
    };
    assertEquals(details, {
      cep_novo: successor,
      release: "26012",
      ...(successor === null ? { sugestao } : {}),
    });
  });
}
