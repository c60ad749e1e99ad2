import { CensusError } from "./cnefe/census_error.ts";
import { SeedError } from "./dne/seed_error.ts";
import { DirectoryError } from "./files/directory_error.ts";
import { InputsError } from "./inputs_error.ts";

const REFUSALS = [SeedError, DirectoryError, CensusError, InputsError];

/** Failed call of the operating system. Threads can send it to each other. */
export interface SystemFailure {
  readonly syscall: string;
}

/**
 * Returns true if an import was refused because of the content of its files: the
 * same files would be refused again. A path that does not exist, a disk that
 * cannot be read or a thread that has ended is a failure instead.
 */
export function isRefusal(error: unknown): boolean {
  if (!REFUSALS.some((it) => error instanceof it)) return false;
  const parts = error instanceof InputsError ? error.errors : [error];
  return parts.every((it) => failureBehind(it) === undefined);
}

/** Finds the failed call of the operating system behind an error. */
export function failureBehind(error: unknown): SystemFailure | undefined {
  let cause = error;
  while (typeof cause === "object" && cause !== null) {
    if ("syscall" in cause) return { syscall: `${cause.syscall}` };
    // Deno, without a permission.
    const { name } = cause as Partial<Error>;
    if (name === "NotCapable") return { syscall: name };
    cause = (cause as Partial<Error>).cause;
  }
  return undefined;
}
