/** Updates of a release that also has a CNEFE. */
import { assertEquals, assertObjectMatch, assertRejects } from "@std/assert";
import { SeedError } from "../../../../cep/import/errors.ts";
import type { Store, Writer } from "../../../../cep/store/mod.ts";
import { updateFiles } from "../../_delta.ts";
import { contentOf, OpenedStore } from "../../_stores.ts";
import { CENSUS, seedBoth } from "../_both.ts";
import { censusRow, entries, fill } from "../../store/_release.ts";
import { STREET, street, STREETS } from "./_updated.ts";

/** CEP that only the CNEFE has, and its file. */
const ONLY = "01900005";
const FILE = "35_SP.csv";

async function openBoth(): Promise<OpenedStore> {
  const opened = await OpenedStore.inMemory();
  await seedBoth(opened.store, { dne: {}, cnefe: CENSUS }, {
    dneVersion: "25011",
  });
  return opened;
}

function apply(store: Writer, ...lines: readonly string[]) {
  return updateFiles(store, { [STREETS]: lines }, {
    dneVersion: "25012",
    maxRejectedPercent: 100,
    maxDanglingPercent: 100,
    maxShrinkPercent: 100,
  });
}

/** Returns the rows of the CNEFE in the current release. */
async function rowsOf(store: Store) {
  const staging = await store.stage("test");
  const rows = (await Array.fromAsync(staging.rows!.census())).flat();
  await staging.discard();
  return rows;
}

Deno.test("update keeps the rows of the CNEFE, its CEPs and the fields from it", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const before = await contentOf(store);
  const rows = await rowsOf(store);
  assertEquals(rows.map(({ cep }) => cep), [STREET.CEP, ONLY, "69990001"]);
  const report = await apply(
    store,
    street("INS", { LOG_NU: "7", CEP: "01900008", LOG_NO: "Nova" }),
  );
  const after = await contentOf(store);
  assertEquals(report.ceps, before.records.length + 1);
  assertEquals(
    after.records.filter(({ cep }) => cep !== "01900008"),
    before.records,
  );
  assertEquals(await rowsOf(store), rows);
  assertObjectMatch(after.release!, {
    sources: ["dne", "cnefe"],
    totalCensus: rows.length,
  });
  assertEquals(after.release!.totalByFile[FILE], 1);
  assertObjectMatch((await store.find(ONLY))!, {
    logradouro: "Rua das Laranjas",
    tipo_origem: "cnefe",
    nome_origem: FILE,
    latitude: -22.5,
    enderecos: 2,
  });
  assertObjectMatch((await store.find(STREET.CEP))!, {
    tipo_origem: "logradouro",
    longitude: -46.5,
    enderecos: 3,
  });
});

Deno.test("an inserted street replaces a CEP of the CNEFE for good", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const before = await contentOf(store);
  const fields = { LOG_NU: "7", CEP: ONLY, LOG_NO: "Nova" };
  const inserted = await apply(store, street("INS", fields));
  assertEquals(inserted.ceps, before.records.length);
  assertObjectMatch((await store.find(ONLY))!, {
    logradouro: "Rua Nova",
    tipo_origem: "logradouro",
    enderecos: 2,
  });
  assertEquals((await store.release())?.totalByFile[FILE], undefined);
  assertEquals(await store.lastChange(ONLY), undefined);

  await apply(store, street("DEL", fields));
  assertEquals(await store.find(ONLY), undefined);
  assertEquals((await store.lastChange(ONLY))?.successor, null);
});

for (
  const [change, lines, bairro] of [
    ["renames", ["1@SP@1@Centro Histórico@@UPD"], ""],
    [
      "replaces",
      ["1@SP@1@Centro Histórico@@UPD", "77@SP@1@CENTRO@@INS"],
      "CENTRO",
    ],
  ] as const
) {
  Deno.test(`a CEP of the CNEFE has the neighbourhood of an import if a delta ${change} it`, async () => {
    await using opened = await openBoth();
    const { store } = opened;
    assertEquals((await store.find(ONLY))?.bairro, "Centro");
    await updateFiles(store, { "DELTA_LOG_BAIRRO.TXT": lines }, {
      dneVersion: "25012",
      maxShrinkPercent: 100,
    });
    assertObjectMatch((await store.find(ONLY))!, {
      bairro,
      tipo_origem: "cnefe",
    });
  });
}

const DELETED = "1@SP@Vila Grande@@1@M@@Vl Grande@3599901@DEL@";
const RENUMBERED = "99@SP@Vila Nova@@1@M@@Vl Nova@3599901@INS@";

Deno.test("a CEP of the CNEFE follows its municipality to another number", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const { unplaced } = await updateFiles(store, {
    "DELTA_LOG_LOCALIDADE.TXT": [RENUMBERED, DELETED],
  }, { dneVersion: "25012", maxDanglingPercent: 100, maxShrinkPercent: 100 });
  assertEquals(unplaced, 0);
  assertObjectMatch((await store.find(ONLY))!, {
    cidade: "Vila Nova",
    codigo_ibge: "3599901",
    bairro: "",
    enderecos: 2,
  });
});

Deno.test("update leaves out a CEP of the CNEFE without a municipality, and counts it", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const delta = { "DELTA_LOG_LOCALIDADE.TXT": [DELETED] };
  await assertRejects(
    () =>
      updateFiles(store, delta, {
        dneVersion: "25012",
        maxShrinkPercent: 100,
      }),
    SeedError,
    "35_SP.csv: 1 of 1 lines refer to an unknown locality",
  );
  const { unplaced } = await updateFiles(store, delta, {
    dneVersion: "25012",
    maxDanglingPercent: 100,
    maxShrinkPercent: 100,
  });
  assertEquals(unplaced, 1);
  assertEquals(await store.find(ONLY), undefined);
  assertEquals(await store.lastChange(ONLY), undefined);
  assertEquals((await store.census(ONLY))?.row?.addresses, 2);
  assertEquals((await store.release())?.totalByFile[FILE], undefined);
});

Deno.test("a CEP of the CNEFE that a delta names as replaced is not answered", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const changed = street("UPD", { CEP: "01900008" }, ONLY);
  await apply(store, changed);
  assertEquals(await store.find(ONLY), undefined);
  assertEquals((await store.lastChange(ONLY))?.successor, "01900008");
  assertEquals((await store.release())?.totalByFile[FILE], undefined);
});

Deno.test("update stops while it copies the rows of the CNEFE", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const before = await contentOf(store);
  const aborted = new AbortController();
  const stopping: Writer = {
    async stage(holder) {
      const staging = await store.stage(holder);
      return overlay(staging, {
        async addCensus(rows) {
          await staging.addCensus(rows);
          aborted.abort();
        },
        addEntries: () => Promise.reject(new Error("it did not stop")),
      });
    },
  };
  await assertRejects(
    () =>
      updateFiles(stopping, { [STREETS]: [street("DEL")] }, {
        dneVersion: "25012",
        signal: aborted.signal,
      }),
    DOMException,
  );
  assertEquals(await contentOf(store), before);
});

Deno.test("a deleted street takes its CEP along, but not the row of the CNEFE", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const row = (await store.census(STREET.CEP))?.row;
  await apply(store, street("DEL"));
  assertEquals(await store.find(STREET.CEP), undefined);
  assertEquals((await store.census(STREET.CEP))?.row, row);
  assertEquals((await store.lastChange(STREET.CEP))?.successor, null);
});

Deno.test("a street whose number is a CEP of the CNEFE is another entry", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const LOG_NU = `${Number(ONLY)}`;
  const { files: [report] } = await apply(
    store,
    street("UPD", { LOG_NU, CEP: "01900008", LOG_NO: "Nova" }),
  );
  assertEquals(report?.inserted, 1);
  assertEquals((await store.find(ONLY))?.tipo_origem, "cnefe");
  assertEquals((await store.find("01900008"))?.logradouro, "Rua Nova");
});

Deno.test("update refuses a release that was made without a DNE", async () => {
  await using opened = await OpenedStore.inMemory();
  await fill(opened.store, entries("01310100"), { sources: ["cnefe"] }, [
    censusRow("01310100"),
  ]);
  const before = await contentOf(opened.store);
  await assertRejects(
    () => apply(opened.store, street("INS")),
    SeedError,
    "Cannot update: the release was made without a DNE; import one with " +
      "MODE=seed",
  );
  assertEquals(await contentOf(opened.store), before);
});

Deno.test("update refuses a release that lacks a row of the CNEFE", async () => {
  await using opened = await openBoth();
  const { store } = opened;
  const before = await contentOf(store);
  const rows = await rowsOf(store);
  const lacking: Writer = {
    async stage(holder) {
      const staging = await store.stage(holder);
      return overlay(staging, {
        rows: overlay(staging.rows!, {
          census: () => stream([rows.slice(1)]),
        }),
      });
    },
  };
  await assertRejects(
    () => apply(lacking, street("INS", { LOG_NU: "7", CEP: "01900008" })),
    SeedError,
    "Cannot update: the current release is damaged (it has 2 of 3 CEPs of " +
      "the CNEFE)",
  );
  assertEquals(await contentOf(store), before);
});

async function* stream<T>(items: readonly T[]) {
  yield* items;
}

/** Returns an object with some members replaced. */
function overlay<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const owner = name in members ? members : target;
      const value: unknown = Reflect.get(owner, name, owner);
      return typeof value === "function" ? value.bind(owner) : value;
    },
  });
}
