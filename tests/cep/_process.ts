/** Service in a separate process. */
import { assertEquals } from "@std/assert";
import { createInterface } from "node:readline";
import {
  type Child,
  type Command,
  type Ended,
  endOf,
  kill,
} from "../../scripts/process.ts";
import {
  cepCommand,
  codeCommand,
  type Environment,
  start,
} from "../_program.ts";
import { within } from "./_within.ts";

/** Line of the log; any other output is a line with only a message. */
export interface LogLine {
  readonly message: string;
  readonly level: string;
  readonly [property: string]: unknown;
}

/** End of a {@linkcode Process}, with its standard error. */
export type ProcessEnded = Ended & { readonly stderr: string };

/** Process whose standard output is a log of JSON lines. */
export class Process implements AsyncDisposable {
  /** Log so far. */
  readonly lines: LogLine[] = [];
  /** Standard error so far. */
  stderr = "";
  readonly ended: Promise<ProcessEnded>;
  readonly #child: Child;
  readonly #awaited: {
    readonly matches: (line: LogLine) => boolean;
    readonly resolve: (line: LogLine) => void;
  }[] = [];

  private constructor(child: Child) {
    this.#child = child;
    createInterface(child.stdout).on("line", (text) => this.#add(text));
    child.stderr.setEncoding("utf8").on("data", (text) => this.stderr += text);
    this.ended = endOf(child)
      .then((ended) => ({ ...ended, stderr: this.stderr }));
  }

  #add(text: string): void {
    const line = parseLine(text);
    this.lines.push(line);
    for (const { matches, resolve } of this.#awaited) {
      if (matches(line)) resolve(line);
    }
  }

  /** Starts a program. */
  static start(command: Command, env?: Environment, cwd?: string): Process {
    return new Process(start(command, env, cwd));
  }

  /** Starts the service of this repository on a free loopback port. */
  static main(env: Environment, ...args: string[]): Process {
    return Process.service(cepCommand(...args), env);
  }

  /** Starts a service on a free loopback port. */
  static service(command: Command, env: Environment): Process {
    return Process.start(command, {
      API_HOST: "127.0.0.1",
      API_PORT: "0",
      ...env,
    });
  }

  /** Starts the code of a module. */
  static script(code: string): Process {
    return Process.start(codeCommand(code));
  }

  /** Waits for the first line with a message. */
  logged(message: string): Promise<LogLine> {
    return this.line(`"${message}"`, (line) => line.message === message);
  }

  /** Waits for the first line that matches. */
  line(name: string, matches: (line: LogLine) => boolean): Promise<LogLine> {
    const found = this.lines.find(matches);
    if (found !== undefined) return Promise.resolve(found);
    const { promise, resolve } = Promise.withResolvers<LogLine>();
    this.#awaited.push({ matches, resolve });
    const missed = this.ended.then(({ stderr }) => {
      const output = JSON.stringify(this.lines) + stderr;
      throw new Error(`Ended without the log line ${name}: ${output}`);
    });
    return within(`the log line ${name}`, Promise.race([promise, missed]));
  }

  /** Waits until the process listens, and returns its port. */
  async port(): Promise<number> {
    return (await this.logged("Listening")).port as number;
  }

  /** Process ID. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a signal. */
  kill(signal: NodeJS.Signals): void {
    kill(this.#child, signal);
  }

  /** Writes a line to the standard input. */
  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Closes this end of the pipes of standard output and error. */
  closeOutput(): void {
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  /** Waits until the process ends by itself. */
  end(): Promise<ProcessEnded> {
    return within("the end of the process", this.ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("SIGKILL");
    this.#child.stdin.destroy();
    await this.ended;
  }
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line);
  } catch {
    return { message: line, level: "" };
  }
}

/** Runs the service of this repository to its end. */
export async function run(
  env: Environment,
  ...args: string[]
): Promise<ProcessEnded & { readonly lines: readonly LogLine[] }> {
  await using process = Process.main(env, ...args);
  return { ...await process.end(), lines: process.lines };
}

/** Imports a DNE in a separate process. */
export async function runSeed(
  databasePath: string,
  rawPath: string,
  env: Environment = {},
): Promise<void> {
  const { code, lines } = await run({
    MODE: "seed",
    DB_PATH: databasePath,
    DB_RAW_PATH: rawPath,
    ...env,
  });
  assertEquals(code, 0, JSON.stringify(lines));
}
