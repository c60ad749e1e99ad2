import { stripVTControlCharacters } from "node:util";
import { run } from "../command.ts";

/** Something that a server needs and this machine lacks. */
export class Missing extends Error {
  override name = "Missing";
}

/** A program that a server needs. */
export interface Need {
  /** Its command. */
  readonly program: string;
  /** The oldest version that will do. */
  readonly version: string;
  /** Package to install it by. */
  readonly install: string;
}

/**
 * Looks for a program by its `--version`.
 *
 * @throws {Missing} If it cannot be run or is too old.
 */
export async function requireProgram(
  { program, version, install }: Need,
  signal: AbortSignal,
): Promise<void> {
  const found = await run(program, ["--version"], { signal })
    .then(readVersion, () => signal.throwIfAborted());
  if (found !== undefined && isAtLeast(found, version)) return;
  const state = found === undefined ? "is missing" : `is version ${found}`;
  throw new Missing(
    `"${program}" ${state}: install ${install}, version ${version} or newer`,
  );
}

/** The first version in a text, such as "Apache Maven 3.8.7 (…)" in colours. */
export function readVersion(text: string): string | undefined {
  return /\d+(\.\d+)*/.exec(stripVTControlCharacters(text))?.[0];
}

function isAtLeast(found: string, least: string): boolean {
  const [wanted, numbers] = [least, found]
    .map((version) => version.split(".").map(Number)) as [number[], number[]];
  const at = wanted.findIndex((number, i) => number !== (numbers[i] ?? 0));
  return at < 0 || (numbers[at] ?? 0) > wanted[at]!;
}
