import { assertEquals } from "@std/assert";
import { isForeignCode } from "../../../cep/import/census_places.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { repeat, SAO_PAULO, seedBoth } from "./_both.ts";

for (
  const [cep, ibge, addresses, expected] of [
    ["13317000", "3509502", 1, false],
    ["31317000", "3509502", 1, true],
    ["31317000", "3509502", 9, true],
    ["31317000", "3509502", 10, false],
    ["59225000", "2500577", 10, false],
    ["00500000", "3509502", 1, true],
    ["73700000", "5221601", 1, false],
    ["73699999", "5221601", 1, true],
  ] as const
) {
  Deno.test(`isForeignCode is ${expected} for ${cep} with ${addresses} in ${ibge}`, () => {
    assertEquals(isForeignCode({ cep, ibge, addresses }), expected);
  });
}

/** Addresses of São Paulo with CEPs of Minas Gerais and Rio de Janeiro. */
const MISREAD = [
  ...SAO_PAULO["35_SP.csv"] as [],
  ...repeat(9, {
    COD_MUNICIPIO: "3550308",
    CEP: "31317000",
    DSC_LOCALIDADE: "ENGANO",
  }),
  ...repeat(10, {
    COD_MUNICIPIO: "3550308",
    CEP: "23900000",
    DSC_LOCALIDADE: "DIVISA",
  }),
];

Deno.test("seed leaves out CEPs of another state with few addresses", async () => {
  await using opened = await OpenedStore.inMemory();
  const { store } = opened;
  const { ceps, census } = await seedBoth(store, {
    cnefe: { "35_SP.csv": MISREAD },
  });
  assertEquals([ceps, census?.foreign, census?.outsideState], [3, 1, 2]);
  assertEquals(
    census?.files.map(({ codes, stored, foreign }) => [codes, stored, foreign]),
    [[4, 3, 1]],
  );
  const { records } = await contentOf(store);
  assertEquals(records.map(({ cep, bairro }) => [cep, bairro]), [
    ["01001000", "República"],
    ["01310100", "Bela Vista"],
    ["23900000", "Divisa"],
  ]);
  assertEquals(await store.find("31317000"), undefined);
  assertEquals((await store.census("31317000"))?.row?.addresses, 9);
});

Deno.test("seed leaves out CEPs of another state that the DNE lacks", async () => {
  await using opened = await OpenedStore.inMemory();
  const { census } = await seedBoth(opened.store, {
    dne: {},
    cnefe: {
      "35_SP.csv": repeat(1, { COD_MUNICIPIO: "3599901", CEP: "31317000" }),
    },
  });
  assertEquals([census?.stored, census?.foreign], [0, 1]);
});
