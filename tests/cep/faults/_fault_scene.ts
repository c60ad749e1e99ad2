/** Database with data, a service that reads it, and an import that fails. */
import { assert, assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { seed } from "../../../cep/import/seed.ts";
import { update } from "../../../cep/import/update/update.ts";
import {
  DatabaseError,
  type Store,
  type Writer,
} from "../../../cep/store/mod.ts";
import type { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import type { Command } from "../../../scripts/process.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { cepCommand, type Environment } from "../../_program.ts";
import { SAMPLE, SAMPLE_CNEFE, SAMPLE_DELTA } from "../../_sample.ts";
import { writeDirectory } from "../_directory.ts";
import { CapturingLogger } from "../_logger.ts";
import { Process } from "../_process.ts";
import { contentOf, OpenedStore } from "../_stores.ts";

/** Import that fails: of a base, or of a delta. */
export type Mode = "seed" | "update";

/** State of a database after a fault. */
export type Outcome =
  | "old data"
  | "new data"
  /** Records and searches are right; lists may fail. */
  | "records right"
  /** A part of the old data is missing. */
  | "degraded"
  | "503";

/** Texts of all records of a release, and what is found without queries. */
type Content = Awaited<ReturnType<typeof wholeContentOf>>;

/**
 * Returns the records of a store, which must be the same by scans, by lookups
 * and by searches.
 */
async function wholeContentOf(store: Store): Promise<string[]> {
  const { release, records } = await contentOf(store);
  if (release === undefined) throw new DatabaseError("It is empty");
  assertEquals(records.length, release.totalCeps);
  const texts = records.map((record) => JSON.stringify(record));
  for (const [i, { cep }] of records.entries()) {
    assertEquals(rewrite((await store.findJson(cep))?.json), texts[i]);
  }
  const [first] = records;
  if (!store.missingParts?.().includes("search")) {
    const page = await store.search({ text: first!.cep, limit: 1 });
    assertEquals(rewrite(page?.data[0]?.json), texts[0]);
  }
  return texts;
}

/** Writes a record as `JSON.stringify` does: -46.641, not -46.64100. */
function rewrite(json: string | undefined): string | undefined {
  return json && JSON.stringify(JSON.parse(json));
}

const imported = new Map<string, Promise<Content>>();

/** Returns the content of a database after imports of these folders. */
function contentAfter(...folders: readonly string[]): Promise<Content> {
  const key = folders.join();
  let found = imported.get(key);
  if (found === undefined) {
    found = (async () => {
      await using opened = await OpenedStore.open({ path: ":memory:" });
      for (const folder of folders) await importInto(opened.store, folder);
      return await wholeContentOf(opened.store);
    })();
    imported.set(key, found);
  }
  return found;
}

/** Returns the CNEFE beside a DNE: the sample has one, the small DNE none. */
function censusOf(directory: string): { cnefe?: string } {
  return directory === SAMPLE ? { cnefe: SAMPLE_CNEFE } : {};
}

async function importInto(
  store: Writer,
  directory: string,
): Promise<void> {
  const options = { store, directory, logger: new CapturingLogger() };
  await (directory === SAMPLE_DELTA
    ? update(options)
    : seed({ ...options, ...censusOf(directory) }));
}

/** Database with old data, and a store that reads it all the time. */
export class FaultScene implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly #processes: Process[] = [];
  readonly #small = join(this.#folder.path, "small");
  #reader: OpenedStore | undefined;
  /** Folder of the database. */
  readonly database: string;

  private constructor(readonly mode: Mode, database: string | undefined) {
    this.database = database ?? join(this.#folder.path, "data");
  }

  /**
   * Imports the old data.
   *
   * @param database Empty folder, by default a temporary one.
   */
  static async make(mode: Mode, database?: string): Promise<FaultScene> {
    const scene = new FaultScene(mode, database);
    writeDirectory(scene.#small);
    {
      await using opened = await OpenedStore.open({ path: scene.database });
      await importInto(opened.store, scene.#oldFolder);
    }
    scene.#reader = await OpenedStore.open({ path: scene.database });
    return scene;
  }

  get #oldFolder(): string {
    return this.mode === "seed" ? this.#small : SAMPLE;
  }

  /** Folder of the new data. */
  get raw(): string {
    return this.mode === "seed" ? SAMPLE : SAMPLE_DELTA;
  }

  /** CNEFE of the new data; an update has none. */
  get cnefe(): string | undefined {
    return this.mode === "seed" ? SAMPLE_CNEFE : undefined;
  }

  /** The release file. */
  get file(): string {
    return join(this.database, "cep.db");
  }

  /** Names of the files of the database. */
  names(): string[] {
    return readdirSync(this.database).sort();
  }

  /** Starts the import in a process. */
  start(env: Environment = {}, prefix: readonly string[] = []): Process {
    const [program, ...args] = [...prefix, ...cepCommand()];
    return this.run([program!, ...args], {
      MODE: this.mode,
      DB_PATH: this.database,
      DB_RAW_PATH: this.raw,
      ...this.cnefe === undefined ? {} : { CNEFE_PATH: this.cnefe },
      ...env,
    });
  }

  /** Starts a program. */
  run(command: Command, env?: Environment): Process {
    const started = Process.start(command, env);
    this.#processes.push(started);
    return started;
  }

  /** Runs the import in this process, which must fail. */
  async fail(
    { directory, change = (store) => store, raw = this.raw }: {
      readonly directory?: ReleaseDirectory;
      readonly change?: (store: Writer) => Writer;
      readonly raw?: string;
    },
  ): Promise<void> {
    await using opened = directory === undefined
      ? await OpenedStore.open({ path: this.database })
      : await OpenedStore.openIn(directory);
    const store = change(opened.store);
    const options = { store, directory: raw, logger: new CapturingLogger() };
    const running = this.mode === "seed"
      ? seed({ ...options, ...censusOf(raw) })
      : update(options);
    const failed = await running.then(() => false, () => true);
    assert(failed, "the import did not fail");
  }

  /** Reads the data as a service that starts now, and as one that ran before. */
  async assess(): Promise<Outcome> {
    const old = await contentAfter(...this.#oldFolders());
    const next = await contentAfter(...this.#newFolders());
    const running = await this.#outcomeOf(this.#reader!.store, old, next);
    assert(running !== "503", "the running service lost its data");
    await using opened = await OpenedStore.open({ path: this.database });
    return await this.#outcomeOf(opened.store, old, next);
  }

  async #outcomeOf(
    store: Store,
    old: Content,
    next: Content,
  ): Promise<Outcome> {
    try {
      // Again if a scan was of another release.
      const content = await store.read(() => wholeContentOf(store));
      if (content === undefined) return "503";
      if (store.missingParts?.().length !== 0) {
        assertEquals(content, old);
        return "degraded";
      }
      if (content.join() === old.join()) return "old data";
      assertEquals(content, next);
      return "new data";
    } catch (error) {
      if (error instanceof DatabaseError) return "503";
      throw error;
    }
  }

  #oldFolders(): string[] {
    return [this.#oldFolder];
  }

  #newFolders(): string[] {
    return this.mode === "seed" ? [SAMPLE] : [SAMPLE, SAMPLE_DELTA];
  }

  /** Checks that the next import succeeds and removes the leftovers. */
  async importNext(outcome: Outcome): Promise<void> {
    const folders = outcome === "503" ? [SAMPLE] : this.#newFolders();
    await using opened = await OpenedStore.open({ path: this.database });
    await importInto(opened.store, folders.at(-1)!);
    const expected = await contentAfter(...folders);
    assertEquals(await wholeContentOf(opened.store), expected);
    const [file, ...others] = this.names();
    assert(/^cep(-\d+)?\.db$/.test(file!), this.names().join());
    assertEquals(others, ["seed.lock"]);
    assert(await this.#reader!.store.release() !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const it of this.#processes) await it[Symbol.asyncDispose]();
    await this.#reader?.[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}
