/** What the tests of the store share: entries, and releases made of them. */
import { DatabaseSync } from "node:sqlite";
import type { Logger } from "../../../cep/logger.ts";
import { connect } from "../../../cep/store/driver.ts";
import { openStoreIn } from "../../../cep/store/embedded.ts";
import {
  type Address,
  type Entry,
  openStore,
  type OpenStoreOptions,
  type Release,
  type Staging,
  type Store,
  type Writer,
} from "../../../cep/store/mod.ts";
import type { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import { ReleaseWriter } from "../../../cep/store/release_writer.ts";
import { CapturingLogger, type LogEntry } from "../_fixtures.ts";

/** What a release is told of the directory. */
export const FACTS = {
  dneVersion: "25041",
  seededAt: "2025-04-15T12:00:00.000Z",
} as const;

/** A street of SP, but for the fields given. */
export function entry(cep: string, fields: Partial<Entry> = {}): Entry {
  return {
    cep,
    number: 7,
    uf: "SP",
    locality: 1,
    neighbourhood: 1,
    streetType: "Rua",
    typeInName: true,
    street: `das Flores ${cep}`,
    complement: "até 99",
    name: "",
    origin: "logradouro",
    file: "LOG_LOGRADOURO_SP.TXT",
    ...fields,
  };
}

/** Entries of these codes. */
export function entries(...codes: readonly string[]): Entry[] {
  return codes.map((cep) => entry(cep));
}

/** The number of entries by file. */
export function countByFile(all: readonly Entry[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { file } of all) totals[file] = (totals[file] ?? 0) + 1;
  return totals;
}

/** Publishes a release that holds these entries, all of them. */
export async function publish(
  staging: Staging,
  all: readonly Entry[],
  facts: Partial<Release> = {},
): Promise<void> {
  const totalByFile = countByFile(all);
  await staging.publish({ ...FACTS, totalByFile, ...facts }, {});
}

/** Replaces the content of a store with one locality and these entries. */
export async function fill(
  store: Writer,
  all: readonly Entry[],
  facts: Partial<Release> = {},
): Promise<void> {
  const staging = await store.stage("test");
  await addPlaces(staging);
  await staging.addEntries(all);
  await publish(staging, all, facts);
}

/** Adds the places that {@linkcode entry} refers to. */
export async function addPlaces(staging: Staging): Promise<void> {
  await staging.addLocalities([{
    number: 1,
    uf: "SP",
    name: "Vila Grande",
    cep: "",
    situation: "1",
    type: "M",
    parent: null,
    ibge: "3599901",
  }]);
  await staging.addNeighbourhoods([
    { number: 1, uf: "SP", locality: 1, name: "Centro" },
  ]);
}

/** The codes of a listing or of a page of a scan. */
export function cepsIn(data: readonly Address[]): string[] {
  return data.map(({ cep }) => cep);
}

/** All codes of a store, in the order of the scan. */
export async function cepsOf(store: Store): Promise<string[]> {
  return (await Array.fromAsync(store.scan())).flatMap(cepsIn);
}

/** Remembers what it is told, and can be waited for. */
export class Ear extends CapturingLogger {
  #wake: () => void = () => {};

  override info(...call: Parameters<Logger["info"]>): void {
    super.info(...call);
    this.#wake();
  }
  override warn(...call: Parameters<Logger["warn"]>): void {
    super.warn(...call);
    this.#wake();
  }
  override error(...call: Parameters<Logger["error"]>): void {
    super.error(...call);
    this.#wake();
  }

  /** Waits until a message was logged so many times, and tells the last. */
  async hears(message: string, times = 1): Promise<LogEntry> {
    while (true) {
      const heard = this.entries.filter((entry) => entry.message === message);
      if (heard.length >= times) return heard[times - 1]!;
      await soon(new Promise<void>((resolve) => this.#wake = resolve));
    }
  }
}

/** Milliseconds that are a second, and patience with a busy machine. */
const SOON_MS = 3000;

/** Waits for what must happen within about a second. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    const error = new Error(`It has not happened within ${SOON_MS} ms`);
    timer = setTimeout(() => reject(error), SOON_MS);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** A store that is closed at the end of the block, and its log. */
export class Opened implements AsyncDisposable {
  constructor(readonly store: Store, readonly log: Ear) {}

  /** Opens one. */
  static async open(options: OpenStoreOptions): Promise<Opened> {
    const logger = new Ear();
    return new Opened(await openStore({ ...options, logger }), logger);
  }

  /** Opens one in a directory that may be made to fail. */
  static async openIn(
    directory: ReleaseDirectory,
    options: Omit<OpenStoreOptions, "path"> = {},
  ): Promise<Opened> {
    const logger = new Ear();
    return new Opened(
      await openStoreIn(directory, { ...options, logger }),
      logger,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

/** Writes the file of a release that holds these entries. */
export async function writeRelease(
  path: string,
  all: readonly Entry[] = entries("01310100"),
): Promise<void> {
  const connection = await connect(path);
  const writer = await ReleaseWriter.begin(connection);
  await writer.addEntries(all);
  await writer.finish(FACTS, {});
  // The driver closes the file, and ends its lock, with the garbage.
  await connection.exec("PRAGMA locking_mode = NORMAL; SELECT id FROM release");
  connection.close();
}

/** Opens a file as any program with SQLite would, and runs statements. */
export function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
