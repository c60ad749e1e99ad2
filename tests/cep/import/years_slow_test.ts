/** A DNE that has changed since the census of 2022. */
import { assertEquals, assertRejects } from "@std/assert";
import { SeedError } from "../../../cep/import/seed.ts";
import type { Store } from "../../../cep/store/mod.ts";
import { deltaLine, updateFiles } from "../_delta.ts";
import { contentOf } from "../_stores.ts";
import { testStore } from "../store/_every_store.ts";
import { CENSUS, SAO_PAULO, seedBoth } from "./_both.ts";

const STREETS = "DELTA_LOG_LOGRADOURO.TXT";
const OF_SP = "LOG_LOGRADOURO_SP.TXT";

/** Streets of the small DNE, in which a CEP was replaced. */
const MOVED = [
  "2@SP@1@1@@das Flores@- de 1 a 99 - lado ímpar@01900009@Rua@S@R das Flores",
  "3@SP@1@2@@QC 2 Conjunto Q@@01900002@Quadra@N@QC 2 Cj Q",
];

/** Limits that accept every change. */
const ANY = { maxShrinkPercent: 100 };

async function originOf(store: Store, cep: string) {
  return (await store.find(cep))?.tipo_origem;
}

testStore(
  "seed does not answer a CEP from the CNEFE that Correios has replaced",
  async (store) => {
    await seedBoth(store, { dne: {}, cnefe: CENSUS });
    const after = { dne: { [OF_SP]: MOVED }, cnefe: CENSUS };
    // The second time, the CEP is only in the history.
    for (const _ of ["replaced", "replaced before"]) {
      const { census } = await seedBoth(store, after, ANY);
      assertEquals([census?.retired, census?.stored], [1, 1]);
      assertEquals(await originOf(store, "01900001"), undefined);
      const change = await store.lastChange("01900001");
      assertEquals(change?.successor, "01900009");
      assertEquals(await originOf(store, "01900005"), "cnefe");
    }
    // It is current again in a later DNE.
    await seedBoth(store, { dne: {}, cnefe: CENSUS }, ANY);
    assertEquals(await originOf(store, "01900001"), "logradouro");
  },
);

testStore(
  "seed answers a CEP that the CNEFE alone had, lacked and has again",
  async (store) => {
    const { "35_SP.csv": _, ...without } = CENSUS;
    await seedBoth(store, { dne: {}, cnefe: CENSUS });
    await seedBoth(store, { dne: {}, cnefe: without }, ANY);
    assertEquals(await originOf(store, "01900005"), undefined);
    assertEquals(await store.lastChange("01900005"), undefined);
    await seedBoth(store, { dne: {}, cnefe: CENSUS }, ANY);
    assertEquals(await originOf(store, "01900005"), "cnefe");
  },
);

testStore(
  "seed without a DNE adds no history, and with one again neither",
  async (store) => {
    const both = { dne: {}, cnefe: CENSUS };
    const moved = { dne: { [OF_SP]: MOVED }, cnefe: CENSUS };
    await seedBoth(store, both);
    await seedBoth(store, moved, ANY);
    for (const _ of ["first", "second"]) {
      await seedBoth(store, { cnefe: SAO_PAULO }, ANY);
      assertEquals(await store.lastChange("01900002"), undefined);
      // The changes of the last DNE are still known.
      assertEquals((await store.history("01900001"))?.changes.length, 1);
      await seedBoth(store, moved, ANY);
      assertEquals(await store.lastChange("01310100"), undefined);
      assertEquals((await store.history("01900001"))?.changes.length, 1);
      assertEquals(await originOf(store, "01900002"), "logradouro");
    }
  },
);

testStore(
  "update keeps the CNEFE, and the DNE wins its CEPs",
  async (store) => {
    await seedBoth(store, { dne: {}, cnefe: CENSUS }, { dneVersion: "25011" });
    await updateFiles(store, {
      [STREETS]: [
        deltaLine("LOG_LOGRADOURO", "INS", {
          LOG_NU: "7",
          LOG_NO: "Nova",
          CEP: "01900005",
        }),
        deltaLine("LOG_LOGRADOURO", "DEL", { LOG_NU: "2", CEP: "01900001" }),
      ],
    }, { dneVersion: "25012", ...ANY });
    const { release, records } = await contentOf(store);
    assertEquals(release?.sources, ["dne", "cnefe"]);
    assertEquals(release?.totalCensus, 3);
    assertEquals(release?.totalByFile["35_SP.csv"], undefined);
    const found = records.filter(({ enderecos }) => enderecos !== undefined)
      .map(({ cep, logradouro, tipo_origem, enderecos }) =>
        [cep, logradouro, tipo_origem, enderecos].join("|")
      );
    assertEquals(found, [
      "01900005|Rua Nova|logradouro|2",
      "69990001|Travessa Três|logradouro|4",
    ]);
    assertEquals((await store.census("01900001"))?.row?.addresses, 3);
  },
);

testStore(
  "update does not confuse the number of a street with a CEP of the CNEFE",
  async (store) => {
    await seedBoth(store, { dne: {}, cnefe: CENSUS }, { dneVersion: "25011" });
    await updateFiles(store, {
      [STREETS]: [
        deltaLine("LOG_LOGRADOURO", "INS", {
          LOG_NU: "1900005",
          LOG_NO: "Nova",
          CEP: "01900007",
        }),
      ],
    }, { dneVersion: "25012" });
    assertEquals(await originOf(store, "01900005"), "cnefe");
    assertEquals(await originOf(store, "01900007"), "logradouro");
    await updateFiles(store, {
      [STREETS]: [
        deltaLine("LOG_LOGRADOURO", "DEL", {
          LOG_NU: "1900005",
          LOG_NO: "Nova",
          CEP: "01900007",
        }),
      ],
    }, { dneVersion: "25013", ...ANY });
    assertEquals(await originOf(store, "01900005"), "cnefe");
    assertEquals(await originOf(store, "01900007"), undefined);
  },
);

testStore("update refuses a release of the CNEFE alone", async (store) => {
  await seedBoth(store, { cnefe: SAO_PAULO });
  const before = await contentOf(store);
  await assertRejects(
    () =>
      updateFiles(store, {
        [STREETS]: [deltaLine("LOG_LOGRADOURO", "INS", { LOG_NU: "7" })],
      }),
    SeedError,
    "Cannot update: the release was made without a DNE; import one with " +
      "MODE=seed",
  );
  assertEquals(await contentOf(store), before);
});
