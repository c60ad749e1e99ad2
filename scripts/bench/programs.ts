import { openStore } from "@carteiro/cep/store";
import { existsSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Command,
  endOf,
  kill,
  outputOf,
  run,
  type RunOptions,
  start,
} from "../process.ts";
import { ROOT } from "../root.ts";
import type { Address } from "../../cep/record/address.ts";
import { Random } from "../generate_dne/random.ts";

/** Number of requests that wrk keeps in flight. */
export const CONNECTIONS = 32;

/** Service as `deno task start` runs it. */
const SERVICE: Command = [
  Deno.execPath(),
  "run",
  "--v8-flags=--max-semi-space-size=1",
  "-A",
  `${ROOT}cep/main.ts`,
];

/** Rows of a larger DNE, as a multiple of the rows of the plan. */
export const LARGE = 1.5;

/** Invented words, for as many names of streets as in a real DNE. */
const WORDS = 60_000;

/** Database on disk. */
export interface Database {
  /** Folder. */
  readonly path: string;
  /** Its release file. */
  readonly file: string;
}

/** Milliseconds in which a server must answer for the first time. */
const START_MS = 30_000;

/** Extent of the measurements. */
export interface Plan {
  /** Street rows of the generated DNE. */
  readonly rows: number;
  /** Number of turns. */
  readonly pairs: number;
  /** Duration of each run of wrk. */
  readonly seconds: number;
}

/** Running server, stopped at the end of the block. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Options of {@linkcode Programs.startServer}. */
export interface ServerOptions {
  /** Path to request until the status is 200. */
  readonly path: string;
  /** Program and arguments; by default, those of the service. */
  readonly command?: Command;
  /** Additional environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs the server on a processor that wrk does not use. */
  readonly pinned?: boolean;
}

/** Options of {@linkcode Programs.seed}. */
export interface SeedOptions extends RunOptions {
  /** Scripts to run first. */
  readonly preload?: readonly string[];
}

/** Load on a server. */
export interface Load {
  /** Duration; by default, that of the plan. */
  readonly seconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Number of CEPs in a `POST /ceps`, 1 for `GET /cep/:cep`. */
  readonly batch?: number;
}

/** Programs in a folder, ended by one signal. */
export class Programs {
  /** Folder of the database that servers use. */
  readonly databasePath: string;

  constructor(
    readonly plan: Plan,
    readonly folder: string,
    readonly signal: AbortSignal,
  ) {
    this.databasePath = `${folder}/data`;
  }

  /** Runs a program to its end. */
  run(command: Command, options?: RunOptions): Promise<string> {
    const { folder, signal } = this;
    return run(command, { cwd: folder, signal, ...options });
  }

  /**
   * Generates a DNE, or with options a later release of it or the delta to it,
   * on the first call. Returns the path of its folder.
   */
  async generate(
    rows = this.plan.rows,
    ...options: readonly string[]
  ): Promise<string> {
    const path = [`${this.folder}/dne-${rows}`, ...options].join("");
    if (existsSync(path)) return path;
    console.error(`Generating ${rows.toLocaleString("en")} street rows ...`);
    const script = `${ROOT}scripts/generate_dne.ts`;
    const args = ["--rows", `${rows}`, "--words", `${WORDS}`, ...options, path];
    await this.run([Deno.execPath(), "run", "-A", script, ...args]);
    return path;
  }

  /** Imports a DNE, or does as the `MODE` among the options says. */
  async seed(
    rawPath: string,
    databasePath: string,
    { preload = [], ...options }: SeedOptions = {},
  ): Promise<void> {
    const settings = { MODE: "seed", DB_RAW_PATH: rawPath, LOG_LEVEL: "error" };
    const args = preload.map((script) => `--preload=${ROOT}${script}`);
    const program = [...args, "-A", `${ROOT}cep/main.ts`];
    await this.run([Deno.execPath(), "run", ...program], {
      ...options,
      env: { ...settings, DB_PATH: databasePath, ...options.env },
    });
  }

  /** Imports on the first call. Returns the path of the release file. */
  async release(): Promise<string> {
    const { rows } = this.plan;
    return (await this.#imported(rows, this.databasePath)).file;
  }

  /** Imports a larger DNE on the first call. */
  largeRelease(): Promise<Database> {
    const rows = Math.round(LARGE * this.plan.rows);
    return this.#imported(rows, `${this.folder}/large`);
  }

  async #imported(rows: number, path: string): Promise<Database> {
    const file = `${path}/cep.db`;
    if (!existsSync(file)) await this.seed(await this.generate(rows), path);
    return { path, file };
  }

  /** Runs SQL and dot commands on a database. */
  sqlite(file: string, ...commands: string[]): Promise<string> {
    // Ignores ~/.sqliterc.
    return this.run(["sqlite3", "-init", "/dev/null", file, ...commands]);
  }

  /** Counts the CEPs of a release. */
  async countCodes(file: string): Promise<number> {
    return Number(await this.sqlite(file, "SELECT count(*) FROM cep"));
  }

  /** Draws records with a street from a database, in random order. */
  async drawRecords({ path }: Database, count: number): Promise<Address[]> {
    const store = await openStore({ path, search: false });
    try {
      const records = (await Array.fromAsync(store.scan())).flat()
        .filter(({ tipo_origem }) => tipo_origem === "logradouro");
      return new Random(count, "bench").shuffle(records, records.length)
        .slice(0, count);
    } finally {
      await store.close();
    }
  }

  /** Writes random CEPs for a load, or all. Returns one of them. */
  async drawCodes(count = -1): Promise<string> {
    const query = `SELECT printf('%08d', cep) FROM cep ORDER BY random()
      LIMIT ${count}`;
    const codes = await this.sqlite(await this.release(), query);
    await Deno.writeTextFile(`${this.folder}/codes.txt`, codes);
    return codes.slice(0, 8);
  }

  /**
   * Starts a server, without a rate limit, and waits for its first response.
   *
   * @throws {Error} If the server ends or takes too long.
   */
  async startServer(
    { path, command = SERVICE, settings, pinned = false }: ServerOptions,
  ): Promise<Server> {
    const { folder, signal } = this;
    signal.throwIfAborted();
    const port = randomPort();
    const url = `http://127.0.0.1:${port}`;
    const child = start(await onCore(pinned ? "server" : undefined, command), {
      cwd: folder,
      env: {
        MODE: "listen",
        API_HOST: "127.0.0.1",
        API_PORT: `${port}`,
        API_RATE_LIMIT_ENABLE: "false",
        DB_PATH: this.databasePath,
        LOG_LEVEL: "error",
        ...settings,
      },
    });
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (chunk) => process.stderr.write(chunk));
    }
    const ended = endOf(child);
    const stop = async () => {
      kill(child, "SIGTERM");
      await ended;
    };
    const deadline = performance.now() + START_MS;
    try {
      while (!await isAnswered(url + path)) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (hasEnded || performance.now() > deadline) {
          const state = hasEnded ? "the server has ended" : "it takes too long";
          throw new Error(`Cannot get ${url}${path}: ${state}`);
        }
        await delay(5, undefined, { signal });
      }
    } catch (error) {
      await stop();
      throw error;
    }
    return { url, pid: child.pid!, [Symbol.asyncDispose]: stop };
  }

  /**
   * Loads a server by wrk with the CEPs in `codes.txt`, in a cycle.
   *
   * @returns Number of requests, and their rate per second.
   * @throws {Error} If a request fails.
   */
  async loadServer(
    { url }: Server,
    { seconds = this.plan.seconds, headers = {}, batch = 1 }: Load = {},
  ): Promise<{ requests: number; rate: number }> {
    const script = `${ROOT}scripts/bench/codes.lua`;
    const report = await this.run(
      await onCore("load", [
        "wrk",
        ...["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", script],
        ...Object.entries(headers).flatMap(([name, value]) => [
          "-H",
          `${name}: ${value}`,
        ]),
        ...[url, "--", "codes.txt", `${batch}`],
      ]),
    );
    // wrk writes these lines only after a failure.
    const failures = report.match(/^.*(Socket errors|Non-2xx).*$/gm);
    if (failures) throw new Error(`Requests failed:\n${failures.join("\n")}`);
    const requests = Number(report.match(/^ *(\d+) requests in /m)?.[1]);
    const rate = Number(report.match(/^Requests\/sec: +([\d.]+)$/m)?.[1]);
    if (requests > 0 && rate > 0) return { requests, rate };
    throw new Error(`Cannot read the report of wrk:\n${report}`);
  }
}

/**
 * Restricts a command to the processor for servers or to that for loads, if
 * `taskset` is installed and there are two; `taskset` becomes the program.
 */
async function onCore(
  side: "server" | "load" | undefined,
  command: Command,
): Promise<Command> {
  const { stdout } = await outputOf(["taskset", "-cp", `${Deno.pid}`])
    .catch(() => ({ stdout: "" }));
  // pid 1's current affinity list: 0,2-3
  const list = stdout.split(":").at(-1)!.match(/\d+/g) ?? [];
  if (side === undefined || list.length < 2) return command;
  const core = side === "server" ? list[0] : list.at(-1);
  return ["taskset", "-c", core!, ...command];
}

/**
 * Finds the programs that the benchmarks need and that are not installed.
 *
 * @returns A message, `undefined` if all are installed.
 */
export async function findMissing(): Promise<string | undefined> {
  const missing: string[] = [];
  for (const tool of ["wrk", "sqlite3"]) {
    await outputOf([tool, "--version"]).catch(() => missing.push(tool));
  }
  return missing.length === 0
    ? undefined
    : `Cannot find ${missing.join(" and ")}: apt-get install wrk sqlite3`;
}

/** Draws a port below those that the system assigns to outgoing connections. */
function randomPort(): number {
  return 10_000 + Math.floor(Math.random() * 20_000);
}

async function isAnswered(url: string): Promise<boolean> {
  // The server does not listen yet.
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}
