/** Open stores and their content. */
import { assertEquals } from "@std/assert";
import type { Address } from "../../cep/record/address.ts";
import {
  type FileStoreOptions,
  openStoreIn,
} from "../../cep/store/file_store.ts";
import {
  openStore,
  type OpenStoreOptions,
  type Store,
} from "../../cep/store/mod.ts";
import {
  openWritableRemoteStore,
  type OpenWritableRemoteStoreOptions,
} from "../../cep/store/remote_import.ts";
import { ReleaseDirectory } from "../../cep/store/release_directory.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import type { Files } from "./_directory.ts";
import { CapturingLogger } from "./_logger.ts";
import { seedFiles } from "./_seeding.ts";
import { LocalClient } from "./store/_local_client.ts";

/** Store, closed at the end of the block, and its log. */
export class OpenedStore implements AsyncDisposable {
  private constructor(readonly store: Store, readonly log: CapturingLogger) {}

  /** Opens a store that polls for new releases every few milliseconds. */
  static open(
    { path, ...options }: OpenStoreOptions & { readonly path: string },
  ): Promise<OpenedStore> {
    return path === ":memory:"
      ? OpenedStore.#open((logger) => openStore({ path, ...options, logger }))
      : OpenedStore.openIn(new ReleaseDirectory(path), options);
  }

  /** Opens a store in a directory, which may be one that fails. */
  static openIn(
    directory: ReleaseDirectory,
    options: FileStoreOptions = {},
  ): Promise<OpenedStore> {
    return OpenedStore.#open((logger) =>
      openStoreIn(directory, { lookMs: 10, ...options, logger })
    );
  }

  /** Opens a store on a server: by default, an empty one in memory. */
  static onServer(
    options: OpenWritableRemoteStoreOptions = {},
  ): Promise<OpenedStore> {
    return OpenedStore.#open((logger) =>
      openWritableRemoteStore({ client: new LocalClient(), ...options, logger })
    );
  }

  /** Opens a store in memory. With files, imports the small DNE with them. */
  static async inMemory(files?: Files): Promise<OpenedStore> {
    const opened = await OpenedStore.open({ path: ":memory:" });
    if (files) await seedFiles(opened.store, files);
    return opened;
  }

  static async #open(
    open: (logger: CapturingLogger) => Promise<Store>,
  ): Promise<OpenedStore> {
    const logger = new CapturingLogger();
    return new OpenedStore(await open(logger), logger);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

/** Imports the small DNE into a folder. */
export async function seedFolder(path: string): Promise<void> {
  await using opened = await OpenedStore.open({ path });
  await seedFiles(opened.store);
}

/** Release in two stores: one reads its snapshot, the other runs queries. */
export class BothStores implements AsyncDisposable {
  private constructor(
    readonly folder: TemporaryFolder,
    readonly memory: Store,
    readonly queries: Store,
  ) {}

  /** Imports, and opens both stores on the release. */
  static async open(
    importInto: (store: Store) => Promise<unknown>,
  ): Promise<BothStores> {
    const folder = new TemporaryFolder();
    const { path } = folder;
    const memory = await openStore({ path, logger: new CapturingLogger() });
    await importInto(memory);
    const queries = await openStore({
      path,
      snapshot: false,
      logger: new CapturingLogger(),
    });
    return new BothStores(folder, memory, queries);
  }

  /** Returns the JSON of a record, which must be the same from both stores. */
  async findJson(cep: string): Promise<string | undefined> {
    const fromMemory = await this.memory.findJson(cep);
    const byQuery = await this.queries.findJson(cep);
    assertEquals(fromMemory?.json, byQuery?.json, cep);
    assertEquals(fromMemory?.fromMemory ?? true, true, cep);
    assertEquals(byQuery?.fromMemory ?? false, false, cep);
    assertEquals(fromMemory?.release, byQuery?.release, cep);
    return fromMemory?.json;
  }

  /** Returns a record, which must be the same from both stores. */
  async find(cep: string): Promise<Address | undefined> {
    const json = await this.findJson(cep);
    return json === undefined ? undefined : JSON.parse(json);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.memory.close();
    await this.queries.close();
    this.folder[Symbol.dispose]();
  }
}

/** Returns the records of these CEPs, `undefined` for unknown CEPs. */
export function findAll(
  store: Store,
  ceps: readonly string[],
): Promise<(Address | undefined)[]> {
  return Promise.all(ceps.map((cep) => store.find(cep)));
}

/** Returns the release and the records of a store. */
export async function contentOf(store: Store) {
  const release = await store.release();
  const records = (await Array.fromAsync(store.scan())).flat();
  return { release, records };
}

/** Returns the CEPs of a list or of a batch of a scan. */
export function cepsIn(data: readonly Address[]): string[] {
  return data.map(({ cep }) => cep);
}

/** Returns the CEPs of a store in the order of the scan. */
export async function cepsOf(store: Store): Promise<string[]> {
  return (await Array.fromAsync(store.scan())).flatMap(cepsIn);
}
