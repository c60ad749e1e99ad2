import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../root.ts";

/** The command line, read. */
export interface Arguments {
  /** The servers to run the cases on. */
  readonly names: readonly string[];
  /** Absolute path of the folder for downloads. */
  readonly cache: string;
  /** Fail if a server cannot be run on this machine. */
  readonly require: boolean;
  /** Put the table into the README. */
  readonly write: boolean;
  /** Print the usage, and nothing else. */
  readonly help: boolean;
}

/** The text for `--help`. */
export function usageOf(known: readonly string[]): string {
  return `Usage: servers.ts [OPTION]... [SERVER]...

Runs one list of cases on the authorization servers named, or on all of them:
${known.join(", ")}. Each is started on loopback, and stopped at the end.

  --cache FOLDER  keep downloads there; by default in "downloads" in the
                  repository, which git ignores
  --require       fail if a server cannot be run on this machine
  --write         put the table of all servers into oauth2/README.md
  --help          print this

It needs Linux or macOS; for mock and keycloak Java 17 and, the first time,
Maven; for django Python 3.10, the first time with venv and pip.`;
}

/**
 * Reads the command line.
 *
 * @throws {TypeError} If it is not as the usage says.
 */
export function readArguments(
  args: readonly string[],
  known: readonly string[],
): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      cache: { type: "string", default: join(ROOT, "downloads") },
      require: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot run "${unknown}": the server must be one of ${known.join(", ")}`,
    );
  }
  if (values.write && positionals.length > 0) {
    throw new TypeError("Cannot write the table: --write needs all servers");
  }
  return {
    ...values,
    cache: resolve(values.cache),
    names: positionals.length > 0 ? [...new Set(positionals)] : known,
  };
}
