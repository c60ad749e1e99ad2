/** Circumstances of a measurement. */
import type { Plan } from "../bench/programs.ts";
import { CONNECTIONS } from "../bench/wrk.ts";
import { outputOf } from "../process.ts";
import { nodeBinary } from "../runtimes/node.ts";
import type { Conditions } from "./measurements.ts";
import { round } from "./round.ts";
import { NODE_MAJOR } from "./ways.ts";

/** Reads the circumstances of this run. */
export async function readConditions(
  { rows, seconds, pairs: turns }: Plan,
  codes: number,
): Promise<Conditions> {
  const node = await nodeBinary(NODE_MAJOR);
  return {
    day: new Date().toISOString().slice(0, 10),
    cores: navigator.hardwareConcurrency,
    load: round(Deno.loadavg()[0] ?? 0),
    system: `${Deno.build.os} ${Deno.build.arch}`,
    versions: {
      deno: Deno.version.deno,
      node: await versionOf(node, "--version"),
      nginx: await versionOf("nginx", "-v"),
      wrk: await versionOf("wrk", "--version"),
    },
    rows,
    codes,
    seconds,
    turns,
    connections: CONNECTIONS,
  };
}

/** Reads the first number with a point in what a program says of itself. */
async function versionOf(program: string, option: string): Promise<string> {
  const { stdout, stderr } = await outputOf([program, option]);
  return /\d+\.\d[\w.]*/.exec(stdout + stderr)?.[0] ?? "unknown";
}
