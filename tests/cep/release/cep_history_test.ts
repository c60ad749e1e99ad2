/** Changes of CEPs across imports. */
import { assertEquals } from "@std/assert";
import type { CepHistory, Entry, Store } from "../../../cep/store/mod.ts";
import { OpenedStore } from "../_stores.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import {
  addPlaces,
  alter,
  countByFile,
  entry,
  fill,
  publish,
} from "../store/_release.ts";

/** Imports entries as a version of the DNE. */
function importAs(
  store: Store,
  dneVersion: string,
  ...all: readonly Entry[]
): Promise<void> {
  const seededAt = `20${dneVersion.slice(0, 2)}-01-0${dneVersion.at(-1)}`;
  return fill(store, all, { dneVersion, seededAt });
}

const A = "01310100";
const B = "01310200";
const C = "01310300";
const D = "01310400";

const street = (number: number, cep: string) => entry(cep, { number });

/** Returns the changes as texts such as `25011: A > B`. */
function changesOf({ changes }: CepHistory): string[] {
  return changes.map(({ cep, successor, dneVersion }) =>
    `${dneVersion}: ${cep} > ${successor}`
  );
}

/** Returns the successor of a CEP and the version that changed it. */
async function lastOf(store: Store, cep: string) {
  const last = await store.lastChange(cep);
  assertEquals((await store.history(cep))?.last, last);
  return last && [last.successor, last.dneVersion];
}

for (const kind of ["folder", "memory"] as const) {
  const make = (folder: ReleaseFolder) =>
    OpenedStore.open({ path: kind === "memory" ? ":memory:" : folder.path });

  Deno.test(`Store.history follows the number of a CEP from import to import (${kind})`, async () => {
    using folder = new ReleaseFolder();
    await using opened = await make(folder);
    const { store } = opened;
    assertEquals(await store.history(A), undefined);
    await importAs(store, "25011", street(1, A), street(2, D));
    const { release, ...none } = (await store.history(A))!;
    assertEquals(release, await store.release());
    assertEquals(none, { isCurrent: true, changes: [], last: undefined });
    await importAs(store, "25012", street(1, B), street(2, D));
    assertEquals(await lastOf(store, A), [B, "25012"]);
    await importAs(store, "25013", street(1, C), street(2, D));
    assertEquals(await lastOf(store, A), [C, "25012"]);
    assertEquals(await lastOf(store, B), [C, "25013"]);
    assertEquals(await lastOf(store, C), undefined);
    const all = [`25012: ${A} > ${B}`, `25013: ${B} > ${C}`];
    for (const cep of [A, C]) {
      assertEquals(changesOf((await store.history(cep))!), all);
    }
    await importAs(store, "25014", street(2, D));
    assertEquals(await lastOf(store, A), [null, "25012"]);
    assertEquals(await lastOf(store, C), [null, "25014"]);
    assertEquals((await store.history(D))?.changes, []);
    const unknown = (await store.history("99999999"))!;
    assertEquals([unknown.isCurrent, unknown.changes], [false, []]);
  });

  Deno.test(`Store.history keeps the past of a CEP that is current again (${kind})`, async () => {
    using folder = new ReleaseFolder();
    await using opened = await make(folder);
    const { store } = opened;
    await importAs(store, "25011", street(1, A));
    await importAs(store, "25012", street(1, B));
    await importAs(store, "25013", street(1, A));
    const history = (await store.history(A))!;
    assertEquals(history.isCurrent, true);
    const all = [`25012: ${A} > ${B}`, `25013: ${B} > ${A}`];
    assertEquals(changesOf(history), all);
    assertEquals(await lastOf(store, B), [A, "25013"]);
    await importAs(store, "25014", street(2, C));
    // A was removed although it had moved to B before.
    assertEquals(await lastOf(store, A), [null, "25014"]);
    assertEquals(await lastOf(store, B), [null, "25013"]);
  });

  Deno.test(`Store.history prefers the moves of a delta to those of numbers (${kind})`, async () => {
    using folder = new ReleaseFolder();
    await using opened = await make(folder);
    const { store } = opened;
    await importAs(store, "25011", street(1, A), street(2, D));
    const staging = await store.stage("test");
    await addPlaces(staging);
    const all = [street(1, B), street(3, C), street(2, D)];
    await staging.addEntries(all);
    await staging.addMoves([{ from: A, to: C }, { from: D, to: B }]);
    await publish(staging, all, {
      dneVersion: "25012",
      totalByFile: countByFile(all),
    });
    assertEquals(await lastOf(store, A), [C, "25012"]);
    const current = (await store.history(D))!;
    assertEquals(current.isCurrent, true);
    assertEquals(changesOf(current), [`25012: ${D} > ${B}`]);
  });
}

Deno.test("Store.history distinguishes the numbers of streets and of large users", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const user = (cep: string) =>
    entry(cep, {
      number: 1,
      origin: "grande_usuario",
      file: "LOG_GRANDE_USUARIO.TXT",
    });
  await importAs(opened.store, "25011", street(1, A), user(B));
  await importAs(opened.store, "25012", user(C), street(1, D));
  assertEquals(await lastOf(opened.store, A), [D, "25012"]);
  assertEquals(await lastOf(opened.store, B), [C, "25012"]);
});

Deno.test("Store.history has no removal of a CEP that only the CNEFE had", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const counted = entry(A, {
    number: Number(A),
    origin: "cnefe",
    file: "35_SP.csv",
  });
  await importAs(opened.store, "25011", counted, street(1, B));
  await importAs(opened.store, "25012", street(1, C));
  assertEquals(await lastOf(opened.store, A), undefined);
  assertEquals(await lastOf(opened.store, B), [C, "25012"]);
});

Deno.test("Store.history ends with a loop of successors, and with a thousand changes", async () => {
  using folder = new ReleaseFolder();
  await folder.fill([street(1, A)]);
  const rows = [
    [B, C],
    [C, D],
    [D, B],
    ...Array.from({ length: 1500 }, (_, i) => [20_000_000 + i, A]),
    ...Array.from({ length: 1500 }, (_, i) => [30_000_000 + i, 30_000_001 + i]),
  ].map(([from, to], i) =>
    `(${i + 1}, ${Number(from)}, ${Number(to)}, '', '')`
  );
  alter(folder.file, `INSERT INTO historico VALUES ${rows}`);
  await using opened = await OpenedStore.open({ path: folder.path });
  const { store } = opened;
  assertEquals(await lastOf(store, B), [null, ""]);
  assertEquals((await store.history(B))?.changes.length, 3);
  assertEquals((await store.history(A))?.changes.length, 1000);
  assertEquals((await store.history("30000000"))?.changes.length, 1000);
  assertEquals(await lastOf(store, "30000000"), [null, ""]);
});
