/**
 * Surroundings of a measurement: programs, settings, other load.
 */
import { SETTINGS } from "../../cep/settings/config.ts";
import { outputOf } from "../process.ts";

/**
 * Finds the programs that are not installed.
 *
 * @param tools Arguments that print the version, by program.
 * @returns A message, `undefined` if all are installed.
 */
export async function findMissing(
  tools: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const missing: string[] = [];
  for (const [tool, version] of Object.entries(tools)) {
    await outputOf([tool, version]).catch(() => missing.push(tool));
  }
  if (missing.length === 0) return undefined;
  return `Cannot find ${missing.join(" and ")}: apt-get install ` +
    Object.keys(tools).join(" ");
}

/** Prints a warning if other programs keep the machine busy. */
export function warnIfBusy(): void {
  const [load = 0] = Deno.loadavg();
  if (load < 0.5) return;
  console.error(
    `The machine is busy (load ${load.toFixed(2)}), which distorts the ` +
      "figures: a server and wrk need a processor each",
  );
}

/** Removes settings from the environment, which would affect servers. */
export function clearSettings(): void {
  for (const { name, alias = name } of Object.values(SETTINGS)) {
    for (const variable of [name, alias]) Deno.env.delete(variable);
  }
}
