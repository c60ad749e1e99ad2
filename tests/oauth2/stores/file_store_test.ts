/** Files of a store. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import process from "node:process";
import { FileStore } from "../../../oauth2/stores/file_store.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { testExpiry, testStore } from "./_contract.ts";

const ON_WINDOWS = process.platform === "win32";

/** Store in a temporary folder. */
function open() {
  const folder = new TemporaryFolder("file-store");
  const path = `${folder.path}/a/b`;
  /** Returns the only folder. */
  const onlyFolder = () => `${path}/${readdirSync(path)[0]}`;
  return {
    root: folder.path,
    path,
    onlyFolder,
    store: new FileStore(path),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Returns the values in the last file of each folder. */
function valuesIn(path: string): string[] {
  return readdirSync(path).flatMap((folder) => {
    const names = readdirSync(`${path}/${folder}`)
      .filter((name) => name.endsWith(".json"));
    const number = Math.max(...names.map((name) => parseInt(name)));
    const text = readFileSync(`${path}/${folder}/${number}.json`, "utf8");
    const entries: [time: number, value: string][] = Object.values(
      JSON.parse(text),
    );
    return entries.map(([, value]) => value);
  });
}

testStore("FileStore", () => {
  const folder = new TemporaryFolder("file-store");
  const store = new FileStore(`${folder.path}/tokens`);
  return { store, close: () => folder[Symbol.dispose]() };
});

testExpiry("FileStore", () => {
  const folder = new TemporaryFolder("file-store");
  let passed = 0;
  const clock = () => Date.now() + passed;
  const reopen = () => new FileStore(folder.path, { ttl: 60, clock });
  return {
    store: reopen(),
    reopen,
    pass: (seconds) => void (passed += seconds * 1000),
    count: () => valuesIn(folder.path).length,
    close: () => folder[Symbol.dispose](),
  };
});

Deno.test("FileStore keeps one file of a folder", async () => {
  using opened = open();
  const { store, path, onlyFolder } = opened;
  for (const value of ["1", "2", "3"]) await store.set("ana", value);
  assertEquals(readdirSync(onlyFolder()), ["3.json"]);
  assertEquals(valuesIn(path), ["3"]);
  await store.set("ana", undefined);
  assertEquals(readdirSync(onlyFolder()), ["4.json"]);
  assertEquals(readFileSync(`${onlyFolder()}/4.json`, "utf8"), "{}");
});

Deno.test("FileStore keeps the values of other keys of a folder", async () => {
  using opened = open();
  const { store, path } = opened;
  const keys = Array.from({ length: 600 }, (_, i) => `São Luís ${i}`);
  await Promise.all(keys.map((key) => store.set(key, `value of ${key}`)));
  assert(readdirSync(path).length <= 256);
  for (const key of keys) {
    assertEquals(await store.get(key), `value of ${key}`);
  }
  await Promise.all(keys.slice(1).map((key) => store.set(key, undefined)));
  assertEquals(valuesIn(path), ["value of São Luís 0"]);
});

Deno.test({
  name: "FileStore makes files that only their owner may read",
  ignore: ON_WINDOWS,
  fn: async () => {
    using opened = open();
    const { store, path, onlyFolder } = opened;
    await store.set("ana", "1");
    const modes = [path, onlyFolder(), `${onlyFolder()}/1.json`]
      .map((path) => statSync(path).mode & 0o777);
    assertEquals(modes, [0o700, 0o700, 0o600]);
  },
});

Deno.test("FileStore writes nothing to read", async () => {
  using opened = open();
  await opened.store.get("ana");
  assertEquals(readdirSync(opened.root), []);
});

Deno.test("FileStore leaves nothing for a key that does not exist", async () => {
  using opened = open();
  const { store, path, root } = opened;
  await store.set("eva", undefined);
  for (const value of [undefined, "2"]) {
    await store.compareAndSwap("eva", "1", value);
  }
  await store.compareAndSwap("eva", undefined, undefined);
  assertEquals(readdirSync(root), []);
  await store.set("ana", "1");
  await store.compareAndSwap("eva", "1", "2");
  assertEquals(readdirSync(path).length, 1);
});

Deno.test("FileStore deletes what other keys left: temporary files and old values", async () => {
  using opened = open();
  const { store, path, onlyFolder } = opened;
  await store.set("ana", "1");
  const folder = onlyFolder();
  writeFileSync(`${folder}/.write-1.tmp`, "secret");
  await store.set("ana", "2");
  assertEquals(readdirSync(folder).length, 3);
  const clock = () => Date.now() + 61_000;
  await new FileStore(path, { clock, ttl: 60 }).set("eva", "1");
  assertEquals(readdirSync(folder), ["3.json"]);
  assertEquals(valuesIn(path), ["1"]);
});

for (
  const text of [
    '{"secret',
    "null",
    '"secret"',
    '{"a":null}',
    '{"a":["secret"]}',
  ]
) {
  Deno.test(`FileStore reports the damaged file ${text}, without its text`, async () => {
    using opened = open();
    const { store, onlyFolder } = opened;
    await store.set("ana", "1");
    writeFileSync(`${onlyFolder()}/2.json`, text);
    for (const call of [() => store.get("ana"), () => store.set("ana", "2")]) {
      const error = await assertRejects(call, Error, "it is damaged");
      assert(!error.message.includes("secret"));
      assertEquals(error.cause, undefined);
    }
    assertEquals(readdirSync(onlyFolder()).sort(), ["1.json", "2.json"]);
  });
}

Deno.test("FileStore keeps the files of other processes that are writing", async () => {
  using opened = open();
  const { store, path } = opened;
  const other = `${path}/00`;
  mkdirSync(other, { recursive: true });
  writeFileSync(`${other}/.write-1.tmp`, "");
  await store.set("ana", "1");
  assertEquals(readdirSync(other), [".write-1.tmp"]);
});

Deno.test("FileStore deletes no version while another process is writing one", async () => {
  using opened = open();
  const { store, onlyFolder } = opened;
  await store.set("ana", "1");
  // It may have read the first version, and be about to write the second.
  writeFileSync(`${onlyFolder()}/.write-1.tmp`, "");
  await store.set("ana", "2");
  await store.set("ana", "3");
  const names = readdirSync(onlyFolder()).sort();
  assertEquals(names, [".write-1.tmp", "1.json", "2.json", "3.json"]);
});

Deno.test("FileStore ignores and deletes the files of a process that ended", async () => {
  using opened = open();
  const { store, onlyFolder } = opened;
  await store.set("ana", "1");
  const old = `${onlyFolder()}/.old.tmp`;
  writeFileSync(old, "half");
  utimesSync(old, 1, 1);
  writeFileSync(`${onlyFolder()}/.new.tmp`, "half");
  writeFileSync(`${onlyFolder()}/notes.txt`, "mine");
  assertEquals(await store.get("ana"), "1");
  await store.set("ana", "2");
  const names = readdirSync(onlyFolder()).sort();
  assertEquals(names, [".new.tmp", "2.json", "notes.txt"]);
});

Deno.test("FileStore reads the last of the versions that a process left", async () => {
  using opened = open();
  const { store, onlyFolder } = opened;
  await store.set("ana", "1");
  const text = readFileSync(`${onlyFolder()}/1.json`, "utf8");
  writeFileSync(`${onlyFolder()}/10.json`, text.replace('"1"', '"10"'));
  writeFileSync(`${onlyFolder()}/9.json`, text.replace('"1"', '"9"'));
  assertEquals(await store.get("ana"), "10");
  assert(await store.compareAndSwap("ana", "10", "11"));
  assertEquals(readdirSync(onlyFolder()), ["11.json"]);
});

Deno.test({
  name: "FileStore reports a folder that it cannot write",
  ignore: ON_WINDOWS || process.getuid?.() === 0,
  fn: async () => {
    using opened = open();
    mkdirSync(opened.path, { recursive: true });
    chmodSync(opened.path, 0o500);
    const error = await opened.store.set("ana", "1").catch((error) => error);
    assertEquals(error.code, "EACCES");
  },
});
