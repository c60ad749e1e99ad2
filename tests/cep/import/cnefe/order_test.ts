/**
 * The counts do not depend on the order of rows, files or threads, except for
 * rows with one code.
 */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { CensusRow } from "../../../../cep/record/census.ts";
import { MergedCounts, rowsOf } from "../../../../cep/import/cnefe/merge.ts";
import {
  countFile,
  type FileResult,
} from "../../../../cep/import/cnefe/read_file.ts";
import { latin1 } from "../../_directory.ts";
import { csv, type Values } from "./_census.ts";
import { readSlowly } from "./_slow_census.ts";

/**
 * Uses of addresses: few CEPs, municipalities and streets, so that they meet.
 * The uses with one code are of one address, as in IBGE's files.
 */
const USES = fc.array(
  fc.record({
    COD_UNICO_ENDERECO: fc.integer({ min: 1, max: 40 }).map(String),
    CEP: fc.constantFrom("12990010", "12990020", "13990030"),
    COD_MUNICIPIO: fc.constantFrom("3599909", "3599917", "3599925"),
    DSC_LOCALIDADE: fc.constantFrom("", "CENTRO", "CENTRO ", "VILA NOVA"),
    NOM_TIPO_SEGLOGR: fc.constantFrom("RUA", "AVENIDA"),
    NOM_SEGLOGR: fc.constantFrom("UM", "DOIS", "TRES", "QUATRO", "CINCO"),
    NUM_ENDERECO: fc.nat(9).map(String),
    LATITUDE: fc.nat(9).map((it) => `-22.50000${it}`),
    LONGITUDE: fc.nat(9).map((it) => `-46.50000${it}`),
  }),
  { minLength: 1, maxLength: 60 },
).map((uses): Values[] =>
  uses.map((use) => {
    const same = uses.find((it) =>
      it.COD_UNICO_ENDERECO === use.COD_UNICO_ENDERECO
    );
    return same!;
  })
);

const fileOf = (ibge: string) => `${ibge}.csv`;

async function* chunksOf(content: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(latin1(content));
}

/** Reads files, one for each municipality, in the order of their first rows. */
async function read(rows: readonly Values[]): Promise<CensusRow[]> {
  const codes = new Set(rows.map((row) => row.COD_MUNICIPIO!));
  const results: FileResult[] = [];
  for (const code of codes) {
    const content = csv(rows.filter((row) => row.COD_MUNICIPIO === code));
    const { counts, report } = await countFile(chunksOf(content), {
      onProgress: () => {},
      pause: () => Promise.resolve(),
    });
    const path = fileOf(code);
    results.push({
      counts,
      report: { file: path, path, ...report, milliseconds: 0 },
    });
  }
  const leftOut = results.map(() => new Set<number>());
  return [...rowsOf(new MergedCounts(results, leftOut))].flat();
}

Deno.test("readCensus counts random addresses as a slow reading does", async () => {
  await fc.assert(fc.asyncProperty(USES, async (uses) => {
    assertEquals(await read(uses), readSlowly(uses, fileOf));
  }));
});

Deno.test("readCensus counts the same in any order of rows and files", async () => {
  const shuffled = USES.chain((uses) =>
    fc.tuple(
      fc.constant(uses),
      fc.shuffledSubarray(uses, { minLength: uses.length }),
    )
  );
  await fc.assert(fc.asyncProperty(shuffled, async ([uses, others]) => {
    assertEquals(await read(others), await read(uses));
  }));
});

Deno.test("readCensus counts the first of the rows with one code", async () => {
  const values = fc.record({
    CEP: fc.constantFrom("12990010", "12990020"),
    NOM_SEGLOGR: fc.constantFrom("UM", "DOIS"),
  });
  const rows = fc.array(values, { minLength: 1, maxLength: 9 });
  await fc.assert(fc.asyncProperty(rows, async (rows) => {
    const same = rows.map((row): Values => ({
      COD_UNICO_ENDERECO: "7",
      COD_MUNICIPIO: "3599909",
      ...row,
    }));
    assertEquals(await read(same), await read(same.slice(0, 1)));
  }));
});

for (const code of ["", "0", "000"]) {
  Deno.test(`readCensus counts each row with the code "${code}"`, async () => {
    const rows = Array.from({ length: 5 }, (_, i): Values => ({
      COD_UNICO_ENDERECO: code,
      COD_MUNICIPIO: "3599909",
      CEP: i < 3 ? "12990010" : "12990020",
    }));
    const counts = (await read(rows)).map(({ cep, addresses }) =>
      `${cep}: ${addresses}`
    );
    assertEquals(counts, ["12990010: 3", "12990020: 2"]);
  });
}
