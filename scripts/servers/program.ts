/** Programs that serve until they are stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import process from "node:process";

/** Milliseconds for a server to come up: Keycloak builds itself first. */
const START_TIMEOUT = 180_000;
/** Milliseconds between two looks at one that comes up. */
const POLL_INTERVAL = 200;
/** Milliseconds for a program to stop by itself. */
const GRACE = 5_000;

/** A program and what it is told. */
export interface ProgramOptions {
  /** The program and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Folder to run in. */
  readonly cwd: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that runs until the end of the block. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  #output = "";
  #end: string | undefined;

  /** Starts it. */
  constructor({ command: [program, ...args], cwd, env }: ProgramOptions) {
    this.#child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own: what it starts is stopped with it, and an
      // interrupt on the terminal is for the script alone.
      detached: true,
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", ({ message }) => resolve(message));
      this.#child.once("close", (code, signal) => {
        resolve(signal ?? `status ${code}`);
      });
    });
    this.#ended.then((end) => this.#end = end);
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text) => this.#output += text);
    }
  }

  /**
   * Waits until a URL is answered with success.
   *
   * @throws {Error} With everything that the program printed, if it ends or the
   * time is over first.
   */
  async waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
    const end = Date.now() + START_TIMEOUT;
    for (;;) {
      signal.throwIfAborted();
      // Another program may have taken the port of one that has ended.
      if (this.#end === undefined && await isAnswered(url, signal)) return;
      const state = this.#end ??
        (Date.now() > end ? `no answer from ${url}` : undefined);
      if (state !== undefined) {
        const [program] = this.#child.spawnargs;
        throw new Error(`Cannot start ${program}: ${state}\n${this.#output}`);
      }
      await new Promise((done) => setTimeout(done, POLL_INTERVAL));
    }
  }

  /** Stops it and everything that it started. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    killGroup(pid, "SIGTERM");
    const timer = setTimeout(() => killGroup(pid, "SIGKILL"), GRACE);
    await this.#ended;
    clearTimeout(timer);
    // The program itself may have ended before what it started.
    killGroup(pid, "SIGKILL");
  }
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of it runs any more.
  }
}

async function isAnswered(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** A port of the loopback interface that nothing listens on. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
