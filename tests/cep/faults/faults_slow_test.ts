/**
 * Faults at every step of an import and of the reading of its release. After
 * each, the old or the new data are answered, whole, by the service that was
 * running and by one that starts; the next import succeeds, and removes what
 * the fault has left. The last test prints the table.
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { FAILING_CALLS, FAILING_WRITES } from "./_call_faults.ts";
import { BOTH, type Fault } from "./_fault.ts";
import { FaultScene } from "./_fault_scene.ts";
import {
  LEFTOVERS,
  SPOILED_INPUTS,
  TORN_LOCKS,
  TORN_RELEASES,
} from "./_file_faults.ts";
import { SMALL_DISKS, SmallDisk } from "./_full_disk.ts";
import { DAMAGED_PAGES } from "./_page_faults.ts";
import { FULL_DISKS, KILLS } from "./_process_faults.ts";

const FAULTS: readonly Fault[] = [
  ...KILLS,
  ...FULL_DISKS,
  ...SMALL_DISKS,
  ...FAILING_WRITES,
  ...FAILING_CALLS,
  ...SPOILED_INPUTS,
  ...TORN_RELEASES,
  ...TORN_LOCKS,
  ...LEFTOVERS,
  ...DAMAGED_PAGES,
];

/** Rows of the table. */
const table: string[] = [];

for (const it of FAULTS) {
  const { step, fault, modes = BOTH, outcomes, skip, apply } = it;
  for (const mode of modes) {
    const add = (outcome: string) => {
      table.push(
        mode.padEnd(8) + step.padEnd(34) + fault.padEnd(34) + outcome,
      );
    };
    const name = `${fault} at ${mode} (${step})`;
    Deno.test({
      name: `${name} leaves ${outcomes.join(" or ")}`,
      ignore: skip !== undefined,
      async fn() {
        await using disk = it.onSmallDisk ? await SmallDisk.mount() : undefined;
        if (it.onSmallDisk && disk === undefined) {
          return add("not tried: mount is not allowed");
        }
        const database = disk && join(disk.path, "data");
        await using scene = await FaultScene.make(mode, database);
        await apply(scene);
        const outcome = await (it.assess?.(scene) ?? scene.assess());
        assert(outcomes.includes(outcome), outcome);
        await scene.importNext(outcome);
        add(outcome);
      },
    });
  }
}

Deno.test("faults: the table has a row for every fault that was tried", () => {
  const tried = FAULTS.flatMap(({ skip, modes = BOTH }) =>
    skip === undefined ? modes : []
  );
  console.log(table.join("\n"));
  assertEquals(table.length, tried.length);
});
