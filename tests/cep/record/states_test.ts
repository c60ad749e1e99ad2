/** Facts about states. */
import { assertEquals } from "@std/assert";
import { STATES } from "../../../cep/record/address.ts";
import { allMunicipalities } from "../../../cep/record/municipalities.ts";
import { stateFacts, stateOfIbge } from "../../../cep/record/states.ts";

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
    [...new Set([...allMunicipalities().keys()].map((it) => it.slice(0, 2)))]
      .toSorted(),
  );
});

Deno.test("stateFacts returns undefined for an unknown state", () => {
  assertEquals(["XX", "sp", ""].map(stateFacts), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("stateOfIbge returns the state of a state and of a municipality", () => {
  assertEquals(["35", "3550308", "5300108"].map(stateOfIbge), [
    "SP",
    "SP",
    "DF",
  ]);
});

Deno.test("stateOfIbge returns undefined for an unknown code", () => {
  assertEquals(["", "3", "99", "AB12345"].map(stateOfIbge), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
