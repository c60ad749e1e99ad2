import type { NumberSet } from "../util/number_set.ts";
import { attempt } from "../release/connection.ts";
import { OpenRelease } from "../release/open_release.ts";
import { readPartially } from "../release/partial_release.ts";
import { releaseName } from "../release/release.ts";
import {
  type Present,
  ReleaseStaging,
  type StagingTarget,
  UNREADABLE,
} from "../release/release_staging.ts";
import { newReleaseId } from "../release/release_writer.ts";
import { DAY_MS, requireRange } from "../release/require_range.ts";
import { SCHEMA_VERSION } from "../release/schema.ts";
import { StatementQueue } from "./statement_queue.ts";
import { reasonOf } from "../util/reason_of.ts";
import { ImportLease } from "./import_lease.ts";
import { locate } from "./remote_client.ts";
import { connectTables } from "./remote_connection.ts";
import type { OpenRemoteStoreOptions } from "./remote_options.ts";
import type { Pointer } from "./remote_pointer.ts";
import { RemoteServer } from "./remote_server.ts";
import { BULK, RemoteStore, type RemoteStoreOptions } from "./remote_store.ts";
import { RemoteWriting } from "./remote_writing.ts";
import { type Staging, type Store, UnreachableError } from "./store.ts";

/** CEPs that a query of the check counts, of the 100 million possible ones. */
const COUNTED_AT_ONCE = 10_000_000;

/** Patience of imports. */
interface ImportOptions {
  /**
   * Milliseconds for which an import repeats a request while the server is
   * away, up to a day.
   *
   * @default {60000}
   */
  readonly importRetryMs?: number;
  /**
   * Seconds after which another import may begin if an import does not renew
   * its lease, from 1 to a day.
   *
   * @default {30}
   */
  readonly leaseSeconds?: number;
}

/** Options of {@linkcode openWritableRemoteStore}. */
export interface OpenWritableRemoteStoreOptions
  extends OpenRemoteStoreOptions, ImportOptions {}

/** Store on a libSQL server that also imports. */
export class WritableRemoteStore extends RemoteStore {
  readonly #leaseSeconds: number;
  readonly #importer: RemoteServer;

  constructor(
    { importRetryMs = 60_000, leaseSeconds = 30, ...options }:
      & RemoteStoreOptions
      & ImportOptions,
  ) {
    super(options);
    requireRange("importRetryMs", importRetryMs, [0, DAY_MS]);
    requireRange("leaseSeconds", leaseSeconds, [1, DAY_MS / 1000]);
    const { connect, name, authToken: token } = options;
    const timeoutMs = BULK * this.timeoutMs;
    this.#leaseSeconds = leaseSeconds;
    // It stays open: an import may be published after `close`.
    this.#importer = new RemoteServer({
      client: connect(timeoutMs),
      name,
      token,
      timeoutMs,
      retries: Infinity,
      retryMs: importRetryMs,
      onWait: (error) =>
        this.logger.warn("The import waits for the database server", {
          error: error.message,
          seconds: importRetryMs / 1000,
        }),
    });
  }

  override async stage(holder: string): Promise<Staging> {
    return await attempt("Cannot write the database", async () => {
      this.requireOpen();
      const id = newReleaseId();
      const suffix = releaseName({ id });
      const lease = await ImportLease.take({
        server: this.#importer,
        suffix,
        holder,
        leaseSeconds: this.#leaseSeconds,
      });
      try {
        const present = await this.#readPresent(lease.pointer);
        const tables = connectTables(this.#importer, suffix);
        return await ReleaseStaging.begin(
          new RemoteWriting(tables, lease),
          present,
          this.#toTarget(suffix, lease),
          id,
        );
      } catch (error) {
        await lease.discard().catch(() => {});
        throw error;
      }
    });
  }

  #toTarget(suffix: string, lease: ImportLease): StagingTarget {
    return {
      countedAtOnce: COUNTED_AT_ONCE,
      reopen: () => Promise.resolve(connectTables(this.#importer, suffix)),
      publish: async () => {
        await lease.publish();
        await this.lookAgain(false);
      },
      discard: () => lease.discard(),
    };
  }

  /** Opens the release that the next one replaces. */
  async #readPresent(
    pointer: Pointer | undefined,
  ): Promise<Present | undefined> {
    if (pointer === undefined) return undefined;
    const tables = connectTables(
      this.#importer,
      pointer.suffix,
      new StatementQueue(this.#importer),
    );
    try {
      if (pointer.schemaVersion !== SCHEMA_VERSION) {
        return await readPartially(tables, (error) => {
          this.logger.warn(
            "Cannot read the history of replaced CEPs, it is lost",
            { error: reasonOf(error) },
          );
          return [];
        });
      }
      const release = await OpenRelease.open(tables);
      return {
        state: "complete",
        facts: release.facts,
        rows: release.rows,
        history: await release.historyRows(),
        missingFrom: (codes: NumberSet) => release.rows.missingFrom(codes),
        close() {},
      };
    } catch (error) {
      if (error instanceof UnreachableError) throw error;
      this.logger.warn(
        "Cannot read the current release, the import is not compared with it",
        { error: reasonOf(error) },
      );
      return UNREADABLE;
    }
  }
}

/**
 * Opens a database on a libSQL server, to read it and to import into it.
 *
 * @throws {TypeError} If the URL is not allowed.
 * @throws {RangeError} If a number is out of its range.
 */
export async function openWritableRemoteStore(
  options: OpenWritableRemoteStoreOptions,
): Promise<Store> {
  const address = await locate(options);
  const store = new WritableRemoteStore({ ...options, ...address });
  await store.start();
  return store;
}
