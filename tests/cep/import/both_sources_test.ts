import { assertEquals } from "@std/assert";
import type { Address } from "../../../cep/record/address.ts";
import { CapturingLogger } from "../_logger.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { CENSUS, repeat, seedBoth } from "./_both.ts";

/** Returns a record without the fields of the CNEFE. */
function ofDne(record: Address): Partial<Address> {
  const { latitude: _, longitude: __, raio_m: ___, enderecos: ____, ...dne } =
    record;
  return dne;
}

Deno.test("seed adds four fields to the records of the DNE, and changes nothing else", async () => {
  await using alone = await OpenedStore.inMemory();
  await using both = await OpenedStore.inMemory();
  await seedBoth(alone.store, { dne: {} });
  await seedBoth(both.store, { dne: {}, cnefe: CENSUS });
  const before = (await contentOf(alone.store)).records;
  const after = (await contentOf(both.store)).records;
  assertEquals(
    after.filter(({ tipo_origem }) => tipo_origem !== "cnefe").map(ofDne),
    before.map(ofDne),
  );
  const places = after.filter(({ latitude }) => latitude !== undefined)
    .map(({ cep, latitude, longitude, raio_m, enderecos }) =>
      [cep, latitude, longitude, raio_m, enderecos].join(" ")
    );
  assertEquals(places, [
    "01900001 -22.5 -46.5 6 3",
    "01900005 -22.5 -46.5 6 2",
    "69990001 -9.97499 -67.82435 6 4",
  ]);
});

Deno.test("seed answers CEPs that the DNE lacks from the CNEFE, in a neighbourhood of the DNE", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedBoth(opened.store, { dne: {}, cnefe: CENSUS });
  assertEquals(ofDne((await opened.store.find("01900005"))!), {
    cep: "01900005",
    logradouro: "Rua das Laranjas",
    complemento: "",
    bairro: "Centro",
    distrito: "",
    cidade: "Vila Grande",
    uf: "SP",
    codigo_ibge: "3599901",
    tipo_logradouro: "Rua",
    tipo_origem: "cnefe",
    nome: "",
    nome_origem: "35_SP.csv",
  });
  const release = await opened.store.release();
  assertEquals(release?.sources, ["dne", "cnefe"]);
  assertEquals(release?.totalByFile["35_SP.csv"], 1);
  assertEquals(report.ceps, release?.totalCeps);
  assertEquals(
    report.census?.files.map(({ file, codes, stored, dangling }) => ({
      file,
      codes,
      stored,
      dangling,
    })),
    [
      { file: "12_AC.csv", codes: 1, stored: 0, dangling: 0 },
      { file: "35_SP.csv", codes: 2, stored: 1, dangling: 0 },
    ],
  );
});

Deno.test("seed leaves out the neighbourhood that the DNE lacks", async () => {
  await using opened = await OpenedStore.inMemory();
  const row = { COD_MUNICIPIO: "3599901", CEP: "01900005" };
  await seedBoth(opened.store, {
    dne: {},
    cnefe: { "35_SP.csv": [{ ...row, DSC_LOCALIDADE: "LUGAR NENHUM" }] },
  });
  const { bairro, cidade } = (await opened.store.find("01900005"))!;
  assertEquals([bairro, cidade], ["", "Vila Grande"]);
});

Deno.test("seed counts CEPs of a municipality that the DNE lacks", async () => {
  await using opened = await OpenedStore.inMemory();
  const rows = repeat(1, { COD_MUNICIPIO: "3599999", CEP: "01900007" });
  const report = await seedBoth(opened.store, {
    dne: {},
    cnefe: { "35_SP.csv": rows },
  }, { maxDanglingPercent: 100 });
  assertEquals(await opened.store.find("01900007"), undefined);
  assertEquals(
    (await opened.store.census("01900007"))?.row?.ibge,
    "3599999",
  );
  const { stored, dangling } = report.census!;
  assertEquals([stored, dangling], [0, 1]);
});

Deno.test("seed logs nothing about small files of both sources", async () => {
  await using opened = await OpenedStore.inMemory();
  const logger = new CapturingLogger();
  await seedBoth(opened.store, { dne: {}, cnefe: CENSUS }, { logger });
  assertEquals(logger.at("warn"), []);
});

Deno.test("seed reports the bytes of both sources, and its end once", async () => {
  await using opened = await OpenedStore.inMemory();
  const seen: [bytes: number, total: number, done: boolean][] = [];
  await seedBoth(opened.store, { dne: {}, cnefe: CENSUS }, {
    onProgress: ({ bytes, totalBytes, done }) =>
      seen.push([bytes, totalBytes, done]),
  });
  const totals = new Set(seen.map(([, total]) => total));
  assertEquals(totals.size, 1);
  const bytes = seen.map(([bytes]) => bytes);
  assertEquals(bytes, bytes.toSorted((a, b) => a - b));
  assertEquals(bytes.at(-1), [...totals][0]);
  assertEquals(seen.map(([, , done]) => done).indexOf(true), seen.length - 1);
});
