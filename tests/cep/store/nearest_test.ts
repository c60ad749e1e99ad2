/** Records nearest to a place. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { CensusRow } from "../../../cep/record/census.ts";
import { connectImmutable } from "../../../cep/release/local_connection.ts";
import { DatabaseError, type Reader } from "../../../cep/store/mod.ts";
import { OpenRelease } from "../../../cep/release/open_release.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { OpenedStore } from "../_stores.ts";
import { testStore } from "./_every_store.ts";
import { LocalClient } from "./_local_client.ts";
import { alter, censusRow, entries, fill } from "./_release.ts";

const SOURCES = { sources: ["dne", "cnefe"] } as const;

/** Place of the CEP `01310100`. */
const HERE = { latitude: -23.56, longitude: -46.65 };

/** CEPs on a line to the north, a hundredth of a degree from each other. */
const CEPS = ["01310100", "01310200", "01310300"];

/** Returns rows of the CNEFE on a line to the north. */
function line(...ceps: readonly string[]): CensusRow[] {
  return ceps.map((cep, i) =>
    censusRow(cep, {
      point: { ...HERE, latitude: HERE.latitude + i / 100, radius: 9 },
    })
  );
}

async function cepsNear(
  store: Reader,
  limit = 10,
): Promise<string[] | undefined> {
  const page = await store.nearest({ ...HERE, limit });
  return page?.data.map(({ cep }) => cep);
}

testStore(
  "Store.nearest returns records with their distances",
  async (store) => {
    await fill(store, entries(...CEPS), SOURCES, line(...CEPS));
    const page = await store.nearest({ ...HERE, limit: 2 });
    assertEquals(page?.release, await store.release());
    assertEquals(
      page?.data.map(({ cep, distance }) => [cep, Math.round(distance)]),
      [["01310100", 0], ["01310200", 1112]],
    );
    for (const { cep, json } of page!.data) {
      assertEquals(json, (await store.findJson(cep))?.json);
    }
    assertEquals(await cepsNear(store, 100), CEPS);
    assertEquals(await cepsNear(store, 0), []);
  },
);

testStore(
  "Store.nearest ignores rows without a record or a point",
  async (store) => {
    const rows = [
      ...line("01310100", "01310200"),
      censusRow("01310300", { point: null }),
    ];
    await fill(store, entries("01310200", "01310300"), SOURCES, rows);
    assertEquals(await cepsNear(store), ["01310200"]);
  },
);

testStore("Store.nearest returns nothing without a CNEFE", async (store) => {
  await fill(store, entries(...CEPS));
  const page = await store.nearest({ ...HERE, limit: 10 });
  assertEquals(page, { release: (await store.release())!, data: [] });
});

testStore("Store.nearest returns undefined before an import", async (store) => {
  assertEquals(await cepsNear(store), undefined);
});

testStore("Store.nearest reads each new release", async (store) => {
  await fill(store, entries(...CEPS), SOURCES, line(...CEPS));
  assertEquals(await cepsNear(store), CEPS);
  await fill(
    store,
    entries(...CEPS),
    SOURCES,
    line(...CEPS.toReversed().slice(0, 1)),
  );
  assertEquals(await cepsNear(store), ["01310300"]);
  await fill(store, entries(...CEPS));
  assertEquals(await cepsNear(store), []);
});

testStore(
  "Store.nearest reads the points of updated releases",
  async (store) => {
    await fill(store, entries(...CEPS), SOURCES, line(...CEPS));
    const [first] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => cepsNear(store))),
      fill(store, entries("01310100"), SOURCES, line("01310100")),
    ]);
    for (const ceps of first) {
      assert(
        [CEPS, ["01310100"]].some((it) => `${it}` === `${ceps}`),
        `${ceps}`,
      );
    }
    assertEquals(await cepsNear(store), ["01310100"]);
  },
);

for (
  const query of [
    { ...HERE, latitude: NaN, limit: 1 },
    { ...HERE, latitude: 90.00001, limit: 1 },
    { ...HERE, longitude: -180.1, limit: 1 },
    { ...HERE, longitude: Infinity, limit: 1 },
    { ...HERE, limit: -1 },
    { ...HERE, limit: 1.5 },
    { ...HERE, limit: NaN },
  ]
) {
  Deno.test(`Store.nearest refuses ${Object.values(query)}`, async () => {
    await using opened = await OpenedStore.open({ path: ":memory:" });
    await assertRejects(() => opened.store.nearest(query), RangeError);
  });
}

async function fillFile(folder: ReleaseFolder): Promise<void> {
  await using writer = await OpenedStore.open({ path: folder.path });
  await fill(writer.store, entries(...CEPS), SOURCES, line(...CEPS));
}

for (const fault of ["lost request", "not found"] as const) {
  Deno.test(`Store.nearest reads the points again after a fault, "${fault}"`, async () => {
    const client = new LocalClient();
    await using opened = await OpenedStore.onServer({ client });
    const { store } = opened;
    await fill(store, entries(...CEPS), SOURCES, line(...CEPS));
    client.fault = ({ statements }) =>
      statements.some(({ sql }) => sql.includes("bytes FROM pontos_"))
        ? fault
        : undefined;
    await assertRejects(() => cepsNear(store), DatabaseError);
    assertEquals(store.missingParts?.(), []);
    client.fault = () => undefined;
    assertEquals(await cepsNear(store), CEPS);
  });
}

/** Opens a release from a file, and passes it on. */
async function withRelease(
  action: (release: OpenRelease) => Promise<void>,
): Promise<void> {
  using folder = new ReleaseFolder();
  await fillFile(folder);
  const release = await OpenRelease.open(await connectImmutable(folder.file));
  try {
    await action(release);
  } finally {
    release.close();
  }
}

for (const isRead of [false, true]) {
  Deno.test(`OpenRelease.retire completes queries for the nearest if the points were ${isRead ? "" : "not "}read`, () =>
    withRelease(async (release) => {
      const query = { ...HERE, limit: 3 };
      if (isRead) await release.nearest(query);
      const queries = Array.from({ length: 100 }, () => release.nearest(query));
      release.retire();
      release.retire();
      for (const { data } of await Promise.all(queries)) {
        assertEquals(data.map(({ cep }) => cep), CEPS);
      }
    }));
}

Deno.test("OpenRelease.checkParts refuses damaged points", async () => {
  using folder = new ReleaseFolder();
  await fillFile(folder);
  alter(folder.file, "UPDATE pontos SET bytes = zeroblob(length(bytes))");
  const release = await OpenRelease.open(await connectImmutable(folder.file));
  try {
    await assertRejects(() => release.checkParts(), Error, "checksum");
  } finally {
    release.close();
  }
});
