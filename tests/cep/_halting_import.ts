/** An import in a process of its own that halts at a step. */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { once } from "node:events";
import process from "node:process";
import { seed } from "../../cep/dne/seed.ts";
import { openStoreIn } from "../../cep/store/embedded.ts";
import type { Staging } from "../../cep/store/mod.ts";
import { ReleaseDirectory } from "../../cep/store/release_directory.ts";
import { codeCommand, type Command } from "../program.ts";

/** Where an import can halt, in the order of its steps. */
export const STEPS = [
  "before it begins",
  "after it has begun",
  "after the localities",
  "after the neighbourhoods",
  "after the first entries",
  "after a thousand entries",
  "before it publishes",
  "before the rename",
  "after the rename",
] as const;

/** A step of an import. */
export type Step = typeof STEPS[number];

/** What a halting import is told. */
export interface HaltingImport {
  /** Directory of the database. */
  readonly database: string;
  /** Directory of the DNE text files. */
  readonly raw: string;
  /** Where it halts. */
  readonly step: Step;
  /**
   * Whether files are as on Windows while they are open: no rename replaces the
   * present one.
   */
  readonly likeWindows?: boolean;
}

/** What it prints when it has halted. */
export const HALTED = "halted";

/** The name it gives itself. */
export const HOLDER = "the halting import";

/** The command that runs an import, which halts until its input goes on. */
export function haltingCommand(options: HaltingImport): Command {
  return codeCommand(`
    import { runHalting } from ${JSON.stringify(import.meta.url)};
    await runHalting(${JSON.stringify(options)});
  `);
}

/** Imports, and halts at the step. */
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
  const store = await openStoreIn(directory, { snapshot: false });
  await halt("before it begins");
  await seed({
    directory: options.raw,
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
    present: staging.present,
    async addLocalities(localities) {
      await staging.addLocalities(localities);
      await halt("after the localities");
    },
    async addNeighbourhoods(neighbourhoods) {
      await staging.addNeighbourhoods(neighbourhoods);
      await halt("after the neighbourhoods");
    },
    async addEntries(entries) {
      const before = added;
      added += entries.length;
      await staging.addEntries(entries);
      if (before === 0 && added > 0) await halt("after the first entries");
      if (before < 1000 && added >= 1000) {
        await halt("after a thousand entries");
      }
    },
    addDuplicates: (entries) => staging.addDuplicates(entries),
    async publish(facts, report) {
      await halt("before it publishes");
      await staging.publish(facts, report);
    },
    discard: () => staging.discard(),
  };
}
