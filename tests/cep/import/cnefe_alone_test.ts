import { assertEquals, assertRejects } from "@std/assert";
import { CensusError, seed, SeedError } from "../../../cep/import/seed.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { CENSUS, repeat, SAO_PAULO, seedBoth } from "./_both.ts";

Deno.test("seed makes a release of the CNEFE alone", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedBoth(opened.store, { cnefe: SAO_PAULO }, {
    dneVersion: "25041",
    now: () => Date.UTC(2026, 0, 2),
  });
  const { release, records } = await contentOf(opened.store);
  assertEquals(
    [release?.sources, release?.dneVersion, release?.totalByFile],
    [["cnefe"], "", { "35_SP.csv": 2 }],
  );
  assertEquals(records, [
    {
      cep: "01001000",
      logradouro: "Praça da Sé",
      complemento: "",
      bairro: "República",
      distrito: "",
      cidade: "São Paulo",
      uf: "SP",
      codigo_ibge: "3550308",
      tipo_logradouro: "Praça",
      tipo_origem: "cnefe",
      nome: "",
      nome_origem: "35_SP.csv",
      latitude: -22.5,
      longitude: -46.5,
      raio_m: 6,
      enderecos: 2,
    },
    {
      cep: "01310100",
      logradouro: "Avenida Paulista",
      complemento: "",
      bairro: "Bela Vista",
      distrito: "",
      cidade: "São Paulo",
      uf: "SP",
      codigo_ibge: "3550308",
      tipo_logradouro: "Avenida",
      tipo_origem: "cnefe",
      nome: "",
      nome_origem: "35_SP.csv",
      latitude: -23.56168,
      longitude: -46.65598,
      raio_m: 6,
      enderecos: 3,
    },
  ]);
  assertEquals(report.seededAt, "2026-01-02T00:00:00.000Z");
  const { census, files, ceps } = report;
  assertEquals([ceps, files, census?.codes, census?.stored], [2, [], 2, 2]);
  assertEquals(
    census?.files.map(({ file, codes, stored }) => ({
      file,
      codes,
      stored,
    })),
    [{ file: "35_SP.csv", codes: 2, stored: 2 }],
  );
});

Deno.test("seed leaves out CEPs of a municipality that is unknown", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedBoth(opened.store, {
    cnefe: { ...SAO_PAULO, "12_AC.csv": CENSUS["12_AC.csv"]! },
  }, { maxDanglingPercent: 100 });
  const { records } = await contentOf(opened.store);
  assertEquals(records.map(({ uf }) => uf), ["SP", "SP"]);
  assertEquals([report.ceps, report.census?.dangling], [2, 1]);
  assertEquals((await opened.store.census("69990001"))?.row?.addresses, 4);
});

Deno.test("seed refuses a CNEFE of unknown municipalities", async () => {
  await using opened = await OpenedStore.inMemory();
  await assertRejects(
    () => seedBoth(opened.store, { cnefe: CENSUS }),
    SeedError,
    "12_AC.csv: 1 of 1 CEPs are in an unknown municipality, " +
      "IBGE code 1299904 " +
      "(SEED_MAX_DANGLING_PERCENT allows 1%)",
  );
  assertEquals(await opened.store.release(), undefined);
});

Deno.test("seed refuses a CNEFE without a usable row", async () => {
  await using opened = await OpenedStore.inMemory();
  await assertRejects(
    () =>
      seedBoth(opened.store, { cnefe: { "35_SP.csv": [{ CEP: "1" }] } }, {
        maxRejectedPercent: 100,
      }),
    CensusError,
    "35_SP.csv",
  );
});

Deno.test("seed counts rejected rows of the CNEFE", async () => {
  await using opened = await OpenedStore.inMemory();
  const rows = [...SAO_PAULO["35_SP.csv"] as [], ...repeat(1, { CEP: "1" })];
  const damaged = { cnefe: { "35_SP.csv": rows } };
  await assertRejects(
    () => seedBoth(opened.store, damaged),
    SeedError,
    "35_SP.csv: 1 of 6 lines were rejected (SEED_MAX_REJECTED_PERCENT " +
      "allows 1%)",
  );
  const report = await seedBoth(opened.store, damaged, {
    maxRejectedPercent: 20,
  });
  assertEquals(report.census?.files[0]?.rejections, {
    CEP: { count: 1, lines: [7] },
  });
});

Deno.test("seed refuses to import nothing", async () => {
  await using opened = await OpenedStore.inMemory();
  await assertRejects(
    () => seed({ store: opened.store }),
    TypeError,
    "Cannot import: neither the option directory (DNE) nor cnefe is given",
  );
});
