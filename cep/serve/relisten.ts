import { setTimeout as delay } from "node:timers/promises";
import { reasonOf } from "../util/reason_of.ts";
import type { Listen, ListenOptions, RunningServer } from "./listen.ts";

/** Attempts to listen again before the failure counts as final. */
const MOST_ATTEMPTS = 50;

/** Milliseconds between attempts. */
const RETRY_MS = 100;

/** Options of {@linkcode relistening}. */
export interface RelistenOptions {
  /** Called with the reason when a server can no longer accept connections. */
  readonly onFailure: (reason: string) => void;
  /**
   * Waits between attempts.
   *
   * @default {a timer}
   */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Adds recovery to a server that stops at the first connection that it cannot
 * accept, as `Deno.serve` does when the process is out of file descriptors. The
 * stopped server completes its requests in flight and closes its idle and
 * half-open connections, which frees descriptors; another one takes its port.
 */
export function relistening(
  listen: Listen,
  { onFailure, wait = delay }: RelistenOptions,
): Listen {
  return async (options) => {
    const first = await listen(options);
    return new Relistening(listen, { onFailure, wait }, options, first);
  };
}

class Relistening implements RunningServer {
  readonly address: RunningServer["address"];
  readonly finished: Promise<void>;
  readonly #finish = Promise.withResolvers<void>();
  /** Servers that listen, or have requests in flight. */
  readonly #servers = new Set<RunningServer>();
  #stopping = false;

  constructor(
    readonly listen: Listen,
    readonly effects: Required<RelistenOptions>,
    readonly options: ListenOptions,
    first: RunningServer,
  ) {
    this.address = first.address;
    this.finished = this.#finish.promise;
    // `shutdown` does not depend on it, so it may have no other reader.
    this.finished.catch(() => {});
    this.#watch(first);
  }

  #watch(server: RunningServer): void {
    this.#servers.add(server);
    server.finished.then(
      () => this.#end(server),
      (error) => this.#recover(server, error),
    );
  }

  #end(server: RunningServer): void {
    this.#servers.delete(server);
    if (this.#servers.size === 0) this.#finish.resolve();
  }

  async #recover(failed: RunningServer, error: unknown): Promise<void> {
    if (this.#stopping) return this.#end(failed);
    this.effects.onFailure(reasonOf(error));
    // Not awaited: requests in flight may take long.
    const done = failed.shutdown().catch(() => {});
    try {
      await this.#listenAgain();
    } catch (cause) {
      this.#finish.reject(cause);
    }
    await done;
    this.#end(failed);
  }

  async #listenAgain(): Promise<void> {
    const { port } = this.address;
    for (let attempt = 1; !this.#stopping; attempt++) {
      try {
        const server = await this.listen({ ...this.options, port });
        this.#watch(server);
        if (this.#stopping) await server.shutdown();
        return;
      } catch (error) {
        if (attempt === MOST_ATTEMPTS) throw error;
        await this.effects.wait(RETRY_MS);
      }
    }
  }

  async shutdown(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#servers].map((it) => it.shutdown()));
  }
}
