/** Places of a release. */
import fc from "fast-check";
import { assertEquals, assertRejects } from "@std/assert";
import { type Gazetteer, RangeIndex } from "../../../cep/release/gazetteer.ts";
import { type Files, LINES } from "../_directory.ts";
import { OpenedStore } from "../_stores.ts";

const PLACES: Files = {
  "LOG_LOCALIDADE.TXT": [
    ...LINES["LOG_LOCALIDADE.TXT"]!,
    "5@SP@Águas Novas@12990000@0@M@@@",
    "6@SP@Barra@@2@P@1@@",
    "7@SP@Árvores@@2@D@1@@",
    "8@SP@Zona Nova@@1@M@@@",
    "9@SP@Distrito Novo@@2@D@8@@3599908",
  ],
  "LOG_BAIRRO.TXT": [
    ...LINES["LOG_BAIRRO.TXT"]!,
    "5@SP@1@Água Rasa@",
    "6@SP@7@Centro@",
  ],
  "LOG_FAIXA_UF.TXT": ["AC@69900000@69999999", "SP@01000000@19999999"],
  "LOG_FAIXA_LOCALIDADE.TXT": [
    "1@01990000@01999999@T",
    "1@01900000@01949999@T",
    "1@01900000@01900999@C",
    "2@12900000@12909999@T",
    "5@12905500@12905599@T",
    "4@69990000@69990099@C",
    "3@12908000@12908999@T",
    "77@13000000@13999999@T",
  ],
  "LOG_FAIXA_BAIRRO.TXT": [
    "1@01900500@01900999",
    "1@01900000@01900099",
    "4@12905000@12905099",
  ],
};

const WITHOUT_FILES: Files = {
  "LOG_FAIXA_UF.TXT": null,
  "LOG_FAIXA_LOCALIDADE.TXT": null,
  "LOG_FAIXA_BAIRRO.TXT": null,
};

async function withPlaces(
  files: Files,
  action: (gazetteer: Gazetteer) => unknown,
): Promise<void> {
  await using opened = await OpenedStore.inMemory({ ...PLACES, ...files });
  await action((await opened.store.gazetteer())!);
}

function namesOf(list: readonly { readonly name: string }[]): string[] {
  return list.map(({ name }) => name);
}

Deno.test("Reader.gazetteer returns undefined for an empty database", async () => {
  await using opened = await OpenedStore.open({ path: ":memory:" });
  assertEquals(await opened.store.gazetteer(), undefined);
});

Deno.test("Reader.gazetteer returns the places of a new release", async () => {
  await using opened = await OpenedStore.inMemory({});
  const old = await opened.store.gazetteer();
  assertEquals(await opened.store.gazetteer(), old);
  assertEquals(old?.municipality("3599901")?.name, "Vila Grande");
  assertEquals(old?.release, await opened.store.release());
});

Deno.test("Reader.gazetteer throws after close", async () => {
  const opened = await OpenedStore.inMemory({});
  await opened.store.close();
  await assertRejects(() => opened.store.gazetteer());
});

Deno.test("Gazetteer.stateRanges returns the ranges of a state", () =>
  withPlaces({}, (gazetteer) => {
    assertEquals(gazetteer.stateRanges("SP"), [
      { first: 1_000_000, last: 19_999_999 },
    ]);
    assertEquals(gazetteer.stateRanges("RJ"), []);
  }));

Deno.test("Gazetteer.municipalities lists those without an IBGE code, by name", () =>
  withPlaces({}, (gazetteer) => {
    const list = gazetteer.municipalities("SP");
    assertEquals(list.map(({ name, ibge }) => [name, ibge]), [
      ["Águas Novas", ""],
      ["Serra Clara", "3599902"],
      ["Vila Grande", "3599901"],
      ["Zona Nova", "3599908"],
    ]);
    assertEquals(gazetteer.municipalities("RJ"), []);
  }));

Deno.test("Gazetteer.municipality finds a code that only a district has", () =>
  withPlaces({}, (gazetteer) => {
    assertEquals(gazetteer.municipality("3599908")?.name, "Zona Nova");
    assertEquals(gazetteer.municipality(""), undefined);
    assertEquals(gazetteer.municipality("9999999"), undefined);
  }));

Deno.test("Gazetteer.municipality has its ranges, in order of CEP", () =>
  withPlaces({}, (gazetteer) => {
    assertEquals(gazetteer.municipality("3599901")?.ranges, [
      { first: 1_900_000, last: 1_949_999, type: "T" },
      { first: 1_900_000, last: 1_900_999, type: "C" },
      { first: 1_990_000, last: 1_999_999, type: "T" },
    ]);
  }));

for (
  const [cep, name] of [
    ["01900123", "Vila Grande"],
    ["01950000", undefined],
    ["01999999", "Vila Grande"],
    ["12905555", "Águas Novas"],
    ["12905600", "Serra Clara"],
    ["12908500", "Serra Clara"],
    ["69990050", undefined],
    ["13500000", undefined],
  ] as const
) {
  Deno.test(`Gazetteer.municipalityOf returns ${name} for ${cep}`, () =>
    withPlaces({}, (gazetteer) => {
      assertEquals(gazetteer.municipalityOf(cep)?.name, name);
    }));
}

Deno.test("Gazetteer.districts lists districts and villages, by name", () =>
  withPlaces({}, (gazetteer) => {
    const list = gazetteer.districts(gazetteer.municipality("3599901")!);
    assertEquals(list.map(({ name, type }) => [name, type]), [
      ["Árvores", "D"],
      ["Barra", "P"],
    ]);
  }));

Deno.test("Gazetteer.neighbourhoods lists those of districts, too", () =>
  withPlaces({}, async (gazetteer) => {
    const municipality = gazetteer.municipality("3599901")!;
    const list = await gazetteer.neighbourhoods(municipality);
    assertEquals(
      list.map(({ name, district }) => [name, district]),
      [
        ["Água Rasa", ""],
        ["Centro", ""],
        ["Centro", "Árvores"],
        ['Jardim "Água"', ""],
      ],
    );
    assertEquals(list[1]?.ranges, [
      { first: 1_900_000, last: 1_900_099 },
      { first: 1_900_500, last: 1_900_999 },
    ]);
  }));

Deno.test("Gazetteer.neighbourhoods answers calls at the same time", () =>
  withPlaces({}, async (gazetteer) => {
    const lists = await Promise.all(
      ["3599901", "3599902", "3599901"].map((ibge) =>
        gazetteer.neighbourhoods(gazetteer.municipality(ibge)!)
      ),
    );
    assertEquals(lists.map(({ length }) => length), [4, 1, 4]);
    assertEquals(namesOf(lists[1]!), ["São João"]);
  }));

Deno.test("Gazetteer has empty ranges without their files", () =>
  withPlaces(WITHOUT_FILES, async (gazetteer) => {
    const municipality = gazetteer.municipality("3599901")!;
    assertEquals(gazetteer.stateRanges("SP"), []);
    assertEquals(municipality.ranges, []);
    assertEquals(gazetteer.municipalityOf("01900123"), undefined);
    const list = await gazetteer.neighbourhoods(municipality);
    assertEquals(list.flatMap(({ ranges }) => ranges), []);
  }));

const NESTED = [
  { first: 10, last: 99, owner: "wide" },
  { first: 20, last: 29, owner: "narrow" },
  { first: 25, last: 25, owner: "single" },
  { first: 200, last: 210, owner: "far" },
];

for (
  const [cep, owner] of [
    [9, undefined],
    [10, "wide"],
    [19, "wide"],
    [20, "narrow"],
    [25, "single"],
    [26, "narrow"],
    [30, "wide"],
    [99, "wide"],
    [100, undefined],
    [205, "far"],
    [211, undefined],
  ] as const
) {
  Deno.test(`RangeIndex.find returns ${owner} for ${cep}`, () => {
    assertEquals(new RangeIndex(NESTED).find(cep), owner);
  });
}

Deno.test("RangeIndex.find returns undefined without ranges", () => {
  assertEquals(new RangeIndex([]).find(1), undefined);
});

Deno.test("RangeIndex.find returns a range as narrow as a scan does", () => {
  const range = fc.tuple(fc.nat(50), fc.nat(20))
    .map(([first, width]) => ({ first, last: first + width, width }));
  fc.assert(fc.property(
    fc.array(range, { maxLength: 12 }),
    fc.nat(80),
    (ranges, cep) => {
      const index = new RangeIndex(
        ranges.map(({ first, last, width }) => ({ first, last, owner: width })),
      );
      const widths = ranges
        .filter(({ first, last }) => first <= cep && cep <= last)
        .map(({ width }) => width);
      const expected = widths.length === 0 ? undefined : Math.min(...widths);
      assertEquals(index.find(cep), expected);
    },
  ));
});
