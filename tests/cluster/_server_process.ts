/** Server of a third party in a process of its own. */
import { setTimeout as delay } from "node:timers/promises";
import {
  type Child,
  type Command,
  describeEnd,
  type Ended,
  endOf,
  kill,
  start,
} from "../../scripts/process.ts";

/** Milliseconds until a server must be ready, or must have ended. */
const PATIENCE_MS = 60_000;
/** Milliseconds between two requests to a server that is not ready. */
const POLL_INTERVAL_MS = 25;

/**
 * Shell script that runs a command in its own process group, which is killed
 * when standard input closes: also if this process dies.
 */
const GUARD = `exec 3<&0
( cat <&3; kill -KILL 0 ) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

/** Options of {@linkcode ServerProcess}. */
export interface ServerProcessOptions {
  readonly command: Command;
  /** Folder to run in. */
  readonly folder: string;
  /** Resolves to true when the server answers. */
  readonly isReady: () => Promise<boolean>;
}

/** Server that can be killed and started again with the same command. */
export class ServerProcess implements AsyncDisposable {
  readonly #options: ServerProcessOptions;
  #running: { readonly child: Child; readonly end: Promise<Ended> } | undefined;
  #output = "";

  constructor(options: ServerProcessOptions) {
    this.#options = options;
  }

  /** Output so far, of all its processes. */
  get output(): string {
    return this.#output;
  }

  /**
   * Starts the server, and waits until it is ready.
   *
   * @throws {Error} If it ends or takes too long, with its output.
   */
  async start(): Promise<void> {
    const { command, folder, isReady } = this.#options;
    if (this.#running) throw new Error(`Cannot start ${command[0]}: it runs`);
    const child = start(["sh", "-c", GUARD, "sh", ...command], {
      cwd: folder,
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => this.#output += text);
    }
    const end = endOf(child);
    this.#running = { child, end };
    let ended: Ended | undefined;
    end.then((it) => ended = it);
    const deadline = Date.now() + PATIENCE_MS;
    // After its end, another program may use its port.
    while (ended || !await isReady()) {
      if (ended || Date.now() > deadline) {
        const state = ended ? describeEnd(ended) : "it does not answer";
        await this.kill();
        throw new Error(
          `Cannot start ${command[0]}: ${state}\n${this.#output}`,
        );
      }
      await delay(POLL_INTERVAL_MS);
    }
  }

  /** Sends a signal to the running process. */
  signal(signal: NodeJS.Signals): void {
    if (this.#running) kill(this.#running.child, signal);
  }

  /** Stops the server with SIGTERM, and waits for its end. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** Kills the server with SIGKILL, and waits for its end. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    kill(running.child, signal);
    const timer = setTimeout(() => running.child.stdin.end(), PATIENCE_MS);
    await running.end;
    clearTimeout(timer);
    // Ends the guard.
    running.child.stdin.end();
    this.#running = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
