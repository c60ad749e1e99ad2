import { openWritableRemoteStore } from "./writable_remote_store.ts";
import { connectTo } from "./remote_client.ts";
import { connectTables } from "./remote_connection.ts";
import { readPointer, refuseVersion } from "./remote_pointer.ts";
import { RemoteServer } from "./remote_server.ts";
import type { Primary, PrimaryRelease } from "./replica_store.ts";
import type { Staging, Store } from "./store.ts";

/** Options of {@linkcode RemotePrimary.open}. */
export interface RemotePrimaryOptions {
  /** URL of the server, which may itself be a replica. */
  readonly url: string;
  /** Token of the server. */
  readonly authToken?: string | undefined;
}

/** Milliseconds for a request, of up to 4 MB. */
const TIMEOUT_MS = 30_000;

/** Repetitions of a request that did not reach the server. */
const RETRIES = 3;

/** Database on a libSQL server that a replica follows. */
export class RemotePrimary implements Primary {
  readonly name: string;
  readonly #server: RemoteServer;
  readonly #openStore: () => Promise<Store>;
  readonly #stop: AbortController;
  #store: Promise<Store> | undefined;

  private constructor(
    name: string,
    server: RemoteServer,
    openStore: () => Promise<Store>,
    stop: AbortController,
  ) {
    this.name = name;
    this.#server = server;
    this.#openStore = openStore;
    this.#stop = stop;
  }

  /**
   * Prepares requests to a server. It need not be reachable.
   *
   * @throws {TypeError} If the URL is not allowed.
   */
  static async open(
    { url, authToken = "" }: RemotePrimaryOptions,
  ): Promise<RemotePrimary> {
    const stop = new AbortController();
    const address = await connectTo(url, authToken, (input, init) => {
      const signals = [stop.signal, init?.signal].filter((it) => it != null);
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    });
    const server = new RemoteServer({
      client: address.connect(TIMEOUT_MS),
      name: address.name,
      token: authToken,
      timeoutMs: TIMEOUT_MS,
      retries: RETRIES,
      retryMs: TIMEOUT_MS,
    });
    // An import reads no records by their CEP.
    const options = { url, authToken, snapshot: false, search: false };
    const openStore = () => openWritableRemoteStore(options);
    return new RemotePrimary(address.name, server, openStore, stop);
  }

  /**
   * Finds the current release, `undefined` before the first import.
   *
   * @throws {DatabaseError} If the server cannot be read, or this program
   * cannot read its tables.
   */
  async present(): Promise<PrimaryRelease | undefined> {
    const pointer = await readPointer(this.#server);
    if (pointer === undefined) return undefined;
    refuseVersion(pointer);
    const { suffix } = pointer;
    return {
      id: Number.parseInt(suffix, 16),
      connect: () => Promise.resolve(connectTables(this.#server, suffix)),
    };
  }

  async stage(holder: string): Promise<Staging> {
    this.#store ??= this.#openStore();
    return await (await this.#store).stage(holder);
  }

  /** Ends its requests. */
  async close(): Promise<void> {
    this.#stop.abort();
    await (await this.#store)?.close();
    this.#server.close();
  }
}
