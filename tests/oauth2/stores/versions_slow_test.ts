/**
 * Processes that share a folder, overtake one another between any two steps,
 * stop for minutes and crash, in virtual time.
 */
import { assert, assertEquals } from "@std/assert";
import { Versions } from "../../../oauth2/stores/versions.ts";
import { Scheduler } from "../manager/_scheduler.ts";
import { FakeDisk } from "./_fake_disk.ts";

const SEEDS = 1500;
const PROCESSES = 4;
const SWAPS = 8;
/** Text of a value that was deleted. */
const DELETED = "";

/** Swap that returned true, or that a process began before it crashed. */
interface Swap {
  readonly from: string;
  readonly to: string;
}

/** Result of processes that swap texts for new ones or delete them. */
interface Outcome {
  readonly done: readonly Swap[];
  readonly crashed: readonly Swap[];
  readonly last: string;
  readonly paths: readonly string[];
}

/** Replaces a text if it is the expected one. */
async function swap(versions: Versions, { from, to }: Swap): Promise<boolean> {
  let isSwapped = false;
  await versions.update((text = DELETED) => {
    isSwapped = text === from;
    return isSwapped ? to : undefined;
  });
  return isSwapped;
}

async function simulate(seed: number): Promise<Outcome> {
  const scheduler = new Scheduler(seed);
  const { random } = scheduler;
  const clock = () => scheduler.now;
  const disk = new FakeDisk(random, clock);
  const done: Swap[] = [];
  const crashed: Swap[] = [];

  const work = async (process: number) => {
    let begun: Swap | undefined;
    let isAlive = true;
    const step = async () => {
      const chance = random();
      if (isAlive && chance < 0.0005) {
        isAlive = false;
        if (begun) crashed.push(begun);
      }
      if (!isAlive) throw new Error("crashed");
      // Some stop for longer than others wait for them.
      await scheduler.pause(chance < 0.01 ? 200_000 : 10);
    };
    const versions = new Versions("a1", disk.open(step), clock);
    for (let i = 0; i < SWAPS; i++) {
      const replaced = new Set(done.map(({ from }) => from));
      replaced.delete(DELETED);
      const from = await versions.read() ?? DELETED;
      assert(!replaced.has(from), `seed ${seed}: ${from} is back`);
      const to = from && random() < 0.6 ? DELETED : `${process} ${i}`;
      begun = { from, to };
      if (await swap(versions, begun)) done.push(begun);
      begun = undefined;
    }
  };
  const processes = Array.from({ length: PROCESSES }, async (_, process) => {
    await work(process).catch((error) => {
      if (error.message !== "crashed") throw error;
    });
  });
  await scheduler.run(Promise.all(processes));
  await scheduler.run(scheduler.sleep(100_000));
  const left = new Versions("a1", disk.open(() => Promise.resolve()), clock);
  const last = await left.read() ?? DELETED;
  await left.cleanUp();
  return { done, crashed, last, paths: disk.paths };
}

Deno.test("Versions never undoes a swap that returned true", async () => {
  let deletions = 0;
  let crashes = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const { done, crashed, last } = await simulate(seed);
    const replaced = done.flatMap(({ from }) => from || []);
    assertEquals(replaced.length, new Set(replaced).size, `seed ${seed}`);
    // A text is the last, or was replaced: perhaps by a process that crashed.
    const explained = [last, ...[...done, ...crashed].map(({ from }) => from)];
    for (const { to } of done) {
      assert(explained.includes(to), `seed ${seed}: ${to} is lost`);
    }
    // A deleted text is written again once, so no two swaps had the same number.
    const ends = done.filter(({ to }) => to === DELETED).length;
    const starts = done.filter(({ from }) => from === DELETED).length;
    const difference = starts - ends - (last === DELETED ? 0 : 1);
    assert(Math.abs(difference) <= crashed.length, `seed ${seed}`);
    deletions += ends;
    crashes += crashed.length;
  }
  assert(deletions > SEEDS && crashes > SEEDS / 10, `${deletions} ${crashes}`);
});

Deno.test("Versions leaves one file, also after crashes", async () => {
  for (let seed = 0; seed < 100; seed++) {
    const { paths } = await simulate(seed);
    assert(paths.length <= 1, `seed ${seed}: ${paths}`);
  }
});
