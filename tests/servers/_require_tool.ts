import { stripVTControlCharacters } from "node:util";
import { run } from "../../scripts/process.ts";

/**
 * Fails unless a program of at least some version is installed.
 *
 * @throws {Error} With the package to install.
 */
export async function requireTool(
  program: string,
  version: string,
  install: string,
): Promise<void> {
  const text = await run([program, "--version"]).catch(() => "");
  const [found] = /\d+(\.\d+)*/.exec(stripVTControlCharacters(text)) ?? [];
  if (found?.localeCompare(version, "en", { numeric: true })! >= 0) return;
  const state = found === undefined ? "it is missing" : `it is ${found}`;
  throw new Error(
    `Cannot use "${program}": ${state}; install ${install} ${version} or newer`,
  );
}
