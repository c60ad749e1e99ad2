/**
 * Service under test: a process, and the imports into its database.
 */
import { readFileSync } from "node:fs";
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
import type { Target } from "./http_client.ts";
import type { SoakImport } from "./releases.ts";

/**
 * Returns the command line of the service, with the permissions of
 * `deno task start`.
 */
export function serviceCommand(): Command {
  const { tasks } = JSON.parse(readFileSync(`${ROOT}deno.json`, "utf8"));
  const words: string[] = tasks.start.command.split(" ");
  const options = words.filter((word) => word.startsWith("--"));
  return [Deno.execPath(), "run", ...options, `${ROOT}cep/main.ts`];
}

/** Returns the command line of an import, which also writes. */
function importCommand([program, ...args]: Command): Command {
  const isRead = (it: string) => it === "--allow-read";
  return [
    program,
    ...args.flatMap((it) => isRead(it) ? [it, "--allow-write"] : [it]),
  ];
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
  #command: Command;
  #databasePath: string;

  private constructor(child: Child, command: Command, databasePath: string) {
    this.#child = child;
    this.#ended = endOf(child);
    this.#command = command;
    this.#databasePath = databasePath;
  }

  /** Imports the first release, starts the service and waits for its port. */
  static async start(
    command: Command,
    databasePath: string,
    first: SoakImport,
  ): Promise<{ service: Service; target: Target }> {
    await importInto(command, databasePath, first);
    const child = start(command, {
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
    const service = new Service(child, command, databasePath);
    const port = await service.#readLog();
    return { service, target: { host: "127.0.0.1", port } };
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
    await importInto(this.#command, this.#databasePath, step);
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
  command: Command,
  databasePath: string,
  { mode, raw }: SoakImport,
): Promise<void> {
  await run(importCommand(command), {
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
