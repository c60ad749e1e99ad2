import { assertEquals, assertRejects } from "@std/assert";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../../cep/release/local_connection.ts";
import { takeLock } from "../../../cep/store/lock.ts";
import { DatabaseError } from "../../../cep/store/store.ts";
import { type Child, endOf, kill } from "../../../scripts/process.ts";
import { codeCommand, moduleUrl, start } from "../../_program.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

/** Path of a lock in a temporary folder. */
class LockPath extends TemporaryFolder {
  readonly lock: string = join(this.path, "seed.lock");
}

const HOLDERS = [
  "process 7 on host, since 2025-04-15T12:00:00.000Z",
  "",
  `'quotes', "quotes"; and é`,
];

for (const holder of HOLDERS) {
  Deno.test(`takeLock refuses a second holder and reports the first, "${holder}"`, async () => {
    using temp = new LockPath();
    const unlock = await takeLock(temp.lock, holder);
    const error = await assertRejects(
      () => takeLock(temp.lock, "second"),
      DatabaseError,
    );
    assertEquals(
      error.message,
      `Cannot import: another import is running (${holder})`,
    );
    await unlock();
    await (await takeLock(temp.lock, "second"))();
  });
}

Deno.test("takeLock takes the lock of another path", async () => {
  using one = new LockPath();
  using two = new LockPath();
  const unlockOne = await takeLock(one.lock, "one");
  const unlockTwo = await takeLock(two.lock, "two");
  await unlockOne();
  await unlockTwo();
});

Deno.test("takeLock returns the lock to one of many concurrent calls", async () => {
  using temp = new LockPath();
  const taken = await Promise.allSettled(
    Array.from({ length: 5 }, (_, i) => takeLock(temp.lock, `import ${i}`)),
  );
  const locks = taken.filter(({ status }) => status === "fulfilled");
  assertEquals(locks.length, 1);
  for (const it of taken) {
    if (it.status === "fulfilled") await it.value();
    else assertEquals(it.reason.name, "DatabaseError");
  }
});

Deno.test("takeLock refuses a second holder before the first has written its name", async () => {
  using temp = new LockPath();
  const holder = await connect(temp.lock);
  await holder.exec("BEGIN IMMEDIATE");
  await assertRejects(
    () => takeLock(temp.lock, "second"),
    DatabaseError,
    "Cannot import: another import is running (unknown)",
  );
  holder.close();
});

Deno.test("takeLock rejects a file that is not a database", async () => {
  using temp = new LockPath();
  writeFileSync(temp.lock, "This is not a database.\n".repeat(100));
  await assertRejects(
    () => takeLock(temp.lock, "first"),
    Error,
    "file is not a database",
  );
});

Deno.test("takeLock rejects a path in a missing folder", async () => {
  using temp = new LockPath();
  const path = join(temp.path, "none", "seed.lock");
  await assertRejects(() => takeLock(path, "first"));
  assertEquals(existsSync(join(temp.path, "none")), false);
});

/** Starts a process that takes a lock and waits. */
async function startHolder(path: string): Promise<Child> {
  const child = start(codeCommand(`
    import process from "node:process";
    import { takeLock } from "${moduleUrl("cep/store/lock.ts")}";
    await takeLock(${JSON.stringify(path)}, "the other process");
    console.log("locked");
    process.stdin.resume();
  `));
  const [text] = await once(child.stdout, "data");
  assertEquals(String(text).trim(), "locked");
  return child;
}

Deno.test("takeLock refuses a second holder until the process of the first is killed", async () => {
  using temp = new LockPath();
  const child = await startHolder(temp.lock);
  try {
    await assertRejects(
      () => takeLock(temp.lock, "this process"),
      DatabaseError,
      "Cannot import: another import is running (the other process)",
    );
  } finally {
    const ended = endOf(child);
    kill(child, "SIGKILL");
    assertEquals((await ended).signal, "SIGKILL");
    child.stdin.destroy();
  }
  await (await takeLock(temp.lock, "this process"))();
});
