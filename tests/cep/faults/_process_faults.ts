/** Imports in processes that are killed or out of disk space. */
import { assert, assertEquals } from "@std/assert";
import { statSync } from "node:fs";
import process from "node:process";
import { update } from "../../../cep/import/update/update.ts";
import { SAMPLE_DELTA } from "../../_sample.ts";
import { CapturingLogger } from "../_logger.ts";
import type { Mode } from "./_fault_scene.ts";
import { HALTED, haltingCommand, STEPS } from "../_halting_import.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { seedSample } from "../_seeding.ts";
import { OpenedStore } from "../_stores.ts";
import { type Fault, OLD } from "./_fault.ts";

const WINDOWS = process.platform === "win32";

/** SIGKILL at each step, also where no open file can be replaced. */
export const KILLS: readonly Fault[] = [false, true].flatMap((likeWindows) =>
  STEPS
    // The systems differ only around the rename.
    .filter((step) => !likeWindows || step.endsWith("the rename"))
    .map((step): Fault => ({
      step,
      fault: likeWindows ? "SIGKILL, as on Windows" : "SIGKILL",
      outcomes: step === "after the rename" ? ["new data"] : OLD,
      async apply(scene) {
        const { database, raw, mode } = scene;
        const isUpdate = mode === "update";
        const halted = scene.run(
          haltingCommand({
            database,
            raw,
            cnefe: scene.cnefe,
            isUpdate,
            step,
            likeWindows,
          }),
        );
        await halted.logged(HALTED);
        halted.kill("SIGKILL");
        assertEquals((await halted.end()).signal, "SIGKILL");
      },
    }))
);

const sizes = new Map<Mode, number>();

/** Returns the size in bytes of the new release. */
async function sizeOf(mode: Mode): Promise<number> {
  let size = sizes.get(mode);
  if (size === undefined) {
    using folder = new ReleaseFolder();
    await using opened = await OpenedStore.open({ path: folder.path });
    const { store } = opened;
    await seedSample(store);
    const logger = new CapturingLogger();
    const directory = SAMPLE_DELTA;
    if (mode === "update") await update({ store, directory, logger });
    size = statSync(folder.file).size;
    sizes.set(mode, size);
  }
  return size;
}

/** Shares of the release that fit on disk. */
const SHARES = [0, 0.01, 0.5, 0.9, 0.999];

/** Files that cannot grow, as on a full disk. */
export const FULL_DISKS: readonly Fault[] = SHARES.map((share) => ({
  step: `${share * 100} % of the release written`,
  fault: "no disk space",
  outcomes: OLD,
  skip: WINDOWS ? "needs ulimit" : undefined,
  async apply(scene) {
    // Limits the size of files in blocks of 512 bytes: a write fails as on a
    // full disk. Without the trap, SIGXFSZ would end the process.
    const blocks = Math.floor(share * await sizeOf(scene.mode) / 512);
    const shell = `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
    const failing = scene.start({}, ["sh", "-c", shell]);
    const { code } = await failing.end();
    assertEquals(code, 1, JSON.stringify(failing.lines));
    assert(
      String(failing.lines.at(-1)?.["error"])
        .startsWith("Cannot write the database: "),
      JSON.stringify(failing.lines),
    );
  },
}));
