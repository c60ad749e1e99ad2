/** Imports of both sources in processes that a signal stops. */
import { assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { SAMPLE, SAMPLE_CNEFE } from "../../_sample.ts";
import { Process } from "../_process.ts";

for (const [signal, exitCode] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
  Deno.test({
    name: `seed leaves no file behind if ${signal} stops it`,
    ignore: process.platform === "win32", // It has no such signals.
    async fn() {
      using folder = new TemporaryFolder();
      const database = join(folder.path, "data");
      await using stopped = Process.main({
        MODE: "seed",
        DB_PATH: database,
        DB_RAW_PATH: SAMPLE,
        CNEFE_PATH: SAMPLE_CNEFE,
      });
      await stopped.logged("Read file of CNEFE");
      stopped.kill(signal);
      const { code } = await stopped.end();
      const names = readdirSync(database).sort();
      if (code === 0) return; // It was faster.
      assertEquals(code, exitCode);
      await stopped.logged("Stopped by a signal");
      assertEquals(names, ["seed.lock"]);
    },
  });
}
