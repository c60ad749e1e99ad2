/** Memory and handles of a process, read from a folder like `/proc`. */
import { assertEquals } from "@std/assert";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { sampleProcess } from "../../../scripts/soak/service.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

Deno.test({
  name: "sampleProcess reads the memory, and counts sockets and deleted files",
  ignore: process.platform !== "linux",
  fn() {
    using proc = new TemporaryFolder();
    mkdirSync(join(proc.path, "7", "fd"), { recursive: true });
    writeFileSync(
      join(proc.path, "7", "status"),
      "Name:\tdeno\nVmHWM:\t   90000 kB\nVmRSS:\t   50000 kB\n",
    );
    const links = [
      "/dev/null",
      "socket:[123]",
      "socket:[124]",
      "/data/cep.db (deleted)",
    ];
    for (const [i, link] of links.entries()) {
      symlinkSync(link, join(proc.path, "7", "fd", String(i)));
    }
    assertEquals(sampleProcess(7, proc.path), {
      memory: 51.2,
      descriptors: 4,
      sockets: 2,
      deleted: 1,
    });
  },
});

Deno.test("sampleProcess returns undefined without /proc", () => {
  using folder = new TemporaryFolder();
  assertEquals(sampleProcess(process.pid, folder.path), undefined);
});
