/** Files of a store. */
import { assert, assertEquals } from "@std/assert";
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
  /** Returns the folder of the only key. */
  const keyFolder = () => `${path}/${readdirSync(path)[0]}`;
  return {
    root: folder.path,
    path,
    keyFolder,
    store: new FileStore(path),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

testStore("FileStore", () => {
  const folder = new TemporaryFolder("file-store");
  const store = new FileStore(`${folder.path}/tokens`);
  return { store, close: () => folder[Symbol.dispose]() };
});

testExpiry("FileStore", () => {
  const folder = new TemporaryFolder("file-store");
  const reopen = () => new FileStore(folder.path, { ttl: 60 });
  return {
    store: reopen(),
    reopen,
    pass(seconds) {
      // The files are as old as if the time had passed.
      for (const key of readdirSync(folder.path)) {
        for (const name of readdirSync(`${folder.path}/${key}`)) {
          const path = `${folder.path}/${key}/${name}`;
          const time = statSync(path).mtimeMs / 1000 - seconds;
          utimesSync(path, time, time);
        }
      }
    },
    count: () => readdirSync(folder.path).length,
    close: () => folder[Symbol.dispose](),
  };
});

Deno.test("FileStore keeps a value that begins with NUL", async () => {
  using files = open();
  for (const value of ["\0", "\0\0x", ""]) {
    await files.store.set("ana", value);
    assertEquals(await files.store.get("ana"), value);
  }
});

Deno.test("FileStore keeps one file of a key", async () => {
  using opened = open();
  const { store, keyFolder } = opened;
  for (const value of ["1", "2", "3"]) await store.set("ana", value);
  assertEquals(readdirSync(keyFolder()), ["3.json"]);
  assertEquals(readFileSync(`${keyFolder()}/3.json`, "utf8"), "3");
  await store.set("ana", undefined);
  assertEquals(readdirSync(keyFolder()), ["4.json"]);
  assertEquals(readFileSync(`${keyFolder()}/4.json`, "utf8"), "");
});

Deno.test({
  name: "FileStore makes files that only their owner may read",
  ignore: ON_WINDOWS,
  fn: async () => {
    using opened = open();
    const { store, path, keyFolder } = opened;
    await store.set("ana", "1");
    const modes = [path, keyFolder(), `${keyFolder()}/1.json`]
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

Deno.test("FileStore keeps an empty file of a deleted key, and writes it again", async () => {
  using opened = open();
  const { store, keyFolder } = opened;
  await store.set("ana", "1");
  await store.set("ana", undefined);
  assert(await store.compareAndSwap("ana", undefined, undefined));
  assertEquals(readdirSync(keyFolder()), ["2.json"]);
  assertEquals(await store.get("ana"), undefined);
  await store.set("ana", "2");
  assertEquals(await store.get("ana"), "2");
});

Deno.test("FileStore deletes what other keys left: temporary files, deleted values and folders", async () => {
  using opened = open();
  const { store, path, keyFolder } = opened;
  await store.set("ana", "1");
  await store.set("ana", undefined);
  mkdirSync(`${path}/${"0".repeat(32)}`);
  writeFileSync(`${path}/${"0".repeat(32)}/.write-1.tmp`, "secret");
  mkdirSync(`${path}/.1.gone`);
  const later = new FileStore(path, { clock: () => Date.now() + 61_000 });
  await later.set("eva", "1");
  assertEquals(readdirSync(path).length, 1);
  assertEquals(readdirSync(keyFolder()), ["1.json"]);
});

Deno.test("FileStore keeps the files of other processes that are writing", async () => {
  using opened = open();
  const { store, path } = opened;
  const other = `${path}/${"0".repeat(32)}`;
  mkdirSync(other, { recursive: true });
  writeFileSync(`${other}/.write-1.tmp`, "");
  await store.set("ana", "1");
  assertEquals(readdirSync(other), [".write-1.tmp"]);
});

Deno.test("FileStore deletes no version while another process is writing one", async () => {
  using opened = open();
  const { store, keyFolder } = opened;
  await store.set("ana", "1");
  // It may have read the first version, and be about to write the second.
  writeFileSync(`${keyFolder()}/.write-1.tmp`, "");
  await store.set("ana", "2");
  await store.set("ana", "3");
  const names = readdirSync(keyFolder()).sort();
  assertEquals(names, [".write-1.tmp", "1.json", "2.json", "3.json"]);
});

Deno.test("FileStore never undoes a swap that returned true", async () => {
  using opened = open();
  const WRITERS = 6;
  const WRITES = 40;
  /** Values that a swap has replaced. */
  const replaced = new Set<string>();
  await opened.store.set("ana", "first");
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const store = new FileStore(opened.path);
    for (let i = 0; i < WRITES; i++) {
      const value = `${writer} ${i}`;
      if (writer === 0) {
        await store.set("ana", value);
        continue;
      }
      const before = new Set(replaced);
      const found = (await store.get("ana"))!;
      assert(!before.has(found), `${found} is back`);
      if (!await store.compareAndSwap("ana", found, value)) continue;
      assert(!replaced.has(found), `${found} was swapped twice`);
      replaced.add(found);
    }
  });
  await Promise.all(writers);
  assert(replaced.size > 0);
  assert(!replaced.has((await opened.store.get("ana"))!));
});

Deno.test("FileStore keeps the value of a swap that follows a deletion", async () => {
  using opened = open();
  for (let round = 0; round < 60; round++) {
    const swaps: [from: string | undefined, to: string | undefined][] = [];
    const writers = [0, 1, 2].map(async (writer) => {
      const store = new FileStore(opened.path);
      for (let i = 0; i < 12; i++) {
        const from = await store.get("ana");
        const to = from === undefined ? `${round} ${writer} ${i}` : undefined;
        if (await store.compareAndSwap("ana", from, to)) swaps.push([from, to]);
      }
    });
    await Promise.all(writers);
    const last = await opened.store.get("ana");
    const written = swaps.flatMap(([, to]) => to ?? []);
    const deleted = swaps.flatMap(([from]) => from ?? []);
    assertEquals(
      written.filter((value) => !deleted.includes(value)),
      last === undefined ? [] : [last],
    );
    await opened.store.set("ana", undefined);
  }
});

Deno.test("FileStore ignores and deletes the files of a process that ended", async () => {
  using opened = open();
  const { store, keyFolder } = opened;
  await store.set("ana", "1");
  const old = `${keyFolder()}/.old.tmp`;
  writeFileSync(old, "half");
  utimesSync(old, 1, 1);
  writeFileSync(`${keyFolder()}/.new.tmp`, "half");
  writeFileSync(`${keyFolder()}/notes.txt`, "mine");
  assertEquals(await store.get("ana"), "1");
  await store.set("ana", "2");
  assertEquals(readdirSync(keyFolder()).sort(), [
    ".new.tmp",
    "2.json",
    "notes.txt",
  ]);
});

Deno.test("FileStore reads the last of the versions that a process left", async () => {
  using opened = open();
  const { store, keyFolder } = opened;
  await store.set("ana", "1");
  writeFileSync(`${keyFolder()}/10.json`, "10");
  writeFileSync(`${keyFolder()}/9.json`, "9");
  assertEquals(await store.get("ana"), "10");
  assert(await store.compareAndSwap("ana", "10", "11"));
  assertEquals(readdirSync(keyFolder()), ["11.json"]);
});

Deno.test("FileStore does not swap a version that is not the last any more", async () => {
  using opened = open();
  const { store, keyFolder } = opened;
  await store.set("ana", "1");
  const swap = store.compareAndSwap("ana", "1", "2");
  // Another process has written two versions, and deleted the first.
  writeFileSync(`${keyFolder()}/3.json`, "theirs");
  assertEquals(await swap, false);
  assertEquals(await store.get("ana"), "theirs");
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
