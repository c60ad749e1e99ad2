/**
 * Processor time and memory of processes, from `/proc`.
 *
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { readMemory } from "../bench/harness.ts";
import { run } from "../process.ts";

let ticks: Promise<number> | undefined;

/** Clock ticks per second. */
function clockTicks(): Promise<number> {
  return ticks ??= run(["getconf", "CLK_TCK"]).then(Number);
}

/** Reads the seconds of processor time of a process and its children. */
export async function readProcessorTime(pid: number): Promise<number> {
  const perSecond = await clockTicks();
  const times = (await treeOf(pid)).map(async (pid) =>
    parseProcessorTime(await readFile(`/proc/${pid}/stat`, "utf8"), perSecond)
  );
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

/** Returns the processor time in the text of `/proc/<pid>/stat`. */
export function parseProcessorTime(stat: string, perSecond: number): number {
  // The name before the last parenthesis may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [fields[11], fields[12]].map(Number);
  return (user! + system!) / perSecond;
}

/** Reads the resident memory of a process and its children in MB. */
export async function readResident(pid: number): Promise<number> {
  const sizes = (await treeOf(pid)).map((it) => readMemory(it, "VmRSS"));
  return (await Promise.all(sizes)).reduce<number>(
    (sum, size) => sum + (size ?? 0),
    0,
  );
}

/** Lists a process and its children. */
async function treeOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = tasks.map((task) =>
    readFile(`/proc/${pid}/task/${task}/children`, "utf8").catch(() => "")
  );
  const children = (await Promise.all(lists)).join(" ").match(/\d+/g) ?? [];
  const trees = children.map((child) => treeOf(Number(child)));
  return [pid, ...(await Promise.all(trees)).flat()];
}
