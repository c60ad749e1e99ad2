/** Real Redis or Valkey servers on loopback. */
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { type Command, outputOf } from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { findPort } from "../servers/_serve.ts";
import { ServerProcess } from "./_server_process.ts";

/** Names of the program in packages of distributions. */
const PROGRAMS = ["valkey-server", "redis-server"];

/** Attempts with another port, which another program may take in between. */
const ATTEMPTS = 3;

let found: Promise<string> | undefined;

/**
 * Returns the server's program: `REDIS_PATH`, otherwise the first that is
 * installed.
 *
 * @throws {Error} If none is installed, with the packages.
 */
export function findRedis(): Promise<string> {
  return found ??= (async () => {
    const path = process.env["REDIS_PATH"];
    for (const program of path ? [path] : PROGRAMS) {
      const output = await outputOf([program, "--version"]).catch(() => {});
      if (output?.code === 0) return program;
    }
    throw new Error(
      "Cannot run Redis: install valkey-server or redis-server, " +
        "or set REDIS_PATH",
    );
  })();
}

/** Options of {@linkcode Redis.start}. */
export interface RedisOptions {
  /** Password to demand. */
  readonly password?: string;
  /** More arguments, e.g. `--maxmemory 1mb`. */
  readonly args?: readonly string[];
}

/** Running Redis or Valkey that keeps nothing on disk. */
export class Redis implements AsyncDisposable {
  readonly #process: ServerProcess;
  readonly #folder = new TemporaryFolder("redis");
  readonly #password: string | undefined;
  readonly port: number = findPort();

  private constructor(program: string, { password, args = [] }: RedisOptions) {
    this.#password = password;
    const command: Command = [
      program,
      "--bind",
      "127.0.0.1",
      "--port",
      `${this.port}`,
      "--save",
      "",
      ...(password === undefined ? [] : ["--requirepass", password]),
      ...args,
    ];
    const { path } = this.#folder;
    const isReady = () => answersPing(this.port);
    this.#process = new ServerProcess({ command, folder: path, isReady });
  }

  /**
   * Starts a server on a free port, and waits until it answers.
   *
   * @throws {Error} If it is not installed or cannot be started.
   */
  static async start(options: RedisOptions = {}): Promise<Redis> {
    const program = await findRedis();
    for (let attempt = 1;; attempt++) {
      const server = new Redis(program, options);
      try {
        await server.restart();
        return server;
      } catch (error) {
        await server[Symbol.asyncDispose]();
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** URL with the password, if any. */
  get url(): string {
    const user = this.#password === undefined
      ? ""
      : `:${encodeURIComponent(this.#password)}@`;
    return `redis://${user}127.0.0.1:${this.port}`;
  }

  /** Output so far. */
  get output(): string {
    return this.#process.output;
  }

  /** Kills it with SIGKILL, and waits for its end. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Stops it, and waits for its end. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  /** Stops it from running (SIGSTOP): connections stay open, without answers. */
  freeze(): void {
    this.#process.signal("SIGSTOP");
  }

  /** Lets it run again after {@linkcode freeze}. */
  thaw(): void {
    this.#process.signal("SIGCONT");
  }

  /** Starts it again on the same port, empty, and waits until it answers. */
  restart(): Promise<void> {
    return this.#process.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Resolves to true if the server answers, even by demanding a password. */
async function answersPing(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    socket.setTimeout(2_000, () => socket.destroy(new Error("no answer")));
    socket.write("PING\r\n");
    const [answer] = await once(socket, "data");
    return /^(\+PONG|-NOAUTH)/.test(answer.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
