import fc from "fast-check";
import { assertEquals } from "@std/assert";
import {
  agreementPercent,
  compareRelease,
  joinSources,
} from "../../../../cep/import/compare/compare_release.ts";
import type { Store } from "../../../../cep/store/mod.ts";
import { CENSUS, repeat, seedBoth } from "../_both.ts";
import { testStore } from "../../store/_every_store.ts";

const SOURCES = {
  dne: {},
  cnefe: {
    ...CENSUS,
    "43_RS.csv": [
      ...repeat(1, { COD_MUNICIPIO: "4314902", CEP: "01900002" }),
      ...repeat(1, { COD_MUNICIPIO: "4314902", CEP: "90000001" }),
    ],
  },
};

/** Returns the CSV and the counts of a comparison. */
async function compare(store: Store) {
  const dump = (await store.dump())!;
  let csv = "";
  const comparison = await compareRelease(
    { records: dump.pages, census: dump.census },
    (text) => {
      csv += text;
      return Promise.resolve();
    },
  );
  return { csv, ...comparison };
}

testStore("compareRelease writes the differences and counts", async (store) => {
  await seedBoth(store, SOURCES, { maxDanglingPercent: 100 });
  const { csv, total, byState } = await compare(store);
  assertEquals(csv.split("\r\n"), [
    "cep,diferenca,uf,tipo_origem,codigo_ibge_dne,cidade_dne,logradouro_dne," +
    "codigo_ibge_cnefe,cidade_cnefe,logradouro_cnefe,semelhanca,enderecos," +
    "enderecos_logradouro",
    "01900001,logradouro,SP,logradouro,3599901,Vila Grande,Rua das Flores," +
    "3599901,Vila Grande,Rua das Laranjas,0.00,3,3",
    "01900002,municipio,SP,logradouro,3599901,Vila Grande,QC 2 Conjunto Q," +
    "4314902,Porto Alegre,Rua das Laranjas,,1,1",
    "01900005,somente_cnefe,SP,,,,,3599901,,Rua das Laranjas,,2,2",
    "01900900,somente_dne,SP,grande_usuario,3599901,Vila Grande," +
    '"Rua das Flores, 10",,,,,,',
    "12900000,somente_dne,SP,localidade,3599902,Serra Clara,,,,,,,",
    "12900990,somente_dne,SP,cpc,3599902,Serra Clara," +
    '"Estrada do Mel, km 3",,,,,,',
    "12905000,somente_dne,SP,localidade,3599902,Serra Clara,,,,,,,",
    "12905970,somente_dne,SP,unid_oper,3599902,Serra Clara," +
    '"Praça Central, s/n",,,,,,',
    "90000001,somente_cnefe,RS,,,,,4314902,Porto Alegre,Rua das Laranjas,,1,1",
    "",
  ]);
  assertEquals(total, {
    dne: 8,
    cnefe: 5,
    both: 3,
    same: 1,
    otherMunicipality: 1,
    otherStreet: 1,
    onlyDne: 5,
    onlyCnefe: 2,
  });
  assertEquals(agreementPercent(total), 33.33);
  assertEquals([...byState.keys()], ["AC", "RS", "SP"]);
  assertEquals(agreementPercent(byState.get("AC")!), 100);
  assertEquals(agreementPercent(byState.get("RS")!), null);
});

async function* batches(
  keys: readonly string[],
  size: number,
): AsyncGenerator<string[]> {
  for (let i = 0; i < keys.length; i += size) yield keys.slice(i, i + size);
}

const KEYS = fc.uniqueArray(
  fc.integer({ min: 0, max: 50 }).map((n) => `${n}`.padStart(8, "0")),
).map((keys) => keys.toSorted());

const identity = (key: string) => key;

Deno.test("joinSources yields every key once and in order, with the items of both", async () => {
  await fc.assert(fc.asyncProperty(
    KEYS,
    KEYS,
    fc.integer({ min: 1, max: 9 }),
    async (left, right, size) => {
      const joined = await Array.fromAsync(
        joinSources(
          batches(left, size),
          batches(right, 10 - size),
          identity,
          identity,
        ),
      );
      const keys = [...new Set([...left, ...right])].toSorted();
      assertEquals(
        joined,
        keys.map((key) => ({
          key,
          one: left.includes(key) ? key : undefined,
          other: right.includes(key) ? key : undefined,
        })),
      );
    },
  ));
});

Deno.test("joinSources ends both sequences if it is not read to its end", async () => {
  const ended: string[] = [];
  async function* endless(name: string): AsyncGenerator<string[]> {
    try {
      while (true) yield ["01000000", "02000000"];
    } finally {
      ended.push(name);
    }
  }
  const joined = joinSources(
    endless("one"),
    endless("other"),
    identity,
    identity,
  );
  for await (const { key } of joined) {
    assertEquals(key, "01000000");
    break;
  }
  assertEquals(ended, ["one", "other"]);
});
