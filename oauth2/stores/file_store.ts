/**
 * Store in a folder, for programs on Deno, Node and Bun.
 *
 * @module
 */
import type { TokenStore } from "../manager/store.ts";
import { isPlainObject } from "../core/params.ts";
import { invalid } from "../core/type_error.ts";
import { readTtl, type TtlOptions } from "./store_options.ts";
import { Versions } from "./versions.ts";

export type { TtlOptions } from "./store_options.ts";

/** Options of a {@linkcode FileStore}. */
export type FileStoreOptions = TtlOptions;

/** Value, and the time of its last change in milliseconds since 1970. */
type Entry = readonly [time: number, value: string];

/** Values of a folder by the digests of their keys. */
type Entries = Record<string, Entry>;

interface Write {
  readonly value: string | undefined;
  /** Without it, any value is replaced. */
  readonly expected?: { readonly value: string | undefined } | undefined;
}

/** Name of a folder: the first digits of the digests. */
const FOLDER = /^[\da-f]{2}$/;
/** Milliseconds between two searches for what can be deleted. */
const SWEEP_INTERVAL = 3_600_000;
/** Number of folders that a write searches. */
const SWEEP = 10;

/**
 * Store in a folder, shared by the processes of a machine.
 *
 * The keys are spread over up to 256 folders, each with one file of values,
 * which a write replaces whole: some thousands of values are fine, many more
 * belong into a database. Writes are atomic and flushed to the disk.
 *
 * Files have the mode 600, folders 700. A deleted value leaves nothing in its
 * file, but the folder and the file stay. Values older than the `ttl`, and what
 * a process leaves that ends during a write, are deleted by later writes, also
 * by those of other keys. File systems without hard links (FAT) are not
 * supported.
 */
export class FileStore implements TokenStore {
  readonly #folder: string;
  readonly #lifetime: number;
  readonly #clock: () => number;
  /** Folders to search, and the time of the next search. */
  #unswept: string[] = [];
  #sweepAt = 0;

  /**
   * Creates a store; the first value creates the folder.
   *
   * @throws {TypeError} If the folder is not text, an option is unknown, or ttl
   * is not a whole number, 1 or more.
   */
  constructor(folder: string, options: FileStoreOptions = {}) {
    const { lifetime, clock } = readTtl(options);
    if (typeof folder !== "string" || folder === "") {
      throw invalid("Cannot use the folder: it must be a path, not empty");
    }
    this.#folder = folder;
    this.#lifetime = lifetime;
    this.#clock = clock;
  }

  /** Returns the value of a key. */
  async get(key: string): Promise<string | undefined> {
    const digest = await digestOf(key);
    const versions = await this.#versionsOf(digest);
    return this.#read(digest, await versions.read())[digest]?.[1];
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    await this.#write(key, { value });
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    return await this.#write(key, { value, expected: { value: expected } });
  }

  /** Writes a value. Returns false if the present one is not as expected. */
  async #write(key: string, { value, expected }: Write): Promise<boolean> {
    // A write does not fail for the files of another key.
    await this.#sweep().catch(() => {});
    const digest = await digestOf(key);
    const versions = await this.#versionsOf(digest);
    let isWritten = false;
    await versions.update((text) => {
      const { [digest]: found, ...entries } = this.#read(digest, text);
      isWritten = !expected || found?.[1] === expected.value;
      if (!isWritten || (!found && value === undefined)) return undefined;
      if (value !== undefined) entries[digest] = [this.#clock(), value];
      return JSON.stringify(entries);
    });
    return isWritten;
  }

  /** Returns the values of a folder, without those that are too old. */
  #read(name: string, text: string | undefined): Entries {
    const entries = parseEntries(text);
    if (!entries) {
      throw new Error(
        `Cannot read the last file in "${this.#pathOf(name)}": it is damaged`,
      );
    }
    const now = this.#clock();
    return Object.fromEntries(
      entries.filter(([, [time]]) => now - time <= this.#lifetime),
    );
  }

  #pathOf(name: string): string {
    return `${this.#folder}/${name.slice(0, 2)}`;
  }

  async #versionsOf(name: string): Promise<Versions> {
    return new Versions(this.#pathOf(name), await files(), this.#clock);
  }

  /**
   * Searches some folders for what can be deleted: values that are too old, and
   * files of processes that have ended.
   */
  async #sweep(): Promise<void> {
    const now = this.#clock();
    if (this.#unswept.length === 0 && now >= this.#sweepAt) {
      this.#sweepAt = now + SWEEP_INTERVAL;
      const names = await (await files()).readdir(this.#folder);
      this.#unswept = names.filter((name) => FOLDER.test(name));
    }
    for (const name of this.#unswept.splice(0, SWEEP)) {
      const versions = await this.#versionsOf(name);
      await versions.cleanUp();
      await versions.update((text) => {
        const entries = JSON.stringify(this.#read(name, text));
        return text === undefined || entries === text ? undefined : entries;
      });
    }
  }
}

/** Parses the values of a folder; undefined if the text is damaged. */
function parseEntries(text = "{}"): [name: string, entry: Entry][] | undefined {
  try {
    const found: unknown = JSON.parse(text);
    const entries = Object.entries(found as Entries);
    const areValid = isPlainObject(found) &&
      entries.every(([, entry]) =>
        typeof entry[0] === "number" && typeof entry[1] === "string"
      );
    return areValid ? entries : undefined;
  } catch {
    return undefined;
  }
}

/** Imports the module when it is needed, so that bundlers accept this one. */
async function files(): Promise<typeof import("node:fs/promises")> {
  return await import("node:fs/promises");
}

/** Returns the digest of a key, which may be any text. */
async function digestOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(key),
  );
  return Array.from(
    new Uint8Array(digest).subarray(0, 16),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}
