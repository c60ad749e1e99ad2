import { assertEquals, assertRejects } from "@std/assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkCopy, checkRelease } from "../../../cep/release/check_release.ts";
import type { LocalConnection } from "../../../cep/release/connection.ts";
import {
  connect,
  connectImmutable,
} from "../../../cep/release/local_connection.ts";
import { ReleaseWriter } from "../../../cep/release/release_writer.ts";
import {
  DatabaseError,
  type Release,
  type ReleaseFacts,
} from "../../../cep/store/store.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { censusRow, entries, entry, FACTS, fill } from "../store/_release.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

const SP = "LOG_LOGRADOURO_SP.TXT";
const AC = "LOG_LOGRADOURO_AC.TXT";

const ALL = [
  ...entries("00000000", "00999999", "01000000", "99999999"),
  entry("69990001", { file: AC, uf: "AC" }),
];
const TOTALS = { [AC]: 1, [SP]: 4 };
const SOURCES = { sources: ["dne", "cnefe"] } as const;

/** Finished release in memory. */
async function write(): Promise<
  { connection: LocalConnection; release: Release }
> {
  const connection = await connect(":memory:");
  const writer = await ReleaseWriter.begin(connection);
  await writer.addCensus([censusRow("01000000"), censusRow("69990001")]);
  await writer.addEntries(ALL);
  return {
    connection,
    release: await writer.finish({ ...FACTS, ...SOURCES }, {}),
  };
}

Deno.test("checkRelease accepts a release of the entries that were written and imported", async () => {
  const { connection, release } = await write();
  assertEquals(release.totalByFile, TOTALS);
  await checkRelease(connection, release, { ...FACTS, totalByFile: TOTALS });
  connection.close();
});

const WRONG_FACTS: readonly [
  totalByFile: ReleaseFacts["totalByFile"],
  message: string,
][] = [
  [{ [SP]: 4 }, `has 1 CEPs of ${AC}, but 1 were written and 0 imported`],
  [{ [AC]: 2, [SP]: 4 }, `has 1 CEPs of ${AC}, but 1 were written and 2`],
  [{ [AC]: 2, [SP]: 3 }, `has 4 CEPs of ${SP}, but 4 were written and 3`],
  [{ ...TOTALS, "LOG_CPC.TXT": 1 }, "has 0 CEPs of LOG_CPC.TXT, but 0 were"],
];

for (const [totalByFile, message] of WRONG_FACTS) {
  Deno.test(`checkRelease refuses a release with the facts ${JSON.stringify(totalByFile)}`, async () => {
    const { connection, release } = await write();
    await assertRejects(
      () => checkRelease(connection, release, { ...FACTS, totalByFile }),
      DatabaseError,
      `Cannot publish the import: the new database ${message}`,
    );
    connection.close();
  });
}

const TAMPERINGS: readonly [name: string, sql: string, message: string][] = [
  [
    "lacks the first CEP",
    "DELETE FROM cep WHERE cep = 0",
    `has 3 CEPs of ${SP}, but 4 were written and 4 imported`,
  ],
  [
    "lacks the last CEP",
    "DELETE FROM cep WHERE cep = 99999999",
    `has 3 CEPs of ${SP}, but 4 were written and 4 imported`,
  ],
  [
    "has a CEP of another file",
    "UPDATE cep SET origem = 2 WHERE cep = 0",
    `has 2 CEPs of ${AC}, but 1 were written and 1 imported`,
  ],
  [
    "is of another import",
    "UPDATE release SET id = id + 1",
    "belongs to another",
  ],
  ["has no release", "DELETE FROM release", "belongs to another import"],
  [
    "lacks a CEP of the CNEFE",
    "DELETE FROM censo WHERE cep = 1000000",
    "has 1 instead of 2 CEPs of the CNEFE",
  ],
  [
    "lacks a street of the CNEFE",
    "DELETE FROM censo_logradouro WHERE cep = 1000000 AND ordem = 1",
    "has 3 instead of 4 streets of the CNEFE",
  ],
  [
    "has an index on the rows of another table",
    `PRAGMA writable_schema = ON;
     UPDATE sqlite_master SET rootpage = (
       SELECT rootpage FROM sqlite_master WHERE name = 'setor'
     ) WHERE name = 'cep_numero';
     PRAGMA writable_schema = RESET`,
    "is damaged: ",
  ],
];

for (const [name, sql, message] of TAMPERINGS) {
  Deno.test(`checkRelease refuses a database that ${name}`, async () => {
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

Deno.test("checkRelease refuses a file with a page of zeros", async () => {
  using directory = new TemporaryFolder();
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
  // Leaf page of the records, found by a text on it.
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

Deno.test("Staging.publish with wrong counts leaves the data, and the next import succeeds", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  await fill(opened.store, ALL);
  const before = await contentOf(opened.store);
  const staging = await opened.store.stage("test");
  await staging.addEntries(entries("01310100"));
  await assertRejects(
    () => staging.publish({ ...FACTS, totalByFile: { [SP]: 2 } }, {}),
    DatabaseError,
    "Cannot publish the import: ",
  );
  await staging.discard();
  assertEquals(await contentOf(opened.store), before);
  await fill(opened.store, entries("01310100"));
  assertEquals((await opened.store.list("", 9)).total, 1);
});

Deno.test("checkCopy names the copy if it lacks a CEP", async () => {
  const { connection, release } = await write();
  await checkCopy(connection, release);
  await connection.exec("DELETE FROM cep WHERE cep = 0");
  await assertRejects(
    () => checkCopy(connection, release),
    DatabaseError,
    `it has 3 CEPs of ${SP}, but the release has 4`,
  );
  connection.close();
});

Deno.test("checkCopy names the copy if it lacks a CEP of the CNEFE", async () => {
  const { connection, release } = await write();
  await connection.exec("DELETE FROM censo WHERE cep = 1000000");
  await assertRejects(
    () => checkCopy(connection, release),
    DatabaseError,
    "it has 1 instead of 2 CEPs of the CNEFE",
  );
  connection.close();
});
