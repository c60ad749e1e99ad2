/** Text in a folder of numbered versions, which processes change in turn. */

/** Functions of `node:fs/promises` that a store needs. */
export interface FileSystem {
  /** Gives a file another name; fails with EEXIST if the name exists. */
  link(from: string, to: string): Promise<void>;
  /** Creates a folder and those above it. */
  mkdir(
    path: string,
    options: { recursive: true; mode: number },
  ): Promise<unknown>;
  /** Creates a file (`wx`), or opens a folder to flush it (`r`). */
  open(path: string, flags: "wx" | "r", mode?: number): Promise<OpenFile>;
  /** Lists the names in a folder. */
  readdir(path: string): Promise<string[]>;
  /** Reads a file. */
  readFile(path: string, encoding: "utf8"): Promise<string>;
  /** Deletes a file. */
  rm(path: string, options: { force: true }): Promise<void>;
  /** Returns the time of the last change of a file. */
  stat(path: string): Promise<{ mtimeMs: number }>;
}

/** Open file of a {@linkcode FileSystem}. */
export interface OpenFile {
  /** Writes the content. */
  writeFile(text: string): Promise<void>;
  /** Flushes content or names to the disk. */
  sync(): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Last version: 0, without text, if there is none yet. */
interface Version {
  readonly number: number;
  readonly text: string | undefined;
}

const VERSION = /^(\d{1,15})\.json$/;
/** Name of the file of a process that is about to write, and the beginning of ours. */
const TEMPORARY = /^\..*\.tmp$/;
const WRITING = ".write-";
/** Milliseconds after which the file of a process that ended is deleted. */
const ABANDONED = 60_000;
/** Maximum number of attempts when other processes write. */
const ATTEMPTS = 1000;
/** Maximum number of lists of a folder that have no version. */
const EMPTY_LISTS = 20;

/**
 * Text in a folder, shared by the processes of a machine.
 *
 * Each version is a file with the next number as its name. It is written under
 * another name, flushed to the disk, and then linked to its name, which fails if
 * the name exists. So each version has one writer, readers see complete texts
 * only, and a process that ends leaves no lock behind.
 *
 * A temporary file shows that a process is between its read and its link.
 * Meanwhile no version is deleted, so no number is used twice: the folder and its
 * last version stay for ever, and a process whose temporary file was deleted as
 * abandoned cannot link it any more.
 */
export class Versions {
  readonly #folder: string;
  readonly #files: FileSystem;
  readonly #clock: () => number;

  constructor(folder: string, files: FileSystem, clock: () => number) {
    this.#folder = folder;
    this.#files = files;
    this.#clock = clock;
  }

  /** Returns the text of the last version. */
  async read(): Promise<string | undefined> {
    return (await this.#readLast()).text;
  }

  /**
   * Writes what `change` makes of the last version; nothing if that is
   * undefined. Calls it again if another process writes first.
   */
  async update(
    change: (text: string | undefined) => string | undefined,
  ): Promise<void> {
    for (let i = 0; i < ATTEMPTS; i++) {
      // Leaves no folder if there is nothing to write.
      const isNew = (await this.#list()).length === 0;
      if (isNew && change(undefined) === undefined) return;
      if (await this.#tryUpdate(change)) return;
    }
    throw new Error(
      "Cannot write the file: other processes keep changing it",
    );
  }

  /** Returns false if another process was faster. */
  async #tryUpdate(
    change: (text: string | undefined) => string | undefined,
  ): Promise<boolean> {
    const { link, mkdir, open } = this.#files;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.#folder}/${WRITING}${crypto.randomUUID()}.tmp`;
    const file = await open(temporary, "wx", 0o600);
    let number: number;
    try {
      try {
        const last = await this.#readLast({ isWriting: true });
        const text = change(last.text);
        if (text === undefined) return true;
        number = last.number + 1;
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      // ENOENT: another process took this one for ended.
      const isLinked = await link(temporary, this.#pathOf(number))
        .then(() => true, unless("EEXIST", "ENOENT"));
      if (!isLinked) return false;
    } finally {
      await this.#remove(temporary);
    }
    await this.#flush(this.#folder);
    if (number === 1) await this.#flush(`${this.#folder}/..`);
    await this.cleanUp();
    return true;
  }

  /** Deletes earlier versions, unless a process is about to write one. */
  async cleanUp(): Promise<void> {
    // Listed first: a process whose temporary file is made later finds the last.
    const numbers = numbersOf(await this.#list()).sort((a, b) => a - b);
    const names = await this.#removeAbandoned();
    if (names.some((name) => name.startsWith(WRITING))) return;
    for (const number of numbers.slice(0, -1)) {
      // In this order: a reader that has an earlier one would not miss it.
      if (!await this.#remove(this.#pathOf(number))) return;
    }
  }

  /**
   * Reads the last version. Unless this process is writing, others may delete
   * versions meanwhile, and a list may miss the last.
   */
  async #readLast({ isWriting = false } = {}): Promise<Version> {
    for (let i = 0; i < ATTEMPTS; i++) {
      const names = await this.#list();
      const number = Math.max(0, ...numbersOf(names));
      if (number === 0) {
        if (!isWriting && names.length > 0 && i < EMPTY_LISTS) continue;
        return { number, text: undefined };
      }
      const text = await this.#files.readFile(this.#pathOf(number), "utf8")
        .catch(unless("ENOENT"));
      // Without it, another process has written the next version.
      if (text !== undefined) return { number, text };
    }
    throw new Error("Cannot read the file: other processes keep changing it");
  }

  /** Deletes the temporary files of processes that have ended; lists the rest. */
  async #removeAbandoned(): Promise<string[]> {
    const names: string[] = [];
    for (const name of await this.#list()) {
      const path = `${this.#folder}/${name}`;
      const isAbandoned = TEMPORARY.test(name) &&
        await this.#age(path) > ABANDONED;
      if (!isAbandoned || !await this.#remove(path)) names.push(name);
    }
    return names;
  }

  /** Returns the milliseconds since the last change of a file. */
  async #age(path: string): Promise<number> {
    const found = await this.#files.stat(path).catch(unless("ENOENT"));
    return found ? this.#clock() - found.mtimeMs : 0;
  }

  /** Lists the names in the folder; none if it does not exist. */
  async #list(): Promise<string[]> {
    return await this.#files.readdir(this.#folder)
      .catch(unless("ENOENT")) ?? [];
  }

  /** Deletes a file. Returns false if it is being read, on Windows. */
  async #remove(path: string): Promise<boolean> {
    return await this.#files.rm(path, { force: true })
      .then(() => true, () => false);
  }

  /** Flushes the names in a folder to the disk, where the system can. */
  async #flush(folder: string): Promise<void> {
    try {
      const file = await this.#files.open(folder, "r");
      await file.sync().finally(() => file.close());
    } catch {
      // Windows has no such operation.
    }
  }

  #pathOf(number: number): string {
    return `${this.#folder}/${number}.json`;
  }
}

function numbersOf(names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const [, number] = VERSION.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Returns a function that throws errors, except for those with a code. */
function unless(
  ...codes: string[]
): (error: Error & { code?: string }) => undefined {
  return (error) => {
    if (!codes.includes(String(error.code))) throw error;
  };
}
