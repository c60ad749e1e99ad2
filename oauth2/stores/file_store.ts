/**
 * Store in a folder, for programs on Deno, Node and Bun.
 *
 * @module
 */
import type { TokenStore } from "../manager/store.ts";
import { checkTtl, type TtlOptions } from "./ttl.ts";

export type { TtlOptions } from "./ttl.ts";

type Files = typeof import("node:fs/promises");

/** Options of a {@linkcode FileStore}. */
export type FileStoreOptions = TtlOptions;

/** Version of a value, the number in the name of its file. */
interface Version {
  readonly number: number;
  /** Undefined if the value was deleted, or is too old. */
  readonly value: string | undefined;
  /** True if the value was deleted, or is to be. */
  readonly isEnd: boolean;
}

/** New value, and the one that is expected. */
interface Write {
  readonly value: string | undefined;
  /** Without it, any value is replaced. */
  readonly expected?: { readonly value: string | undefined } | undefined;
}

/** Name of the file of a version. */
const VERSION = /^(\d{1,15})\.json$/;
/** Name of a file that is being written, and the beginning of ours. */
const TEMPORARY = /^\..*\.tmp$/;
const WRITING = ".write-";
/** Name of a folder that is being deleted. */
const GRAVE = /^\..*\.gone$/;
/** Name of the folder of a key. */
const KEY = /^[\da-f]{32}$/;
/** Milliseconds after which the file of a process that ended is deleted. */
const ABANDONED = 60_000;
/** Milliseconds between two searches for what can be deleted. */
const SWEEP_INTERVAL = 3_600_000;
/** Number of folders that a write searches. */
const SWEEP = 10;
/** First character of a file whose value is empty or begins with it. */
const ESCAPE = "\0";
/** Maximum number of attempts when other processes write. */
const ATTEMPTS = 1000;
/** Maximum number of lists of a folder that have no version. */
const EMPTY_LISTS = 20;

/**
 * Store in a folder, shared by the processes of a machine.
 *
 * Each key has a folder, and each value a file with the next number as its
 * name. A file is written under another name, flushed to the disk, and then
 * linked to its name, which fails if the name exists. So each version has one
 * writer, readers see complete values only, and a process that ends leaves no
 * lock behind.
 *
 * Files have the mode 600, folders 700. A deleted key leaves an empty file. It,
 * what a process leaves that ends during a write, and values older than the `ttl`
 * are deleted by later writes, also by those of other keys. File systems without hard links (FAT) are not supported.
 */
export class FileStore implements TokenStore {
  readonly #folder: string;
  readonly #ttl: number;
  readonly #clock: () => number;
  /** Folders to search, and the time of the next search. */
  #unswept: string[] = [];
  #sweepAt = 0;

  /**
   * Creates a store; the first value creates the folder.
   *
   * @throws {TypeError} If ttl is not a whole number, 1 or more.
   */
  constructor(
    folder: string,
    { ttl, clock = () => Date.now() }: FileStoreOptions = {},
  ) {
    checkTtl(ttl);
    this.#folder = folder;
    this.#ttl = (ttl ?? Infinity) * 1000;
    this.#clock = clock;
  }

  /** Returns the value of a key. */
  async get(key: string): Promise<string | undefined> {
    return (await this.#read(await this.#folderOf(key))).value;
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    await this.#write(await this.#folderOf(key), { value });
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    const folder = await this.#folderOf(key);
    return await this.#write(folder, { value, expected: { value: expected } });
  }

  /** Returns the folder of a key: a digest, because a key may be any text. */
  async #folderOf(key: string): Promise<string> {
    const digest = await crypto.subtle.digest(
      "SHA-256",
      new TextEncoder().encode(key),
    );
    const name = Array.from(
      new Uint8Array(digest).subarray(0, 16),
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
    return `${this.#folder}/${name}`;
  }

  /**
   * Reads the last version; number 0 if there is none. Unless this process is
   * writing, others may delete versions meanwhile, and a list may miss the last.
   */
  async #read(folder: string, isWriting = false): Promise<Version> {
    const { readFile } = await files();
    for (let i = 0; i < ATTEMPTS; i++) {
      const names = await list(folder);
      const number = Math.max(0, ...versionsOf(names));
      if (number === 0) {
        if (!isWriting && names.length > 0 && i < EMPTY_LISTS) continue;
        return { number, value: undefined, isEnd: false };
      }
      const path = pathOf(folder, number);
      const text = await readFile(path, "utf8").catch(unless("ENOENT"));
      // Without it, another process has written the next version.
      if (text === undefined) continue;
      const isOld = this.#ttl < Infinity && await this.#age(path) > this.#ttl;
      const value = isOld ? undefined : decode(text);
      return { number, value, isEnd: text === "" };
    }
    throw new Error("Cannot read the file: other processes write all the time");
  }

  /** Returns the milliseconds since the last change of a file. */
  async #age(path: string): Promise<number> {
    const { stat } = await files();
    const found = await stat(path).catch(unless("ENOENT"));
    return found ? this.#clock() - found.mtimeMs : 0;
  }

  /**
   * Writes the next version. Returns false if the value is not the expected one.
   *
   * A temporary file shows that a process is between its read and its write.
   * Meanwhile, no other process deletes a version, whose number could be used
   * again.
   */
  async #write(
    folder: string,
    { value, expected }: Write,
  ): Promise<boolean> {
    // A write does not fail for the files of another key.
    await this.#sweep().catch(() => {});
    for (let i = 0; i < ATTEMPTS; i++) {
      // Leaves nothing for a key that does not exist.
      const isNew = (await list(folder)).length === 0;
      if (isNew && expected?.value !== undefined) return false;
      if (isNew && value === undefined) return true;
      const isWritten = await this.#writeNext(folder, { value, expected });
      if (isWritten !== undefined) return isWritten;
    }
    throw new Error(
      "Cannot write the file: other processes write all the time",
    );
  }

  /** Tries to write the next version. Returns undefined if it must try again. */
  async #writeNext(
    folder: string,
    { value, expected }: Write,
  ): Promise<boolean | undefined> {
    const { link, mkdir, open, rm } = await files();
    // Fails, in spite of `recursive`, if another process deletes the folder.
    await mkdir(folder, { recursive: true, mode: 0o700 })
      .catch(unless("EEXIST", "ENOENT"));
    const temporary = `${folder}/${WRITING}${crypto.randomUUID()}.tmp`;
    // The folder may have been deleted.
    const file = await open(temporary, "wx", 0o600).catch(unless("ENOENT"));
    if (!file) return undefined;
    let version: Version;
    try {
      try {
        version = await this.#read(folder, true);
        if (expected && version.value !== expected.value) return false;
        const isMissing = version.number === 0 || version.isEnd;
        if (isMissing && value === undefined) return true;
        await file.writeFile(encode(value));
        await file.sync();
      } finally {
        await file.close();
      }
      const path = pathOf(folder, version.number + 1);
      const isLinked = await link(temporary, path)
        .then(() => true, unless("EEXIST", "ENOENT"));
      if (!isLinked) return expected ? await this.#isLost(folder) : undefined;
    } finally {
      await rm(temporary, { force: true });
    }
    await flush(folder);
    if (version.number === 0) await flush(this.#folder);
    await this.#cleanUp(folder, version.number + 1);
    return true;
  }

  /** Returns false if another process has written; undefined if it deleted. */
  async #isLost(folder: string): Promise<false | undefined> {
    return (await list(folder)).length > 0 ? false : undefined;
  }

  /** Deletes earlier versions, unless a process is about to write one. */
  async #cleanUp(folder: string, last: number): Promise<void> {
    const names = await this.#removeAbandoned(folder);
    if (names.some((name) => name.startsWith(WRITING))) return;
    for (const number of versionsOf(names).sort((a, b) => a - b)) {
      // In this order: a reader that has an earlier one would not miss it.
      if (number < last && !await remove(pathOf(folder, number))) return;
    }
  }

  /** Deletes the temporary files of processes that have ended. */
  async #removeAbandoned(folder: string): Promise<string[]> {
    const names: string[] = [];
    for (const name of await list(folder)) {
      const path = `${folder}/${name}`;
      const isOld = TEMPORARY.test(name) && await this.#age(path) > ABANDONED;
      if (!isOld || !await remove(path)) names.push(name);
    }
    return names;
  }

  /**
   * Deletes the folder of a key whose last version says that it was deleted;
   * none follows it. It gets another name first, so that a process that is about
   * to write there fails, and tries again.
   */
  async #bury(folder: string): Promise<undefined> {
    const { rename, rm } = await files();
    const grave = `${this.#folder}/.${crypto.randomUUID()}.gone`;
    try {
      await rename(folder, grave);
    } catch {
      // Another process has done it, or reads a file, on Windows.
      return undefined;
    }
    const { isEnd } = await this.#read(grave);
    // Otherwise, another process has deleted the folder, and a third one has made
    // a new one.
    await (isEnd
      ? rm(grave, { recursive: true, force: true })
      : rename(grave, folder)).catch(() => {});
    return undefined;
  }

  /**
   * Searches some folders for what can be deleted: files of processes that have
   * ended, and values that are too old.
   */
  async #sweep(): Promise<void> {
    const now = this.#clock();
    if (this.#unswept.length === 0 && now >= this.#sweepAt) {
      this.#sweepAt = now + SWEEP_INTERVAL;
      this.#unswept = await list(this.#folder);
    }
    for (const name of this.#unswept.splice(0, SWEEP)) {
      const path = `${this.#folder}/${name}`;
      if (GRAVE.test(name)) await this.#sweepGrave(path);
      if (KEY.test(name)) await this.#sweepKey(path);
    }
  }

  /** Deletes a folder whose process has ended before it deleted it. */
  async #sweepGrave(folder: string): Promise<void> {
    const { rm, stat } = await files();
    const found = await stat(folder).catch(unless("ENOENT"));
    // The time of the last rename.
    if (found && this.#clock() - found.ctimeMs > ABANDONED) {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #sweepKey(folder: string): Promise<void> {
    const { rmdir } = await files();
    const names = await this.#removeAbandoned(folder);
    // Fails if another process is about to write.
    if (names.length === 0) return await rmdir(folder).catch(() => {});
    const { number, value, isEnd } = await this.#read(folder);
    if (number === 0 || value !== undefined) return;
    const age = await this.#age(pathOf(folder, number));
    if (isEnd && age <= ABANDONED) return;
    const expected = { value: undefined };
    if (
      isEnd || await this.#writeNext(folder, { value: undefined, expected })
    ) {
      await this.#bury(folder);
    }
  }
}

/** Imports the module when it is needed, so that bundlers accept this one. */
async function files(): Promise<Files> {
  return await import("node:fs/promises");
}

/** Returns the content of a file: a deleted value is empty. */
function encode(value: string | undefined): string {
  return value === "" || value?.startsWith(ESCAPE)
    ? ESCAPE + value
    : value ?? "";
}

function decode(text: string): string | undefined {
  return text.startsWith(ESCAPE) ? text.slice(1) : text || undefined;
}

function pathOf(folder: string, number: number): string {
  return `${folder}/${number}.json`;
}

/** Lists the names in a folder; none if it does not exist. */
async function list(folder: string): Promise<string[]> {
  const { readdir } = await files();
  return await readdir(folder).catch(unless("ENOENT")) ?? [];
}

function versionsOf(names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const [, number] = VERSION.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Deletes a file. Returns false if it is being read, on Windows. */
async function remove(path: string): Promise<boolean> {
  const { rm } = await files();
  return await rm(path, { force: true }).then(() => true, () => false);
}

/** Flushes the names in a folder to the disk, where the system can. */
async function flush(folder: string): Promise<void> {
  const { open } = await files();
  try {
    const file = await open(folder, "r");
    await file.sync().finally(() => file.close());
  } catch {
    // Windows has no such operation; another process may have deleted it.
  }
}

/** Returns a function that throws errors, except for those with a code. */
function unless(
  ...codes: string[]
): (error: Error & { code?: string }) => undefined {
  return (error) => {
    if (!codes.includes(String(error.code))) throw error;
  };
}
