/** Memory and handles of this process, on Linux. */
import { assert, assertEquals } from "@std/assert";
import {
  closeSync,
  existsSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { sampleProcess } from "../../../scripts/soak/service.ts";
import { grows } from "../../../scripts/soak/soak.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

const ignore = !existsSync("/proc/self/fd");

Deno.test({
  name: "sampleProcess and grows detect a leak of descriptors",
  ignore,
  fn() {
    using folder = new TemporaryFolder();
    const path = join(folder.path, "file");
    writeFileSync(path, "");
    const leaked: number[] = [];
    const deleted: number[] = [];
    for (let phase = 0; phase < 5; phase++) {
      for (let i = 0; i < 20; i++) leaked.push(openSync(path, "r"));
      // The tests of other files, in the same process, have their own files.
      deleted.push(sampleProcess(process.pid)!.descriptors);
    }
    leaked.forEach((descriptor) => closeSync(descriptor));
    assert(grows(deleted, 9));
  },
});

Deno.test({
  name: "sampleProcess counts deleted files that are open",
  ignore,
  fn() {
    using folder = new TemporaryFolder();
    const path = join(folder.path, "file");
    writeFileSync(path, "");
    const descriptor = openSync(path, "r");
    const before = sampleProcess(process.pid)!;
    rmSync(path);
    const after = sampleProcess(process.pid)!;
    closeSync(descriptor);
    assertEquals(after.deleted, before.deleted + 1);
    assert(after.memory > 1 && after.memory < 100_000);
    assert(after.sockets <= after.descriptors);
  },
});

Deno.test("sampleProcess returns undefined without /proc", () => {
  using folder = new TemporaryFolder();
  assertEquals(sampleProcess(process.pid, folder.path), undefined);
});
