import { assertEquals, assertRejects } from "@std/assert";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type FileKind,
  readFileKind,
} from "../../../cep/release/file_header.ts";
import { SCHEMA_VERSION } from "../../../cep/release/schema.ts";
import { alter, writeRelease } from "../store/_release.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

/** Tables of the first edition. */
const FIRST_EDITION = `
  CREATE TABLE localidade (loc_nu); CREATE TABLE bairro (bai_nu);
  CREATE TABLE cep (cep); CREATE TABLE cep_total (
    setor);
  CREATE TABLE release (id); PRAGMA user_version = 1;`;

async function halve(path: string): Promise<void> {
  await writeRelease(path);
  truncateSync(path, readFileSync(path).length / 2);
}

/** Leaves a database in its write-ahead log, like a killed program. */
function writeUnsettled(path: string, sql: string): void {
  const original = `${path}.original`;
  const database = new DatabaseSync(original);
  database.exec(`PRAGMA journal_mode = WAL; ${sql}`);
  for (const end of ["", "-wal"]) copyFileSync(original + end, path + end);
  database.close();
}

const FILES: readonly [
  name: string,
  kind: FileKind,
  write: (path: string) => void | Promise<void>,
][] = [
  ["a release", "release", (path) => writeRelease(path)],
  ["half a release", "damaged", halve],
  ["a release with an additional byte", "damaged", async (path) => {
    await writeRelease(path);
    writeFileSync(path, "\0", { flag: "a" });
  }],
  ["only the header of a release", "damaged", async (path) => {
    await writeRelease(path);
    truncateSync(path, 100);
  }],
  ["a release of a newer version", "newer", async (path) => {
    await writeRelease(path);
    alter(path, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  }],
  ["half a release of a newer version", "newer", async (path) => {
    await writeRelease(path);
    alter(path, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    truncateSync(path, readFileSync(path).length / 2);
  }],
  ["a release of an older version", "older", async (path) => {
    await writeRelease(path);
    alter(path, "PRAGMA user_version = 1");
  }],
  [
    "a database of the first edition",
    "older",
    (path) => alter(path, FIRST_EDITION),
  ],
  [
    "a database of the first edition in WAL mode",
    "older",
    (path) => alter(path, `PRAGMA journal_mode = WAL; ${FIRST_EDITION}`),
  ],
  [
    "a database of the first edition in its write-ahead log",
    "older",
    (path) => writeUnsettled(path, FIRST_EDITION),
  ],
  ["an empty file", "empty", (path) => writeFileSync(path, "")],
  ["a text", "foreign", (path) => writeFileSync(path, "Not a database.\n")],
  [
    "a long text",
    "foreign",
    (path) => writeFileSync(path, "Not a database.\n".repeat(1000)),
  ],
  ["zeros", "damaged", (path) => writeFileSync(path, new Uint8Array(8192))],
  [
    "the first bytes of a database",
    "damaged",
    (path) => writeFileSync(path, "SQLite format 3\0"),
  ],
  [
    "a text that is shorter than a header",
    "foreign",
    (path) => writeFileSync(path, "SQLite notes"),
  ],
  [
    "zeros before a text",
    "foreign",
    (path) => writeFileSync(path, `${"\0".repeat(200)}text`),
  ],
  [
    "an unmarked database",
    "foreign",
    (path) => alter(path, "CREATE TABLE cep (cep)"),
  ],
  [
    "an unmarked database with version 1",
    "foreign",
    (path) => alter(path, "CREATE TABLE cep (cep); PRAGMA user_version = 1"),
  ],
  [
    "an unmarked database in WAL mode",
    "foreign",
    (path) =>
      alter(path, "PRAGMA journal_mode = WAL; CREATE TABLE release (id)"),
  ],
  [
    "an unmarked database in its write-ahead log",
    "foreign",
    (path) => writeUnsettled(path, "CREATE TABLE release (id)"),
  ],
  [
    "another program's database",
    "foreign",
    (path) => alter(path, `PRAGMA application_id = 7; ${FIRST_EDITION}`),
  ],
];

/** Returns the bytes of the files in a folder, by name. */
function bytesIn(path: string): Record<string, Uint8Array> {
  return Object.fromEntries(
    readdirSync(path).sort().map((name) => [
      name,
      new Uint8Array(readFileSync(join(path, name))),
    ]),
  );
}

for (const [name, kind, write] of FILES) {
  Deno.test(`readFileKind returns "${kind}" for ${name} and changes no file`, async () => {
    using directory = new TemporaryFolder();
    const path = join(directory.path, "cep.db");
    await write(path);
    const before = bytesIn(directory.path);
    assertEquals(await readFileKind(path), kind);
    assertEquals(bytesIn(directory.path), before);
  });
}

Deno.test("readFileKind rejects a folder and a missing file", async () => {
  using directory = new TemporaryFolder();
  const folder = join(directory.path, "cep.db");
  await assertRejects(() => readFileKind(folder));
  mkdirSync(folder);
  await assertRejects(() => readFileKind(folder));
});
