/** Processors for servers and loads. */
import { type Command, outputOf } from "../process.ts";

/**
 * Finds a processor for a server and one for wrk, if `taskset` is installed.
 */
export async function findCores(): Promise<
  { server?: number; load?: number; note: string }
> {
  const { stdout } = await outputOf(["taskset", "-cp", `${Deno.pid}`])
    .catch(() => ({ stdout: "" }));
  // pid 1's current affinity list: 0,2-3
  const list = stdout.split(":").at(-1)!.match(/\d+/g) ?? [];
  const [server = NaN, load = NaN] = [list[0], list.at(-1)].map(Number);
  return server < load
    ? { server, load, note: `server on processor ${server}, wrk on ${load}` }
    : { note: "no processors assigned: needs taskset and two processors" };
}

/** Restricts a command to a processor; `taskset` becomes the program. */
export function onCore(core: number | undefined, command: Command): Command {
  if (core === undefined) return command;
  return ["taskset", "-c", `${core}`, ...command];
}
