/** A service in a process of its own, and what it writes. */
import { within } from "../cep/_server.ts";
import {
  type Child,
  type Command,
  type Ended,
  endOf,
  type Environment,
  kill,
  start,
} from "../program.ts";

/** An example that listens, whose log is lines of JSON. */
export class Service implements AsyncDisposable {
  /** All that it has written, to both of its outputs. */
  output = "";
  readonly #child: Child;
  readonly #ended: Promise<Ended>;
  #waiting: { message: string; found: () => void }[] = [];
  #port = 0;

  private constructor(child: Child) {
    this.#child = child;
    this.#ended = endOf(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => this.#take(text));
    }
  }

  /** Starts it on a free port of loopback. */
  static async start(command: Command, env: Environment): Promise<Service> {
    const child = start(command, {
      API_HOST: "127.0.0.1",
      API_PORT: "0",
      ...env,
    });
    const service = new Service(child);
    await service.logged("Listening");
    const [, port] = /"Listening".*"port":(\d+)/.exec(service.output) ?? [];
    service.#port = Number(port);
    return service;
  }

  #take(text: string): void {
    this.output += text;
    this.#waiting = this.#waiting.filter(({ message, found }) => {
      const isThere = this.#hasLine(message);
      if (isThere) found();
      return !isThere;
    });
  }

  #hasLine(message: string): boolean {
    return this.output.split("\n").slice(0, -1)
      .some((line) => line.includes(`"message":"${message}"`));
  }

  /** Resolves once there is a line with this message. */
  async logged(message: string): Promise<void> {
    if (this.#hasLine(message)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ message, found: resolve });
    const ended = this.#ended.then(() => {
      if (this.#hasLine(message)) return;
      throw new Error(`Ended without "${message}": ${this.output}`);
    });
    await within(`the line "${message}"`, Promise.race([promise, ended]));
  }

  /** Asks for a path. */
  ask(path: string, init?: RequestInit): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#port}${path}`, init);
  }

  /** Asks for a path; gives the status and what the JSON says. */
  async askJson(
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await this.ask(path, init);
    return { status: response.status, body: await response.json() };
  }

  /** Tells it to end. */
  stop(): void {
    kill(this.#child, "SIGTERM");
  }

  /** How it ends, which it must do by itself. */
  end(): Promise<Ended> {
    return within("the end of the service", this.#ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    kill(this.#child, "SIGKILL");
    this.#child.stdin.destroy();
    await this.#ended;
  }
}
