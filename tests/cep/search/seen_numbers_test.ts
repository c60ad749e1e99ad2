/** Addresses matched by the building numbers that a census saw. */
import { assert, assertEquals } from "@std/assert";
import type { Entry } from "../../../cep/record/entry.ts";
import { type Match, Matcher } from "../../../cep/search/matcher.ts";
import { openStore } from "../../../cep/store/mod.ts";
import { seenRow } from "./_seen.ts";
import { entry, fill } from "../store/_release.ts";

const ROWS = [
  seenRow("13500001", [1, 199], [2, 198]),
  seenRow("13500002", [201, 399], null),
];

/** Returns a part of one street, by default without a stretch. */
function part(cep: string, fields: Partial<Entry> = {}): Entry {
  const number = Number(cep);
  return entry(cep, {
    number,
    street: "das Flores",
    complement: "",
    ...fields,
  });
}

const PARTS = ROWS.map(({ cep }) => part(cep));

/** Matches an address with records of a street, and the numbers seen there. */
async function match(
  text: string,
  entries: readonly Entry[] = PARTS,
): Promise<Match> {
  const store = await openStore({ path: ":memory:" });
  try {
    await fill(store, entries, {}, ROWS);
    return (await new Matcher(store).match(`${text}, Vila Grande/SP`))!;
  } finally {
    await store.close();
  }
}

const BEYOND =
  "ímpares de 1 a 199, pares de 2 a 198 (vistos no Censo 2022)" as const;

for (
  const [number, cep] of [
    ["77", "13500001"],
    ["78", "13500001"],
    ["301", "13500002"],
  ] as const
) {
  Deno.test(`Matcher tells two CEPs of a street apart by the number ${number}`, async () => {
    const found = await match(`Rua das Flores, ${number}`);
    assertEquals([found.cep, found.diferencas], [cep, []]);
    assert(found.pontuacao >= 0.8, `${found.pontuacao}`);
  });
}

Deno.test("Matcher reports a number beyond those seen, and lists both CEPs", async () => {
  const found = await match("Rua das Flores, 5001");
  assertEquals([found.cep, ...found.outros_ceps].toSorted(), [
    "13500001",
    "13500002",
  ]);
  assertEquals(found.diferencas.map(({ campo }) => campo), ["numero"]);
});

for (
  const [number, complement, shown] of [
    ["77", "", undefined],
    ["5001", "", BEYOND],
    ["5001", "até 9999", undefined],
    ["s/n", "", undefined],
  ] as const
) {
  const result = shown === undefined ? "accepts" : "reports";
  Deno.test(`Matcher ${result} the number ${number} of the one CEP${complement && ` ${complement}`} of a street with other numbers seen`, async () => {
    const only = part("13500001", { complement });
    const { cep, pontuacao, diferencas } = await match(
      `Rua das Flores, ${number}`,
      [only],
    );
    assertEquals([cep, pontuacao >= 0.8], ["13500001", true]);
    assertEquals(
      diferencas,
      shown === undefined
        ? []
        : [{ campo: "numero", informado: number, encontrado: shown }],
    );
  });
}

Deno.test("Matcher believes the CEP rather than the numbers seen", async () => {
  const found = await match("Rua das Flores, 77, 13500-002");
  assertEquals(found.cep, "13500002");
});

Deno.test("Matcher believes a stretch of the DNE rather than the numbers seen", async () => {
  const stretch = part("13500001", { complement: "de 1001 ao fim" });
  const found = await match("Rua das Flores, 2001", [stretch, PARTS[1]!]);
  assertEquals([found.cep, found.diferencas], ["13500001", []]);
});

Deno.test("Matcher finds both CEPs of a street for s/n", async () => {
  const { cep, pontuacao, outros_ceps } = await match("Rua das Flores, s/n");
  assertEquals(pontuacao, 0.5);
  assertEquals([cep, ...outros_ceps].toSorted(), ["13500001", "13500002"]);
});

Deno.test("Matcher compares streets that only the census has like those of the DNE", async () => {
  const found = await match("R. das Flores, 77", [
    part("13500001", { origin: "cnefe", file: "35_SP.csv" }),
  ]);
  assertEquals([found.cep, found.diferencas], ["13500001", []]);
  assert(found.pontuacao >= 0.8, `${found.pontuacao}`);
});

const GENERAL: Partial<Entry> = {
  origin: "cnefe",
  file: "35_SP.csv",
  street: "",
  streetType: "",
  neighbourhood: null,
};

Deno.test("Matcher lists the general CEP that only the census has for a street it does not know", async () => {
  const found = await match("Rua Nova, 5", [part("13500000", GENERAL)]);
  assertEquals([found.cep, found.outros_ceps], [null, ["13500000"]]);
});

Deno.test("Matcher prefers a record of the DNE to a mistaken CEP of the census", async () => {
  const mistaken = part("13500001", { origin: "cnefe", file: "35_SP.csv" });
  const right = part("13500009");
  const records = [mistaken, right];
  assertEquals((await match("Rua das Flores", records)).cep, "13500009");
  const own = await match("Rua das Flores, 13500-001", records);
  assertEquals(own.cep, "13500001");
});
