/** Facts about municipalities. */
import { assert, assertEquals } from "@std/assert";
import {
  allMunicipalities,
  municipalityFacts,
} from "../../cep/municipalities.ts";
import data from "../../cep/municipalities.json" with { type: "json" };

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
  const all = [...allMunicipalities()];
  assertEquals(
    all.map(([ibge]) => ibge),
    data.rows.map((it) => it.slice(0, 7)),
  );
});

for (const unknown of ["", "0000000", "355030", "constructor", "__proto__"]) {
  Deno.test(`municipalityFacts returns undefined for "${unknown}"`, () => {
    assertEquals(municipalityFacts(unknown), undefined);
  });
}

Deno.test("municipalities.json has a complete row for each IBGE code", () => {
  assertEquals(data.rows.length, 5571);
  const codes = data.rows.map((row) => row.slice(0, 7));
  assertEquals(codes, [...new Set(codes)].toSorted());
  for (const row of data.rows) {
    assert(
      /^\d{7} \d\d \d{4} -?\d+(?:\.\d{1,4})? -\d+(?:\.\d{1,4})?$/.test(
        row,
      ),
      row,
    );
    const { latitude, longitude } = municipalityFacts(row.slice(0, 7))!;
    assert(latitude > -34 && latitude < 6, row);
    assert(longitude > -74 && longitude < -32, row);
  }
});
