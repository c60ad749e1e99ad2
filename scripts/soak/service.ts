import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import {
  type Child,
  type Command,
  describeEnd,
  endOf,
  kill,
  run,
  start,
} from "../process.ts";
import { ROOT } from "../root.ts";
import type { SoakImport } from "./releases.ts";

/**
 * Returns the command line of the service, with the permissions of
 * `deno task start`, or of an import, which also writes.
 */
function serviceCommand(isImport: boolean): Command {
  const { tasks } = JSON.parse(readFileSync(`${ROOT}deno.json`, "utf8"));
  const words: string[] = tasks.start.command.split(" ");
  const options = words.filter((word) => word.startsWith("--"));
  if (isImport) options.push("--allow-write");
  return [Deno.execPath(), "run", ...options, `${ROOT}cep/main.ts`];
}

/** Seconds of a shutdown. */
const SHUTDOWN_SECONDS = 10;

/** Process of the service. */
export class Service implements AsyncDisposable {
  /** Lines of the log above the level of information. */
  readonly problems: string[] = [];
  readonly #child: Child;
  readonly #ended: ReturnType<typeof endOf>;
  #isStopped = false;
  readonly #databasePath: string;

  private constructor(child: Child, databasePath: string) {
    this.#child = child;
    this.#ended = endOf(child);
    this.#databasePath = databasePath;
  }

  /** Imports the first release, starts the service and waits for its port. */
  static async start(
    databasePath: string,
    first: SoakImport,
  ): Promise<{ service: Service; url: string }> {
    await importInto(databasePath, first);
    const child = start(serviceCommand(false), {
      env: {
        ...settings(databasePath),
        MODE: "listen",
        API_HOST: "127.0.0.1",
        API_PORT: "0",
        API_RATE_LIMIT_ENABLE: "false",
        API_SHUTDOWN_SECONDS: `${SHUTDOWN_SECONDS}`,
        LOG_LEVEL: "info",
      },
    });
    const service = new Service(child, databasePath);
    return { service, url: `http://127.0.0.1:${await service.#readLog()}` };
  }

  /** Process ID. */
  get pid(): number {
    return this.#child.pid!;
  }

  /** True until the process ends. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Collects the problems of the log. Resolves with the port. */
  #readLog(): Promise<number> {
    const port = Promise.withResolvers<number>();
    this.#child.stderr.setEncoding("utf8").on(
      "data",
      (text) => this.problems.push(`standard error: ${text}`),
    );
    createInterface(this.#child.stdout).on("line", (line) => {
      const entry = parseEntry(line);
      if (entry["message"] === "Listening") port.resolve(Number(entry["port"]));
      if (entry["level"] !== "INFO") this.problems.push(line);
    });
    this.#ended.then((end) => {
      const reason = describeEnd(end);
      port.reject(new Error(`Cannot start the service: ${reason}`));
      if (!this.#isStopped) {
        this.problems.push(`the service has ended: ${reason}`);
      }
    });
    return port.promise;
  }

  /** Imports a release into the database of the service. */
  async import(step: SoakImport): Promise<void> {
    await importInto(this.#databasePath, step);
  }

  /** Ends the service. Returns its exit code, `null` if it had to be killed. */
  async stop(): Promise<number | null> {
    this.#isStopped = true;
    kill(this.#child, "SIGTERM");
    const timer = setTimeout(
      () => kill(this.#child, "SIGKILL"),
      (SHUTDOWN_SECONDS + 10) * 1000,
    );
    const { code } = await this.#ended;
    clearTimeout(timer);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    kill(this.#child, "SIGKILL");
    await this.#ended;
  }
}

function settings(databasePath: string): Record<string, string> {
  return { DB_PATH: databasePath, LOG_FORMAT: "json" };
}

async function importInto(
  databasePath: string,
  { mode, raw }: SoakImport,
): Promise<void> {
  await run(serviceCommand(true), {
    env: {
      ...settings(databasePath),
      MODE: mode,
      DB_RAW_PATH: raw,
      LOG_LEVEL: "error",
    },
  });
}

function parseEntry(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** Memory and handles at one point in time. */
export interface Sample {
  /** Resident memory in MB (a million bytes). */
  readonly memory: number;
  /** Open file descriptors. */
  readonly descriptors: number;
  /** Sockets among them. */
  readonly sockets: number;
  /** Deleted files among them, such as replaced releases. */
  readonly deleted: number;
}

/**
 * Reads the figures of a process from `/proc`.
 *
 * @returns `undefined` on other systems than Linux.
 */
export function sampleProcess(
  pid: number,
  proc = "/proc",
): Sample | undefined {
  let names: string[];
  let status: string;
  try {
    names = readdirSync(`${proc}/${pid}/fd`);
    status = readFileSync(`${proc}/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
  const links = names.map((name) => linkOf(`${proc}/${pid}/fd/${name}`));
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return {
    memory: Number(kibibytes) * 1024 / 1e6,
    descriptors: links.length,
    sockets: links.filter((link) => link.startsWith("socket:")).length,
    deleted: links.filter((link) => link.endsWith(" (deleted)")).length,
  };
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // Closed in the meantime.
  }
}
