import { failure } from "../release/connection.ts";
import { OpenRelease } from "../release/open_release.ts";
import { Refusals } from "../release/refusals.ts";
import { describeRelease } from "../release/release.ts";
import { DAY_MS, requireRange } from "../release/require_range.ts";
import { startPolling } from "./poll_loop.ts";
import {
  isWorkerd,
  ReleaseStore,
  type ReleaseStoreOptions,
} from "./release_store.ts";
import { connectTo, type RemoteAddress } from "./remote_client.ts";
import {
  type RemoteClient,
  RemoteServer,
  StatementError,
} from "./remote_server.ts";
import {
  connectTables,
  type Pointer,
  readPointer,
  refuseVersion,
  StatementQueue,
} from "./remote_tables.ts";
import { DatabaseError, type Freshness, type Staging } from "./store.ts";

/** Time limits of a store on a server, and its polls. */
export interface RemoteOptions extends ReleaseStoreOptions {
  /**
   * Time of a poll for a new release: on a timer, or before a read, for
   * runtimes that run nothing between requests.
   *
   * @default {"timer"}
   */
  readonly poll?: "timer" | "read";
  /**
   * With polls before a read, waits for a request that another call has made.
   * In `workerd`, such a wait ends only if the client of that call stays.
   *
   * @default {true}, except in `workerd`
   */
  readonly sharesRequests?: boolean;
  /**
   * Milliseconds between two polls, up to a day; 0 only with `poll: "read"`.
   *
   * @default {1000}
   */
  readonly pollMs?: number;
  /**
   * Milliseconds after which a read is given up; large ones, and requests of
   * an import, after six times as many. Up to an hour.
   *
   * @default {5000}
   */
  readonly timeoutMs?: number;
}

/** Options of {@linkcode openRemoteStore}: a URL, or a client. */
export interface OpenRemoteStoreOptions extends RemoteOptions {
  /**
   * URL of the server, with `libsql:` or `https:`, or with `http:` on this
   * machine.
   */
  readonly url?: string;
  /** Token of the server, which no log and no error shows. */
  readonly authToken?: string;
  /**
   * Client of the server instead of a URL, e.g. that of `@libsql/client/web`.
   * The store closes it.
   */
  readonly client?: RemoteClient;
  /**
   * Sends requests to the URL.
   *
   * @default {globalThis.fetch}
   */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Prepares clients for a URL, or for the given client.
 *
 * @throws {TypeError} If the URL is not allowed.
 */
export async function locate(
  { authToken, client, url, fetch }: OpenRemoteStoreOptions,
): Promise<RemoteAddress> {
  return client === undefined
    ? await connectTo(url ?? "", authToken, fetch)
    : { connect: () => client, name: "of the given client" };
}

/** Options of {@linkcode RemoteStore}. */
export interface RemoteStoreOptions extends RemoteOptions, RemoteAddress {
  /** Token of the server, which no message shows. */
  readonly authToken?: string;
}

/**
 * Time limit of a part of the snapshot, and of a request of an import, in time
 * limits of a read.
 */
export const BULK = 6;

/** Longest pause between polls while the server is away, in intervals. */
const MAX_BACKOFF = 5;

/**
 * Store that reads a release from tables of its own on a libSQL server. What
 * imports is in a class of its own, which an edge worker does not load.
 */
export class RemoteStore extends ReleaseStore {
  readonly #options: RemoteStoreOptions;
  readonly #pollMs: number;
  /** Milliseconds after which a read is given up. */
  protected readonly timeoutMs: number;
  readonly #server: RemoteServer;
  readonly #bulk: RemoteServer;
  readonly #queue: StatementQueue | undefined;
  /** Suffix of the tables in use. */
  #suffix: string | undefined;
  /** True if a call may wait for the request of another call. */
  readonly #sharesRequests: boolean;
  /** Polls so far. */
  #polls = 0;
  /** Number of the newest poll that has ended. */
  #newestPoll = 0;
  /** Poll or publication in progress. */
  #looking: Promise<void> | undefined;
  /** Time of the last poll. */
  #lookedAt = -Infinity;
  /** Failed polls since the last success. */
  #failures = 0;
  readonly #refusals = new Refusals();
  #freshness: Freshness = { syncedAt: null };
  #endPolls = () => {};

  constructor(options: RemoteStoreOptions) {
    super(options);
    const { connect, name, authToken: token } = options;
    const { poll = "timer", pollMs = 1000, timeoutMs = 5000 } = options;
    // Timers hold 24 days, of which the longest pause is a part.
    requireRange("pollMs", pollMs, [poll === "timer" ? 1 : 0, DAY_MS]);
    requireRange("timeoutMs", timeoutMs, [1, DAY_MS / 24]);
    this.#options = options;
    this.#pollMs = pollMs;
    this.timeoutMs = timeoutMs;
    this.#server = new RemoteServer({
      client: connect(timeoutMs),
      name,
      token,
      timeoutMs,
      retries: 1,
      retryMs: timeoutMs / 2,
      failsFast: true,
    });
    this.#bulk = new RemoteServer({
      client: connect(BULK * timeoutMs),
      name,
      token,
      timeoutMs: BULK * timeoutMs,
      retries: 1,
      retryMs: BULK * timeoutMs,
    });
    this.#sharesRequests = poll === "timer" ||
      (options.sharesRequests ?? !isWorkerd());
    if (this.#sharesRequests) this.#queue = new StatementQueue(this.#server);
  }

  /** Opens the current release, and polls for a new one. */
  async start(): Promise<void> {
    if (this.#options.poll === "read") return;
    await this.#look(false);
    // Later and later while the server is away.
    this.#endPolls = startPolling(
      () => this.#look(true),
      () => this.#pollMs * Math.min(2 ** this.#failures, MAX_BACKOFF),
    );
  }

  protected override prepareRead(): Promise<void> | undefined {
    if (this.#options.poll !== "read") return undefined;
    const age = performance.now() - this.#lookedAt;
    if (this.current !== undefined && age < this.#pollMs) return undefined;
    this.#lookedAt = performance.now();
    return this.#sharesRequests ? this.#look(true) : this.#openCurrent(true);
  }

  /** An error of the server, or of a proxy before it, says nothing of a part. */
  protected override isDamage(error: unknown): boolean {
    return !(error instanceof DatabaseError);
  }

  /** A missing table is that of a replaced release. */
  protected override async recover(error: unknown): Promise<void> {
    const reason = error instanceof DatabaseError ? error.cause : error;
    if (!(reason instanceof StatementError && reason.isTableMissing)) return;
    if (!this.#sharesRequests) await this.#openCurrent(true);
    else await this.lookAgain(true);
  }

  freshness(): Freshness {
    return this.#freshness;
  }

  /**
   * Polls for a new release after the poll in progress, which may have begun
   * before the release was replaced.
   */
  protected async lookAgain(isLogged: boolean): Promise<void> {
    await this.#looking;
    await this.#look(isLogged);
  }

  /** Polls for a new release, or waits for the poll in progress. */
  #look(isLogged: boolean): Promise<void> {
    return this.#looking ??= this.#openCurrent(isLogged)
      .catch(() => {}) // The logger may throw.
      .finally(() => this.#looking = undefined);
  }

  async #openCurrent(isLogged: boolean): Promise<void> {
    if (this.closed) return;
    const poll = ++this.#polls;
    // A poll may end after one that has begun later.
    const admit = () => {
      if (poll < this.#newestPoll) return false;
      this.#newestPoll = poll;
      return true;
    };
    let pointer: Pointer | undefined;
    try {
      pointer = await readPointer(this.#server);
      if (pointer === undefined && this.current !== undefined) {
        throw new Error(
          "the server has lost its release; import the DNE or the CNEFE with MODE=seed",
        );
      }
      if (pointer !== undefined && pointer.suffix !== this.#suffix) {
        if (this.#refusals.skips(pointer.suffix)) return;
        await this.#open(pointer, isLogged, admit);
      }
      if (!admit()) return;
      this.#refusals.clear();
      this.#failures = 0;
      this.#freshness = { syncedAt: new Date().toISOString() };
      if (this.setProblem(undefined) && isLogged) {
        this.logger.info("Reached the database server again", {
          server: this.#options.name,
        });
      }
    } catch (cause) {
      if (!admit()) return;
      this.#failures++;
      // Megabytes that are damaged are not read again at each poll.
      const reason = cause instanceof DatabaseError ? cause.cause : cause;
      if (pointer !== undefined && reason !== undefined) {
        this.#refusals.add(pointer.suffix);
      }
      const problem = failure("Cannot read the database", cause);
      this.#freshness = { ...this.#freshness, error: problem.message };
      if (!this.setProblem(problem) || this.closed || !isLogged) return;
      this.logger.error(
        "Cannot use the database, what is in memory stays in use",
        { error: problem.message },
      );
    }
  }

  async #open(
    pointer: Pointer,
    isLogged: boolean,
    admit: () => boolean,
  ): Promise<void> {
    const release = await this.#openTables(pointer);
    await this.adopt(release, {
      keepsSearch: true,
      admit: () => {
        // Another poll may have opened the same release.
        if (!admit() || pointer.suffix === this.#suffix) return false;
        this.#suffix = pointer.suffix;
        return true;
      },
    });
    if (isLogged && this.current === release) {
      this.logger.info("Opened a new release", describeRelease(release.facts));
    }
  }

  #openTables(pointer: Pointer): Promise<OpenRelease> {
    refuseVersion(pointer);
    const { suffix } = pointer;
    return OpenRelease.open({
      ...connectTables(this.#server, suffix, this.#queue),
      bulk: connectTables(this.#bulk, suffix),
    });
  }

  /** Refuses an import: a program that only reads bundles nothing that writes. */
  stage(_holder: string): Promise<Staging> {
    return Promise.reject(
      new DatabaseError(
        "Cannot import into a database that openRemoteStore has opened: open " +
          "it with openStore of @carteiro/cep/store",
      ),
    );
  }

  /**
   * Checks that records can be read: from memory, or from the server.
   *
   * @throws {DatabaseError} If they cannot.
   */
  async check(): Promise<void> {
    if (this.current?.isInMemory) return;
    await this.list("", 1);
  }

  override async close(): Promise<void> {
    this.#endPolls();
    this.beginClose();
    this.#server.close();
    this.#bulk.close();
    await this.#looking;
    await super.close();
  }
}
