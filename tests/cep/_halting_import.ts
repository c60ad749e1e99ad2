/** Import in a separate process that halts at a step. */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { once } from "node:events";
import process from "node:process";
import { seed } from "../../cep/import/seed.ts";
import { update } from "../../cep/import/update/update.ts";
import { openStoreIn } from "../../cep/store/file_store.ts";
import type { Staging } from "../../cep/store/mod.ts";
import { ReleaseDirectory } from "../../cep/store/release_directory.ts";
import type { Command } from "../../scripts/process.ts";
import { codeCommand } from "../_program.ts";

/** Steps at which an import can halt, in order. */
export const STEPS = [
  "before it begins",
  "after it has begun",
  "after a thousand entries",
  "before it publishes",
  "before the rename",
  "after the rename",
] as const;

/** Step of an import. */
export type Step = typeof STEPS[number];

/** Options of {@linkcode haltingCommand}. */
export interface HaltingImport {
  /** Folder of the database. */
  readonly database: string;
  /** Folder of the DNE text files, or of a delta. */
  readonly raw: string;
  /** Files of a CNEFE to import, too. */
  readonly cnefe?: string | undefined;
  /**
   * True to apply a delta instead of an import.
   *
   * @default {false}
   */
  readonly isUpdate?: boolean;
  /** Step at which it halts. */
  readonly step: Step;
  /**
   * True if a rename cannot replace the current release, as on Windows while it
   * is open.
   */
  readonly likeWindows?: boolean;
}

/** Line that the process prints after it has halted. */
export const HALTED = "halted";

/** Name of the import. */
export const HOLDER = "the halting import";

/** Returns the command of an import that halts until it reads a line. */
export function haltingCommand(options: HaltingImport): Command {
  return codeCommand(`
    import { runHalting } from ${JSON.stringify(import.meta.url)};
    await runHalting(${JSON.stringify(options)});
  `);
}

/** Imports a DNE, and halts at a step. */
export async function runHalting(options: HaltingImport): Promise<void> {
  const halt = async (step: Step): Promise<void> => {
    if (step !== options.step) return;
    console.log(HALTED);
    await once(process.stdin, "data");
    process.stdin.destroy();
  };
  const directory = new ReleaseDirectory(options.database, {
    rename: async (from, to) => {
      if (options.likeWindows && existsSync(to)) {
        throw Object.assign(new Error("EPERM: rename"), { code: "EPERM" });
      }
      await halt("before the rename");
      await rename(from, to);
      await halt("after the rename");
    },
  });
  const store = await openStoreIn(directory, {
    snapshot: false,
    writesInThread: true,
  });
  await halt("before it begins");
  const { isUpdate, raw, cnefe = [] } = options;
  const run = isUpdate ? update : seed;
  await run({
    ...isUpdate ? {} : { cnefe },
    directory: raw,
    holder: HOLDER,
    store: {
      stage: async (holder) => haltingStaging(await store.stage(holder), halt),
    },
  });
  await store.close();
}

async function haltingStaging(
  staging: Staging,
  halt: (step: Step) => Promise<void>,
): Promise<Staging> {
  await halt("after it has begun");
  let added = 0;
  return {
    presentState: staging.presentState,
    present: staging.present,
    rows: staging.rows,
    addLocalities: (localities) => staging.addLocalities(localities),
    addNeighbourhoods: (neighbourhoods) =>
      staging.addNeighbourhoods(neighbourhoods),
    addDetails: (table, rows) => staging.addDetails(table, rows),
    async addEntries(entries) {
      const before = added;
      added += entries.length;
      await staging.addEntries(entries);
      if (before < 1000 && added >= 1000) {
        await halt("after a thousand entries");
      }
    },
    addCensus: (rows) => staging.addCensus(rows),
    addDuplicates: (entries) => staging.addDuplicates(entries),
    addMoves: (moves) => staging.addMoves(moves),
    async publish(facts, report) {
      await halt("before it publishes");
      await staging.publish(facts, report);
    },
    discard: () => staging.discard(),
  };
}
