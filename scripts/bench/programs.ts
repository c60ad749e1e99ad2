/**
 * Programs that the benchmarks run: the generator, the service, the sqlite3
 * shell and wrk.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Command,
  endOf,
  kill,
  run,
  type RunOptions,
  start,
} from "../process.ts";
import { ROOT } from "../root.ts";
import { findCores, onCore } from "./cores.ts";
import { runWrk } from "./wrk.ts";

/** Service as `deno task start` runs it. */
const SERVICE = [
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
  /** Arguments of `deno run`; by default, those of the service. */
  readonly args?: readonly string[];
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
  /** Number of addresses in `X-Forwarded-For`, 0 for none. */
  readonly clients?: number;
  /** Number of CEPs in a `POST /ceps`, 0 for `GET /cep/:cep`. */
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

  /** Generates a DNE on the first call. Returns the path of its folder. */
  async generate(rows = this.plan.rows): Promise<string> {
    const path = `${this.folder}/dne-${rows}`;
    if (existsSync(path)) return path;
    console.error(`Generating ${rows.toLocaleString("en")} street rows ...`);
    await this.#generate(rows, path);
    return path;
  }

  /** Generates a later release, or the delta to it. */
  async generateRelease(...options: string[]): Promise<string> {
    const path = [`${this.folder}/dne`, ...options].join("");
    await this.#generate(this.plan.rows, ...options, path);
    return path;
  }

  async #generate(rows: number, ...options: string[]): Promise<void> {
    const script = `${ROOT}scripts/generate_dne.ts`;
    const args = ["--rows", `${rows}`, "--words", `${WORDS}`, ...options];
    await this.run([Deno.execPath(), "run", "-A", script, ...args]);
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
    return (await this.imported(rows, this.databasePath)).file;
  }

  /** Imports a larger DNE on the first call. */
  largeRelease(): Promise<Database> {
    const rows = Math.round(LARGE * this.plan.rows);
    return this.imported(rows, `${this.folder}/large`);
  }

  /** Imports a DNE into a folder on the first call. */
  async imported(
    rows = this.plan.rows,
    path = `${this.folder}/data-${rows}`,
  ): Promise<Database> {
    const file = `${path}/cep.db`;
    if (!existsSync(file)) await this.seed(await this.generate(rows), path);
    return { path, file };
  }

  /** Runs SQL and dot commands on a database. */
  sqlite(file: string, ...commands: string[]): Promise<string> {
    // Ignores ~/.sqliterc.
    return this.run(["sqlite3", "-init", "/dev/null", file, ...commands]);
  }

  /**
   * Starts a server, without a rate limit, and waits for its first response.
   *
   * @throws {Error} If the server ends or takes too long.
   */
  async startServer(
    { path, args = SERVICE, settings, pinned = false }: ServerOptions,
  ): Promise<Server> {
    const { folder, signal } = this;
    signal.throwIfAborted();
    const port = randomPort();
    const url = `http://127.0.0.1:${port}`;
    const command: Command = [Deno.execPath(), "run", ...args];
    const core = pinned ? (await findCores()).server : undefined;
    const child = start(onCore(core, command), {
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
    { seconds = this.plan.seconds, headers = {}, clients = 0, batch = 0 }:
      Load = {},
  ): Promise<{ requests: number; rate: number }> {
    const name = batch > 0 ? "batch_codes.lua" : "cycle_codes.lua";
    const { report, requests } = await runWrk(this, {
      url,
      script: `${ROOT}scripts/bench/${name}`,
      args: ["codes.txt", `${batch || clients}`],
      seconds,
      headers,
    });
    const rate = Number(report.match(/^Requests\/sec: +([\d.]+)$/m)?.[1]);
    if (rate > 0) return { requests, rate };
    throw new Error(`Cannot read the report of wrk:\n${report}`);
  }
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
