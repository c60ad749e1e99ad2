/** Releases of which one part is damaged: the others answer. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { copyFileSync } from "node:fs";
import { DatabaseError, type MemoryPart } from "../../../cep/store/mod.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { cepsOf, OpenedStore } from "../_stores.ts";
import { alter, censusRow, entries } from "./_release.ts";
import { NOTICED, WatchedDirectory } from "./_watched.ts";

const CEP = "01310100";

/** Tables of the parts, by their names in the API. */
const TABLES = {
  snapshot: "snapshot",
  search: "busca",
  points: "pontos",
} as const satisfies Record<MemoryPart, string>;

/** Damages to the rows of a part, or to its header in the table `release`. */
const DAMAGES: Readonly<Record<string, (table: string) => string>> = {
  "has no rows": (table) => `DELETE FROM ${table}`,
  "lacks a row": (table) => `DELETE FROM ${table} WHERE part = 1`,
  "has a row more": (table) => `INSERT INTO ${table} (bytes) VALUES (x'00')`,
  "has the same row twice": (table) =>
    `INSERT INTO ${table} (bytes) SELECT bytes FROM ${table} LIMIT 1`,
  "has a row of a huge number": (table) =>
    `UPDATE ${table} SET part = 9007199254740991 WHERE part = 1`,
  "has zeros": (table) => `UPDATE ${table} SET bytes = zeroblob(length(bytes))`,
  "has one wrong byte": (table) =>
    `UPDATE ${table} SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) ||
     iif(substr(bytes, -1) = x'01', x'02', x'01') AS BLOB) WHERE part = 1`,
  "has a torn row": (table) =>
    `UPDATE ${table} SET bytes = substr(bytes, 1, length(bytes) - 1)`,
  "has a large row": (table) => `UPDATE ${table} SET bytes = zeroblob(3000000)`,
  "has no header": (table) => `UPDATE release SET ${table} = ''`,
  "has a header of null": (table) => `UPDATE release SET ${table} = 'null'`,
  "has a header of another kind": (table) =>
    `UPDATE release SET ${table} = '[]'`,
  "is of another version": (table) => setHeader(table, "version", 99),
  "claims a huge size": (table) =>
    setHeader(table, { snapshot: "records" }[table] ?? "count", 1e15),
  "has no table": (table) => `DROP TABLE ${table}`,
};

function setHeader(table: string, member: string, value: number): string {
  return `UPDATE release SET ${table} =
    json_set(${table}, '$.${member}', ${value})`;
}

/** Imports an address with a point. */
function fillFolder(folder: ReleaseFolder, cep: string): Promise<void> {
  return folder.fill(entries(cep), {}, [censusRow(cep)]);
}

const NEAR = { latitude: 0, longitude: 0, limit: 1 };
const SEARCH = { text: "flores", limit: 1 };

for (const [part, table] of Object.entries(TABLES)) {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    // A count that the header of the search does not have changes nothing.
    if (part === "search" && name === "claims a huge size") continue;
    Deno.test(`Store answers the rest if the ${part} of its release ${name}`, async () => {
      using folder = new ReleaseFolder();
      await fillFolder(folder, CEP);
      alter(folder.file, damage(table));
      await using opened = await OpenedStore.open({ path: folder.path });
      const { store, log } = opened;
      // The points are read by the first query for them.
      const missing = part === "points" ? [] : [part];
      assertEquals(store.missingParts?.(), missing);
      assertEquals(log.at("warn").length, missing.length);
      const found = await store.findJson(CEP);
      assertEquals(found?.fromMemory, part !== "snapshot");
      assertEquals(JSON.parse(found!.json).cep, CEP);
      if (part === "search") {
        await assertRejects(() => store.search(SEARCH), DatabaseError);
      } else assertEquals((await store.search(SEARCH))?.data[0]?.cep, CEP);
      for (let times = 0; times < 2; times++) {
        const near = await Promise.allSettled(
          Array.from({ length: 10 }, () => store.nearest(NEAR)),
        );
        for (const it of near) {
          if (it.status === "fulfilled") {
            assertEquals(it.value?.data[0]?.cep, CEP);
          } else assertEquals(it.reason.name, "DatabaseError");
          assertEquals(it.status === "rejected", part === "points");
        }
      }
      assertEquals(store.missingParts?.(), [part]);

      const next = "01310200"; // Its release is whole.
      await fillFolder(folder, next);
      await log.logged(NOTICED);
      assertEquals(store.missingParts?.(), []);
      assertEquals((await store.findJson(next))?.fromMemory, true);
      assertEquals((await store.search(SEARCH))?.data[0]?.cep, next);
      assertEquals((await store.nearest(NEAR))?.data[0]?.cep, next);
    });
  }
}

const OF_NEXT_INDEX = [
  "has no rows",
  "lacks a row",
  "has a row of a huge number",
  "has zeros",
  "has no header",
  "is of another version",
  "has no table",
];

for (const name of OF_NEXT_INDEX) {
  Deno.test(`Store keeps a release that can be searched if the index of the next one ${name}`, async () => {
    using folder = new ReleaseFolder();
    await folder.fill(entries(CEP));
    const directory = new WatchedDirectory(folder.path);
    await using reader = await OpenedStore.openIn(directory);
    using source = new ReleaseFolder();
    await source.fill(entries("01310200"));
    alter(source.file, DAMAGES[name]!("busca"));
    folder.replace((path) => copyFileSync(source.file, path));
    for (let time = 0; time < 2; time++) await directory.looked(4);
    assertEquals(await cepsOf(reader.store), [CEP]);
    assertEquals(reader.store.missingParts?.(), []);
    const [error, ...more] = reader.log.entries;
    assertEquals([error?.level, more], ["error", []]);
    assertStringIncludes(
      `${error!.properties["error"]}`,
      "Cannot use the search index",
    );
  });
}

Deno.test("Store names the missing snapshot, and none that was not wanted", async () => {
  using folder = new ReleaseFolder();
  await folder.fill(entries(CEP));
  alter(folder.file, "DELETE FROM snapshot; DELETE FROM busca");
  const { path } = folder;
  const cases = [
    [{ path }, ["snapshot", "search"]],
    [{ path, search: false }, ["snapshot"]],
    [{ path, snapshot: false, search: false }, []],
  ] as const;
  for (const [options, missing] of cases) {
    await using opened = await OpenedStore.open(options);
    assertEquals(opened.store.missingParts?.(), missing);
  }
});
