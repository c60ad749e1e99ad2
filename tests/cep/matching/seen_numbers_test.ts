/** Addresses matched by the building numbers that a census saw. */
import { assert, assertEquals } from "@std/assert";
import type { Address } from "../../../cep/address.ts";
import { type Match, Matcher } from "../../../cep/matching/matcher.ts";
import type { SeenNumbers } from "../../../cep/seen_numbers.ts";
import { address, recordsStore, RELEASE } from "../_records.ts";
import { seenRow } from "../search/_seen.ts";

const SEEN: Readonly<Record<string, SeenNumbers>> = {
  "01900001": { odd: [1, 199], even: [2, 198] },
  "01900002": { odd: [201, 399], even: null },
};

const PARTS = Object.keys(SEEN).map((cep) => address({ cep, complemento: "" }));

/** Matches an address with records, of which the search knows the numbers. */
async function match(
  text: string,
  records: readonly Address[] = PARTS,
): Promise<Match> {
  const store = recordsStore(records, {
    async search({ limit }) {
      const release = (await store.release())!;
      const data = records.slice(0, limit).map((record) => {
        const seen = SEEN[record.cep];
        const json = JSON.stringify(record);
        return { cep: record.cep, json, ...(seen && { seen }) };
      });
      return { release, total: null, data, next: null };
    },
  });
  return (await new Matcher(store).match(text))!;
}

for (
  const [number, cep] of [
    ["77", "01900001"],
    ["78", "01900001"],
    ["301", "01900002"],
  ] as const
) {
  Deno.test(`Matcher tells two CEPs of a street apart by the number ${number}`, async () => {
    const found = await match(`Rua das Flores, ${number}, Vila Grande/SP`);
    assertEquals(
      [found.cep, found.pontuacao, found.diferencas, found.outros_ceps],
      [cep, 1, [], []],
    );
  });
}

Deno.test("Matcher reports a number beyond those seen, and lists both CEPs", async () => {
  const found = await match("Rua das Flores, 5001, Vila Grande/SP");
  assertEquals(found.cep, "01900001");
  assertEquals(found.outros_ceps, ["01900002"]);
  assertEquals(found.diferencas, [{
    campo: "numero",
    informado: "5001",
    encontrado: "ímpares de 1 a 199, pares de 2 a 198 (vistos no Censo 2022)",
  }]);
});

Deno.test("Matcher takes little from the score for a number beyond those seen", async () => {
  const [record] = PARTS;
  const found = await match("Rua das Flores, 5001, Vila Grande/SP", [record!]);
  assert(found.pontuacao > 0.94 && found.pontuacao < 1, `${found.pontuacao}`);
});

Deno.test("Matcher believes the CEP rather than the numbers seen", async () => {
  const found = await match("Rua das Flores, 77, Vila Grande/SP, 01900-002");
  assertEquals(found.cep, "01900002");
});

Deno.test("Matcher believes a stretch of the DNE rather than the numbers seen", async () => {
  const stretch = address({ cep: "01900001", complemento: "de 1001 ao fim" });
  const found = await match("Rua das Flores, 2001, Vila Grande/SP", [
    stretch,
    PARTS[1]!,
  ]);
  assertEquals([found.cep, found.diferencas], ["01900001", []]);
});

Deno.test("Matcher finds both CEPs of a street for s/n", async () => {
  const found = await match("Rua das Flores, s/n, Vila Grande/SP");
  assertEquals([found.cep, found.outros_ceps], ["01900001", ["01900002"]]);
});

for (
  const [number, complemento, shown] of [
    ["77", "", undefined],
    ["5001", "", "ímpares de 1 a 199, pares de 2 a 198 (vistos no Censo 2022)"],
    ["5001", "até 9999", undefined],
    ["s/n", "", undefined],
  ] as const
) {
  const result = shown === undefined ? "accepts" : "reports";
  Deno.test(`Matcher ${result} the number ${number} of a CEP${complemento && ` ${complemento}`} with other numbers seen`, async () => {
    const cep = "01900001";
    const record = address({ cep, complemento, enderecos: "9" });
    const row = seenRow(cep, SEEN[cep]!.odd, SEEN[cep]!.even);
    const store = recordsStore([record], {
      census: () => Promise.resolve({ release: RELEASE, row }),
      search: () =>
        Promise.resolve({
          release: RELEASE,
          total: null,
          data: [],
          next: null,
        }),
    });
    const found = await new Matcher(store).match(
      `Rua das Flores, ${number}, Vila Grande/SP, ${cep}`,
    );
    assertEquals(found?.cep, cep);
    assertEquals(
      found?.diferencas,
      shown === undefined
        ? []
        : [{ campo: "numero", informado: number, encontrado: shown }],
    );
  });
}

const CENSUS: Partial<Address> = { tipo_origem: "cnefe", complemento: "" };

Deno.test("Matcher compares streets that only the census has like those of the DNE", async () => {
  const record = address({ ...CENSUS, cep: "01900001" });
  const found = await match("R. das Flores, 77, Vila Grande/SP", [record]);
  assertEquals([found.cep, found.pontuacao], ["01900001", 1]);
});

const GENERAL = { ...CENSUS, logradouro: "", tipo_logradouro: "" };

for (
  const [what, changes, cep] of [
    ["the general CEP of a town", { ...GENERAL, cep: "01990000" }, "01990000"],
    ["no CEP of several streets", { ...GENERAL, cep: "01990007" }, null],
    ["no CEP of a street", { ...CENSUS, cep: "01990000" }, null],
  ] as const
) {
  Deno.test(`Matcher finds ${what} that only the census has for a street it does not know`, async () => {
    const found = await match("Rua Nova, 5, Vila Grande/SP", [
      address(changes),
    ]);
    assertEquals(found.cep, cep);
  });
}
