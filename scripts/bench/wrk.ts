/** Load by wrk. */
import type { Command, RunOptions } from "../process.ts";
import { findCores, onCore } from "./cores.ts";

/** Number of requests that wrk keeps in flight by default. */
export const CONNECTIONS = 32;

/** Runner of programs, with the default duration of a load. */
export interface Runner {
  readonly plan: { readonly seconds: number };
  run(command: Command, options?: RunOptions): Promise<string>;
}

/** Options of {@linkcode runWrk}. */
export interface WrkOptions {
  /** URL of the server. */
  readonly url: string;
  /** Path of the Lua script. */
  readonly script: string;
  /**
   * Arguments of the script.
   *
   * @default {[]}
   */
  readonly args?: readonly string[];
  /** @default {CONNECTIONS} */
  readonly connections?: number;
  /** @default {1} */
  readonly threads?: number;
  /** Duration; by default, that of the plan. */
  readonly seconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Environment variables of the script. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Runs wrk on a processor that a pinned server does not use.
   *
   * @default {true}
   */
  readonly pinned?: boolean;
}

/**
 * Loads a server by wrk.
 *
 * @returns Report of wrk and of its script, and the number of requests.
 * @throws {Error} If a request fails.
 */
export async function runWrk(
  runner: Runner,
  options: WrkOptions,
): Promise<{ report: string; requests: number }> {
  const {
    url,
    script,
    args = [],
    connections = CONNECTIONS,
    threads = 1,
    seconds = runner.plan.seconds,
    headers = {},
    env = {},
    pinned = true,
  } = options;
  const command = ["wrk", `-t${threads}`, `-c${connections}`] as const;
  const rest = [`-d${seconds}s`, "-s", script];
  for (const [name, value] of Object.entries(headers)) {
    rest.push("-H", `${name}: ${value}`);
  }
  rest.push(url, "--", ...args);
  const core = pinned ? (await findCores()).load : undefined;
  const report = await runner.run(onCore(core, [...command, ...rest]), { env });
  // wrk writes these lines only after a failure.
  const failures = report.match(/^.*(Socket errors|Non-2xx).*$/gm);
  if (failures) throw new Error(`Requests failed:\n${failures.join("\n")}`);
  const requests = Number(report.match(/^ *(\d+) requests in /m)?.[1]);
  if (requests > 0) return { report, requests };
  throw new Error(`Cannot read the report of wrk:\n${report}`);
}
