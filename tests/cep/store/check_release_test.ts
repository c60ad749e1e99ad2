import { assertEquals, assertRejects } from "@std/assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkRelease } from "../../../cep/store/check_release.ts";
import {
  connect,
  connectImmutable,
  type Connection,
} from "../../../cep/store/driver.ts";
import { ReleaseWriter } from "../../../cep/store/release_writer.ts";
import {
  DatabaseError,
  type Release,
  type ReleaseFacts,
} from "../../../cep/store/store.ts";
import { contentOf, TempDirectory, TempStore } from "../_fixtures.ts";
import { entries, entry, FACTS, fill } from "./_release.ts";

const SP = "LOG_LOGRADOURO_SP.TXT";
const AC = "LOG_LOGRADOURO_AC.TXT";

const ALL = [
  ...entries("00000000", "00999999", "01000000", "99999999"),
  entry("69990001", { file: AC, uf: "AC" }),
];
const TOTALS = { [AC]: 1, [SP]: 4 };

/** A finished release in memory. */
async function write(): Promise<{ connection: Connection; release: Release }> {
  const connection = await connect(":memory:");
  const writer = await ReleaseWriter.begin(connection);
  await writer.addEntries(ALL);
  return { connection, release: await writer.finish(FACTS, {}) };
}

Deno.test("checkRelease takes a release that holds what was written and imported", async () => {
  const { connection, release } = await write();
  assertEquals(release.totalByFile, TOTALS);
  await checkRelease(connection, release, { ...FACTS, totalByFile: TOTALS });
  connection.close();
});

const WRONG_FACTS: readonly [
  totalByFile: ReleaseFacts["totalByFile"],
  message: string,
][] = [
  [{ [SP]: 4 }, `holds 1 codes of ${AC}, 1 were written and 0 imported`],
  [{ [AC]: 2, [SP]: 4 }, `holds 1 codes of ${AC}, 1 were written and 2`],
  [{ [AC]: 2, [SP]: 3 }, `holds 4 codes of ${SP}, 4 were written and 3`],
  [{ ...TOTALS, "LOG_CPC.TXT": 1 }, "holds 0 codes of LOG_CPC.TXT, 0 were"],
];

for (const [totalByFile, message] of WRONG_FACTS) {
  Deno.test(`checkRelease refuses what is said to be ${JSON.stringify(totalByFile)}`, async () => {
    const { connection, release } = await write();
    await assertRejects(
      () => checkRelease(connection, release, { ...FACTS, totalByFile }),
      DatabaseError,
      `Cannot publish the import: the new database ${message}`,
    );
    connection.close();
  });
}

const TAMPERINGS: readonly [what: string, sql: string, message: string][] = [
  [
    "lacks the first code",
    "DELETE FROM cep WHERE cep = 0",
    `holds 3 codes of ${SP}, 4 were written and 4 imported`,
  ],
  [
    "lacks the last code",
    "DELETE FROM cep WHERE cep = 99999999",
    `holds 3 codes of ${SP}, 4 were written and 4 imported`,
  ],
  [
    "has a code of another file",
    "UPDATE cep SET origem = 2 WHERE cep = 0",
    `holds 2 codes of ${AC}, 1 were written and 1 imported`,
  ],
  ["is another import's", "UPDATE release SET id = id + 1", "is of another"],
  ["has no release", "DELETE FROM release", "is of another import"],
  [
    "has another table's rows for its index",
    `PRAGMA writable_schema = ON;
     UPDATE sqlite_master SET rootpage = (
       SELECT rootpage FROM sqlite_master WHERE name = 'setor'
     ) WHERE name = 'cep_numero';
     PRAGMA writable_schema = RESET`,
    "is damaged: ",
  ],
];

for (const [what, sql, message] of TAMPERINGS) {
  Deno.test(`checkRelease refuses a database that ${what}`, async () => {
    const { connection, release } = await write();
    await connection.exec(sql);
    await assertRejects(
      () =>
        checkRelease(connection, release, { ...FACTS, totalByFile: TOTALS }),
      DatabaseError,
      `Cannot publish the import: the new database ${message}`,
    );
    connection.close();
  });
}

Deno.test("checkRelease refuses a file with a page that did not reach the disk", async () => {
  using directory = new TempDirectory();
  const path = join(directory.path, "cep.db");
  const written = await connect(path);
  const writer = await ReleaseWriter.begin(written);
  const all = Array.from(
    { length: 2000 },
    (_, i) => entry(`0${1_310_000 + i}`),
  );
  await writer.addEntries(all);
  const release = await writer.finish(FACTS, {});
  written.close();
  const bytes = readFileSync(path);
  // A leaf of the records, by a text that stands on it.
  const page = Math.floor(bytes.indexOf("das Flores 01311000") / 8192);
  bytes.fill(0, page * 8192, (page + 1) * 8192);
  writeFileSync(path, bytes);
  const connection = await connectImmutable(path);
  const { totalByFile } = release;
  await assertRejects(
    () => checkRelease(connection, release, { ...FACTS, totalByFile }),
    DatabaseError,
    "Cannot publish the import: the new database is damaged: ",
  );
  connection.close();
});

Deno.test("Staging.publish of other counts leaves the data and can be tried anew", async () => {
  await using temp = await TempStore.open();
  await fill(temp.store, ALL);
  const before = await contentOf(temp.store);
  const staging = await temp.store.stage("test");
  await staging.addEntries(entries("01310100"));
  await assertRejects(
    () => staging.publish({ ...FACTS, totalByFile: { [SP]: 2 } }, {}),
    DatabaseError,
    "Cannot publish the import: ",
  );
  await staging.discard();
  assertEquals(await contentOf(temp.store), before);
  await fill(temp.store, entries("01310100"));
  assertEquals((await temp.store.list("", 9)).total, 1);
});
