/** Imports over a release that an older version of this program wrote. */
import { assertEquals, assertRejects } from "@std/assert";
import { truncateSync } from "node:fs";
import { SeedError } from "../../../cep/import/seed.ts";
import { SCHEMA_VERSION } from "../../../cep/release/schema.ts";
import type { Store } from "../../../cep/store/mod.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { OpenedStore } from "../_stores.ts";
import { LocalClient } from "../store/_local_client.ts";
import { alter } from "../store/_release.ts";
import { CENSUS, SAO_PAULO, seedBoth } from "./_both.ts";

const OF_SP = "LOG_LOGRADOURO_SP.TXT";

/** Streets of the small DNE, in which a CEP was replaced. */
const MOVED = [
  "2@SP@1@1@@das Flores@- de 1 a 99 - lado ímpar@01900009@Rua@S@R das Flores",
  "3@SP@1@2@@QC 2 Conjunto Q@@01900002@Quadra@N@QC 2 Cj Q",
];

/** Streets of which another one was replaced. */
const MOVED_AGAIN = [
  MOVED[0]!,
  "3@SP@1@2@@QC 2 Conjunto Q@@01900008@Quadra@N@QC 2 Cj Q",
];

/** Statements that make a release one of the version before the CNEFE. */
const EARLIER = (release: string) => [
  `ALTER TABLE ${release} DROP COLUMN sources`,
  `ALTER TABLE ${release} DROP COLUMN total_censo`,
  `ALTER TABLE ${release} DROP COLUMN pontos`,
];

/** Imports the DNE twice, and makes the release one of an older version. */
const KINDS: Record<
  string,
  (test: (store: Store) => Promise<void>) => Promise<void>
> = {
  async "in a folder"(test) {
    using folder = new ReleaseFolder();
    {
      await using writer = await OpenedStore.open({ path: folder.path });
      await seedTwice(writer.store);
    }
    for (const sql of EARLIER("release")) alter(folder.file, sql);
    alter(folder.file, `PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
    await using opened = await OpenedStore.open({ path: folder.path });
    await test(opened.store);
    assertEquals(opened.log.entries.map(({ message }) => message), []);
  },
  async "on a server"(test) {
    const client = new LocalClient();
    {
      await using writer = await OpenedStore.onServer({ client });
      await seedTwice(writer.store);
    }
    const [[suffix] = []] = await client.run(
      "SELECT suffix FROM carteiro_release",
    );
    for (const sql of EARLIER(`release_${suffix}`)) await client.run(sql);
    await client.run(
      `UPDATE carteiro_release SET schema_version = ${SCHEMA_VERSION - 1}`,
    );
    await using opened = await OpenedStore.onServer({ client });
    await test(opened.store);
  },
};

async function seedTwice(store: Store): Promise<void> {
  await seedBoth(store, { dne: {} });
  await seedBoth(store, { dne: { [OF_SP]: MOVED } }, { maxShrinkPercent: 100 });
}

for (const [kind, withEarlier] of Object.entries(KINDS)) {
  Deno.test(`seed refuses to replace a DNE of an older version by a CNEFE (${kind})`, () =>
    withEarlier(async (store) => {
      await assertRejects(
        () => seedBoth(store, { cnefe: SAO_PAULO }),
        SeedError,
        "Cannot import: the current release has the DNE, and this import " +
          "lacks it",
      );
      await seedBoth(store, { cnefe: SAO_PAULO }, { maxShrinkPercent: 100 });
      assertEquals((await store.release())?.sources, ["cnefe"]);
    }));

  Deno.test(`seed refuses a smaller DNE than that of an older version (${kind})`, () =>
    withEarlier(async (store) => {
      await assertRejects(
        () => seedBoth(store, { dne: { [OF_SP]: [MOVED[0]!] } }),
        SeedError,
        "LOG_LOGRADOURO_SP.TXT has 1 CEPs, the current release 2",
      );
    }));

  Deno.test(`seed continues the history of an older version (${kind})`, () =>
    withEarlier(async (store) => {
      const { census } = await seedBoth(store, {
        dne: { [OF_SP]: MOVED_AGAIN },
        cnefe: CENSUS,
      });
      assertEquals(census?.retired, 1);
      assertEquals((await store.lastChange("01900001"))?.successor, "01900009");
      assertEquals((await store.lastChange("01900002"))?.successor, "01900008");
    }));
}

Deno.test("seed refuses to replace an unreadable release by a CNEFE", async () => {
  using folder = new ReleaseFolder();
  {
    await using writer = await OpenedStore.open({ path: folder.path });
    await seedTwice(writer.store);
  }
  truncateSync(folder.file, 2000);
  await using opened = await OpenedStore.open({ path: folder.path });
  await assertRejects(
    () => seedBoth(opened.store, { cnefe: SAO_PAULO }),
    SeedError,
    "Cannot import: the current release cannot be read and may have the DNE",
  );
  await seedBoth(opened.store, { cnefe: SAO_PAULO }, { maxShrinkPercent: 100 });
  assertEquals((await opened.store.release())?.sources, ["cnefe"]);
});
