/** Facts about states. */
import { assertEquals } from "@std/assert";
import { STATES } from "../../cep/address.ts";
import { stateFacts } from "../../cep/states.ts";
import data from "../../cep/municipalities.json" with { type: "json" };

Deno.test("stateFacts returns name, region and IBGE code", () => {
  assertEquals(stateFacts("SP"), {
    name: "São Paulo",
    region: "Sudeste",
    ibge: "35",
  });
});

Deno.test("stateFacts knows every state", () => {
  const codes = STATES.map((uf) => stateFacts(uf)?.ibge);
  assertEquals(
    codes.toSorted(),
    [...new Set(data.rows.map((row) => row.slice(0, 2)))].toSorted(),
  );
});

Deno.test("stateFacts returns undefined for an unknown state", () => {
  assertEquals(["XX", "sp", ""].map(stateFacts), [
    undefined,
    undefined,
    undefined,
  ]);
});
