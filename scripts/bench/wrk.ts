/**
 * The load generator.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { run } from "./processes.ts";

/** Requests that are on their way at any time. */
export const CONNECTIONS = 32;

const SCRIPT = fileURLToPath(new URL("cycle_codes.lua", import.meta.url));

/**
 * Asks a server for the codes in a file, one after another and over again.
 *
 * @returns The requests answered per second.
 * @throws {Error} If any of them failed.
 */
export async function loadWithCodes(
  url: string,
  codesFile: string,
  seconds: number,
): Promise<number> {
  const load = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`];
  const args = [...load, "-s", SCRIPT, url, "--", codesFile];
  const report = await run("wrk", { args });
  // These lines are there only if there is something to tell.
  const failures = report.match(/^.*(Socket errors|Non-2xx).*$/gm);
  if (failures) throw new Error(`Requests failed:\n${failures.join("\n")}`);
  const rate = Number(report.match(/^Requests\/sec: +([\d.]+)$/m)?.[1]);
  if (rate > 0) return rate;
  throw new Error(`Cannot read what wrk reports:\n${report}`);
}
