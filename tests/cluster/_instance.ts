/** Service in a process of its own, as one of several. */
import { assertEquals } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { Process } from "../cep/_process.ts";
import { cepCommand, type Environment } from "../_program.ts";
import { CODES, recordsOf, type Version } from "./_data.ts";

/** Milliseconds until an instance must have what was published. */
const PATIENCE_MS = 60_000;

/** Milliseconds between two requests while something is awaited. */
const POLL_INTERVAL_MS = 20;

/** Answer of an instance to a request. */
export interface InstanceAnswer {
  readonly status: number;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

/** Service in a process of its own. */
export class Instance implements AsyncDisposable {
  private constructor(readonly process: Process, readonly port: number) {}

  /**
   * Starts an instance, and waits until it listens.
   *
   * @param prefix Program and arguments that run the service.
   */
  static async start(
    env: Environment,
    prefix: readonly string[] = [],
  ): Promise<Instance> {
    const [program, ...args] = [...prefix, ...cepCommand()];
    const settings = { API_RATE_LIMIT_ENABLE: "false", ...env };
    const process = Process.service([program!, ...args], settings);
    try {
      return new Instance(process, await process.port());
    } catch (error) {
      await process[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Sends a request. */
  async ask(path: string, init?: RequestInit): Promise<InstanceAnswer> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const url = `http://127.0.0.1:${this.port}${path}`;
    const { status, headers, body } = await fetch(url, { signal, ...init })
      .then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: await response.text(),
      }));
    const isJson = headers.get("content-type")?.includes("json");
    return { status, headers, body: isJson ? JSON.parse(body) : body };
  }

  /** Reads records of some CEPs as JSON texts. */
  async read(codes: readonly string[] = CODES): Promise<string[]> {
    const { status, body } = await this.ask("/ceps", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(codes),
    });
    assertEquals(status, 200, JSON.stringify(body));
    return body.map((record: unknown) => JSON.stringify(record));
  }

  /** Checks that every record is that of a version. */
  async check(version: Version): Promise<void> {
    const records = await recordsOf(version);
    assertEquals(await this.read(), CODES.map((cep) => records.get(cep)!));
    const { body } = await this.ask("/debug/count");
    assertEquals(body, { total_ceps: records.size });
  }

  /** Waits until the instance answers from a version, and checks it. */
  async awaitVersion(version: Version): Promise<void> {
    const records = await recordsOf(version);
    const [code] = CODES;
    await this.awaitAnswer(
      `/cep/${code}`,
      ({ body }) => JSON.stringify(body) === records.get(code!),
    );
    await this.check(version);
  }

  /** Waits for an answer, and returns it. */
  async awaitAnswer(
    path: string,
    matches: (answer: InstanceAnswer) => boolean,
  ): Promise<InstanceAnswer> {
    const deadline = Date.now() + PATIENCE_MS;
    while (true) {
      const answer = await this.ask(path);
      if (matches(answer)) return answer;
      if (Date.now() > deadline) {
        throw new Error(
          `Timed out: ${path}, last answer ${JSON.stringify(answer)}, log ` +
            JSON.stringify(this.process.lines),
        );
      }
      await delay(POLL_INTERVAL_MS);
    }
  }

  /** Stops the instance with SIGTERM, and waits for its end. */
  async stop(): Promise<void> {
    this.process.kill("SIGTERM");
    assertEquals((await this.process.end()).code, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }
}
