/** Facts about municipalities. */
import data from "../../../cep/record/municipalities.json" with {
  type: "json",
};
import {
  allMunicipalities,
  municipalityFacts,
} from "../../../cep/record/municipalities.ts";
import { municipalityNames } from "../../../cep/record/municipality_names.ts";
import { stateOfIbge } from "../../../cep/record/states.ts";
import { assert, assertEquals } from "@std/assert";

Deno.test("municipalityFacts returns DDD, SIAFI code and seat", () => {
  assertEquals(municipalityFacts("3550308"), {
    ddd: "11",
    siafi: "7107",
    latitude: -23.5329,
    longitude: -46.6395,
  });
});

Deno.test("municipalityFacts has the corrected area codes", () => {
  const codes = ["3108800", "3108909", "5104526"];
  assertEquals(codes.map((it) => municipalityFacts(it)?.ddd), [
    "33",
    "35",
    "66",
  ]);
});

Deno.test("allMunicipalities returns every municipality in order of its code", () => {
  const codes = [...allMunicipalities().keys()];
  assertEquals(codes.length, 5571);
  assertEquals(codes, [...new Set(codes)].toSorted());
});

for (const unknown of ["", "0000000", "355030", "constructor", "__proto__"]) {
  Deno.test(`municipalityFacts returns undefined for "${unknown}"`, () => {
    assertEquals(municipalityFacts(unknown), undefined);
  });
}

Deno.test("municipalities.json has a valid value in every column of each IBGE code", () => {
  const columns: [keyof typeof data, RegExp][] = [
    ["codigo_ibge", /^\d{7}$/],
    ["ddd", /^\d\d$/],
    ["siafi", /^\d{4}$/],
    ["latitude", /^-?\d+(?:\.\d{1,4})?$/],
    ["longitude", /^-\d+(?:\.\d{1,4})?$/],
  ];
  for (const [name, form] of columns) {
    const values = data[name].split(" ");
    assertEquals(values.length, 5571, name);
    assertEquals(values.filter((it) => !form.test(it)), [], name);
  }
  for (const [ibge, { latitude, longitude }] of allMunicipalities()) {
    assert(latitude > -34 && latitude < 6, ibge);
    assert(longitude > -74 && longitude < -32, ibge);
  }
});

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
