/**
 * The load generator.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { run } from "./processes.ts";

/** Requests in flight at any time. */
export const CONNECTIONS = 32;

const SCRIPT = fileURLToPath(new URL("cycle_codes.lua", import.meta.url));

/** What a server is asked. */
export interface Load {
  /** File of the codes, one a line, asked for in turn and over again. */
  readonly codesFile: string;
  /** Duration. */
  readonly seconds: number;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses told by `X-Forwarded-For`, 0 for requests without it. */
  readonly clients?: number;
  /** Number of the only processor to run on. */
  readonly core?: number | undefined;
}

/** What became of a load. */
export interface Outcome {
  /** Requests answered. */
  readonly requests: number;
  /** Requests answered per second. */
  readonly rate: number;
}

/**
 * Loads a server.
 *
 * @throws {Error} If a request failed.
 */
export async function loadServer(
  url: string,
  { codesFile, seconds, headers = {}, clients = 0, core }: Load,
): Promise<Outcome> {
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", SCRIPT];
  for (const [name, value] of Object.entries(headers)) {
    args.push("-H", `${name}: ${value}`);
  }
  args.push(url, "--", codesFile, `${clients}`);
  const report = await run("wrk", { args, core });
  // These lines are there only if there is something to tell.
  const failures = report.match(/^.*(Socket errors|Non-2xx).*$/gm);
  if (failures) throw new Error(`Requests failed:\n${failures.join("\n")}`);
  const requests = Number(report.match(/^ *(\d+) requests in /m)?.[1]);
  const rate = Number(report.match(/^Requests\/sec: +([\d.]+)$/m)?.[1]);
  if (requests > 0 && rate > 0) return { requests, rate };
  throw new Error(`Cannot read the report of wrk:\n${report}`);
}
