/** Replicas, and a primary of theirs in a folder of this process. */
import { connectImmutable } from "../../../cep/release/local_connection.ts";
import { OpenRelease } from "../../../cep/release/open_release.ts";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import type { Connection } from "../../../cep/release/connection.ts";
import type {
  Primary,
  PrimaryRelease,
} from "../../../cep/store/follow/primary_origin.ts";
import {
  ReplicaStore,
  type ReplicaStoreOptions,
} from "../../../cep/store/replica.ts";
import type { Staging } from "../../../cep/store/store.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../_logger.ts";
import { OpenedStore } from "../_stores.ts";

/** Primary whose release is a file. */
export class FilePrimary implements Primary, AsyncDisposable {
  readonly name = "http://primary.test";
  /** Folder of its release. */
  readonly path: string;
  readonly #folder: TemporaryFolder | undefined;
  readonly #opened: OpenedStore;
  /** Error of every call, if it is away. */
  away: Error | undefined;
  /** Queries so far. */
  queries = 0;
  /** Called before each query of a copy, with its number. */
  onQuery: (n: number) => void | Promise<void> = () => {};

  private constructor(
    path: string,
    folder: TemporaryFolder | undefined,
    opened: OpenedStore,
  ) {
    this.path = path;
    this.#folder = folder;
    this.#opened = opened;
  }

  /** Opens a primary in a folder, otherwise in a new one. */
  static async open(path?: string): Promise<FilePrimary> {
    const folder = path === undefined ? new TemporaryFolder() : undefined;
    const own = path ?? folder!.path;
    const options = { path: own, snapshot: false, search: false };
    return new FilePrimary(own, folder, await OpenedStore.open(options));
  }

  /** Its own store. */
  get store(): OpenedStore["store"] {
    return this.#opened.store;
  }

  stage(holder: string): Promise<Staging> {
    return this.store.stage(holder);
  }

  async current(): Promise<PrimaryRelease | undefined> {
    this.#require();
    const file = await new ReleaseDirectory(this.path).current();
    if (file === undefined) return undefined;
    const connection = await connectImmutable(file.path);
    const { facts } = await OpenRelease.open(connection);
    return {
      id: facts.id,
      connect: () => Promise.resolve(this.#watch(connection)),
    };
  }

  #require(): void {
    if (this.away) throw this.away;
  }

  #watch(connection: Connection): Connection {
    return {
      ...connection,
      prepare: async (sql) => {
        const statement = await connection.prepare(sql);
        return {
          ...statement,
          all: async (values) => {
            await this.onQuery(++this.queries);
            this.#require();
            return await statement.all(values);
          },
        };
      },
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
    this.#folder?.[Symbol.dispose]();
  }
}

/** Replica, closed at the end of the block, and its log. */
export class OpenedReplica implements AsyncDisposable {
  private constructor(
    readonly store: ReplicaStore,
    readonly log: CapturingLogger,
  ) {}

  /** Opens a replica that syncs only when it is told to. */
  static async open(
    path: string,
    primary: Primary,
    options: Partial<ReplicaStoreOptions> = {},
  ): Promise<OpenedReplica> {
    const logger = new CapturingLogger();
    const store = new ReplicaStore({
      directory: new ReleaseDirectory(path),
      primary,
      holder: "the test",
      pollMs: 10,
      lookMs: 10,
      logger,
      ...options,
    });
    await store.start();
    return new OpenedReplica(store, logger);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}
