/** Names of municipalities. */
import { assert, assertEquals } from "@std/assert";
import { allMunicipalities } from "../../../cep/record/municipalities.ts";
import { municipalityNames } from "../../../cep/record/municipality_names.ts";
import { stateOfIbge } from "../../../cep/record/states.ts";

const names = municipalityNames();

Deno.test("municipalityNames has every municipality in order of its code", () => {
  assertEquals([...names.keys()], [...allMunicipalities().keys()]);
  assert([...names.values()].every((name) => /^\S.*\S$/.test(name)));
  const inBahia = [...names.keys()].filter((it) => stateOfIbge(it) === "BA");
  assertEquals(inBahia.length, 417);
});

Deno.test("municipalityNames keeps apostrophes and hyphens of names", () => {
  assertEquals(names.get("1100015"), "Alta Floresta D'Oeste");
  assertEquals(names.get("1100122"), "Ji-Paraná");
  assertEquals(names.get("3550308"), "São Paulo");
});
