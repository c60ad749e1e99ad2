/** Replica in a separate process that halts at a step of a copy. */
import { once } from "node:events";
import { rename } from "node:fs/promises";
import process from "node:process";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import type { Command } from "../../../scripts/process.ts";
import { codeCommand } from "../../_program.ts";
import { FilePrimary, OpenedReplica } from "./_primary.ts";

/** Options of {@linkcode haltingReplica}. */
export interface HaltingReplica {
  /** Folder of the primary. */
  readonly primary: string;
  /** Folder of the replica. */
  readonly replica: string;
  /** Number of the query before which it halts, or a step of the end. */
  readonly step: number | "before the rename" | "after the rename";
}

/** Line that the process prints after it has halted. */
export const HALTED = "halted";

/** Returns the command of a replica that halts until it reads a line. */
export function haltingReplica(options: HaltingReplica): Command {
  return codeCommand(`
    import { runHalting } from ${JSON.stringify(import.meta.url)};
    await runHalting(${JSON.stringify(options)});
  `);
}

/** Syncs a replica, and halts at a step. */
export async function runHalting(options: HaltingReplica): Promise<void> {
  const halt = async (step: HaltingReplica["step"]): Promise<void> => {
    if (step !== options.step) return;
    console.log(HALTED);
    await once(process.stdin, "data");
    process.stdin.destroy();
  };
  await using primary = await FilePrimary.open(options.primary);
  primary.onQuery = halt;
  const directory = new ReleaseDirectory(options.replica, {
    async rename(from, to) {
      await halt("before the rename");
      await rename(from, to);
      await halt("after the rename");
    },
  });
  await using replica = await OpenedReplica.open(options.replica, primary, {
    directory,
  });
  await replica.store.sync();
}
