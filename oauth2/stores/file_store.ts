/**
 * Store in a folder, for programs on Deno, Node and Bun.
 *
 * @module
 */
import type { TokenStore } from "../manager/store.ts";

type Files = typeof import("node:fs/promises");

/** Version of a value, the number in the name of its file. */
interface Version {
  readonly number: number;
  /** Undefined if the value was deleted. */
  readonly value: string | undefined;
}

/** Name of the file of a version. */
const VERSION = /^(\d{1,15})\.json$/;
/** Name of a file that is being written. */
const TEMPORARY = /^\..*\.tmp$/;
/** Milliseconds after which the file of a process that ended is deleted. */
const ABANDONED = 60_000;
/** First character of a file whose value is empty or begins with it. */
const ESCAPE = "\0";
/** Maximum number of attempts when other processes write. */
const ATTEMPTS = 1000;

/**
 * Store in a folder, shared by the processes of a machine.
 *
 * Each key has a folder, and each value a file with the next number as its
 * name. A file is written under another name, flushed to the disk, and then
 * linked to its name, which fails if the name exists. So each version has one
 * writer, readers see complete values only, and a process that ends leaves no
 * lock behind.
 *
 * Files have the mode 600, folders 700. File systems without hard links (FAT)
 * are not supported.
 */
export class FileStore implements TokenStore {
  readonly #folder: string;

  /** Creates a store; the first value creates the folder. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the value of a key. */
  async get(key: string): Promise<string | undefined> {
    return (await this.#read(await this.#folderOf(key))).value;
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    const folder = await this.#folderOf(key);
    for (let i = 0; i < ATTEMPTS; i++) {
      const { number } = await this.#read(folder);
      if (await this.#write(folder, number + 1, value)) return;
    }
    throw new Error(
      "Cannot write the file: other processes write all the time",
    );
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    const folder = await this.#folderOf(key);
    const version = await this.#read(folder);
    return version.value === expected &&
      await this.#write(folder, version.number + 1, value);
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

  /** Reads the last version; number 0 if there is none. */
  async #read(folder: string): Promise<Version> {
    const { readFile } = await files();
    for (let i = 0; i < ATTEMPTS; i++) {
      const number = Math.max(0, ...await listVersions(folder));
      if (number === 0) return { number, value: undefined };
      const text = await readFile(pathOf(folder, number), "utf8")
        .catch(unless("ENOENT"));
      // Without it, another process has written the next version.
      if (text !== undefined) return { number, value: decode(text) };
    }
    throw new Error("Cannot read the file: other processes write all the time");
  }

  /** Writes a version. Returns false if another process has written it. */
  async #write(
    folder: string,
    number: number,
    value: string | undefined,
  ): Promise<boolean> {
    const { link, mkdir, open, rm } = await files();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = `${folder}/.${crypto.randomUUID()}.tmp`;
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(encode(value));
        await file.sync();
      } finally {
        await file.close();
      }
      const isLinked = await link(temporary, pathOf(folder, number))
        .then(() => true, unless("EEXIST"));
      if (!isLinked) return false;
    } finally {
      await rm(temporary, { force: true });
    }
    const versions = await listVersions(folder);
    // A process that was stopped meanwhile may write a number that others wrote
    // and deleted.
    if (Math.max(...versions) > number) {
      await rm(pathOf(folder, number), { force: true });
      return false;
    }
    await cleanUp(folder, versions.filter((version) => version < number));
    return true;
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

async function listVersions(folder: string): Promise<number[]> {
  const { readdir } = await files();
  const names = await readdir(folder).catch(unless("ENOENT")) ?? [];
  return names.flatMap((name) => {
    const [, number] = VERSION.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Deletes earlier versions, and files of processes that have ended. */
async function cleanUp(
  folder: string,
  versions: readonly number[],
): Promise<void> {
  const { readdir, rm, stat } = await files();
  // On Windows, a file that is being read cannot be deleted.
  const remove = (path: string) => rm(path, { force: true }).catch(() => {});
  for (const version of versions) await remove(pathOf(folder, version));
  for (const name of await readdir(folder)) {
    if (!TEMPORARY.test(name)) continue;
    const { mtimeMs = Infinity } =
      await stat(`${folder}/${name}`).catch(unless("ENOENT")) ?? {};
    if (Date.now() - mtimeMs > ABANDONED) await remove(`${folder}/${name}`);
  }
}

/** Returns a function that throws errors, except for those with a code. */
function unless(code: string): (error: Error & { code?: string }) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
