import {
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  truncate,
} from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { reasonOf } from "../util/reason_of.ts";
import { type FileKind, readFileKind } from "../release/file_header.ts";
import { takeLock } from "./lock.ts";
import { DatabaseError } from "./store.ts";

/** Name of a release file: `cep.db`, or `cep-2.db`, … on Windows. */
const RELEASE_NAME = /^cep(?:-([2-9]|[1-9]\d{1,8}))?\.db$/;

/** Name of an unfinished release. */
const BUILDING_NAME = /^cep-[0-9a-f-]{36}\.building$/;

/** Name of a journal of a database of the first edition. */
const JOURNAL_NAME = /^cep\.db-(?:wal|shm|journal)$/;

/** Kinds of files that an import replaces. */
const REPLACEABLE: ReadonlySet<FileKind> = new Set<FileKind>([
  "release",
  "damaged",
  "older",
  "empty",
]);

/** Error codes of Windows for an open file. */
const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);

/** A release file at one point in time. */
export interface ReleaseFile {
  /** Absolute path. */
  readonly path: string;
  /** Text that changes with the file and its content. */
  readonly mark: string;
}

/** Options of {@linkcode ReleaseDirectory}. */
export interface ReleaseDirectoryOptions {
  /**
   * Renames a file.
   *
   * @default {rename of node:fs/promises}
   */
  readonly rename?: (from: string, to: string) => Promise<void>;
}

/** Folder of release files, of which at most one is the current one. */
export class ReleaseDirectory {
  /** Absolute path. */
  readonly path: string;
  readonly #rename: (from: string, to: string) => Promise<void>;

  constructor(path: string, options: ReleaseDirectoryOptions = {}) {
    this.path = resolve(path);
    this.#rename = options.rename ?? rename;
  }

  /** Finds the current release file: the one with the highest number. */
  async current(): Promise<ReleaseFile | undefined> {
    const [name] = await this.#releaseNames();
    if (name === undefined) return undefined;
    const path = join(this.path, name);
    const found = await stat(path, { bigint: true }).catch(ignoreMissing);
    if (found === undefined) return undefined;
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    const mark = [path, dev, ino, size, mtimeNs, ctimeNs].join(" ");
    return { path, mark };
  }

  /** Returns the names of the release files, the newest first. */
  async #releaseNames(): Promise<string[]> {
    const names = await readdir(this.path).catch(ignoreMissing) ?? [];
    return names.filter((name) => RELEASE_NAME.test(name))
      .sort((a, b) => numberOf(b) - numberOf(a));
  }

  /**
   * Takes the lock for an import and removes the leftovers of earlier ones.
   *
   * @returns A function that releases the lock.
   * @throws {DatabaseError} If another import is running, or if the current
   * file belongs to another program or to a newer version of this one.
   */
  async lock(holder: string): Promise<() => Promise<void>> {
    await mkdir(this.path, { recursive: true });
    await this.#refuseForeign();
    await this.#refuseReadOnly();
    const unlock = await takeLock(join(this.path, "seed.lock"), holder);
    try {
      for (const name of await readdir(this.path)) {
        if (BUILDING_NAME.test(name)) await this.#removeUnlessOpen(name);
      }
      const current = await this.current();
      // An interrupted publication may have left the file that it replaced.
      if (current && await readFileKind(current.path) === "release") {
        await this.#removeOld();
      }
    } catch (error) {
      await unlock();
      throw error;
    }
    return unlock;
  }

  async #refuseForeign(): Promise<void> {
    const file = await this.current();
    if (file === undefined) return;
    const kind = await readFileKind(file.path);
    if (kind === "foreign") {
      throw new DatabaseError(
        `Cannot import into "${this.path}": "${file.path}" is not a database ` +
          "of this program; set DB_PATH to another folder",
      );
    }
    if (kind === "newer") {
      throw new DatabaseError(
        `Cannot import into "${this.path}": "${file.path}" was written by a ` +
          "newer version of this program; install that version, or set " +
          "DB_PATH to another folder",
      );
    }
  }

  /** Writes a file: of an error, the driver would only name the number. */
  async #refuseReadOnly(): Promise<void> {
    const path = this.newPath();
    try {
      await (await open(path, "wx")).close();
    } catch (cause) {
      throw new DatabaseError(
        `Cannot import into "${this.path}": ${reasonOf(cause)}`,
        { cause },
      );
    }
    await rm(path, { force: true });
  }

  /**
   * Renames a current file that an import would refuse to replace.
   *
   * @returns Its new path, `undefined` if there is no such file.
   */
  async setAside(): Promise<string | undefined> {
    const file = await this.current();
    if (file === undefined) return undefined;
    if (REPLACEABLE.has(await readFileKind(file.path))) return undefined;
    const path = `${file.path}.kept-${crypto.randomUUID()}`;
    await this.#rename(file.path, path);
    return path;
  }

  /** Creates a path for an unfinished release. */
  newPath(): string {
    return join(this.path, `cep-${crypto.randomUUID()}.building`);
  }

  /** Removes an unfinished release and frees its disk space immediately. */
  async discard(path: string): Promise<void> {
    // The driver may keep the file open until garbage collection.
    await truncate(path).catch(ignoreMissing);
    await rm(path, { force: true });
  }

  /** Makes a finished file the current one. */
  async publish(path: string): Promise<void> {
    await sync(path, "r+");
    await this.#refuseForeign(); // It may have been written during the import.
    const [current = "cep.db"] = await this.#releaseNames();
    try {
      await this.#rename(path, join(this.path, current));
    } catch (error) {
      if (!IN_USE.has((error as { code?: string }).code ?? "")) throw error;
      await this.#publishBeside(path, numberOf(current) + 1);
    }
    // Both may fail: Windows cannot sync a folder or remove an open file.
    await sync(this.path, "r").catch(() => {});
    await this.#removeOld().catch(() => {});
  }

  /**
   * Publishes a copy under the next number, because Windows can neither rename
   * nor replace an open file.
   */
  async #publishBeside(path: string, number: number): Promise<void> {
    const copy = this.newPath();
    try {
      await copyFile(path, copy);
      await sync(copy, "r+");
      await this.#rename(copy, join(this.path, `cep-${number}.db`));
    } catch (error) {
      await this.discard(copy);
      throw error;
    }
    await this.#removeUnlessOpen(basename(path));
  }

  /** Removes replaced releases, and the journal of the first edition. */
  async #removeOld(): Promise<void> {
    const [current, ...old] = await this.#releaseNames();
    for (const name of old) {
      const kind = await readFileKind(join(this.path, name)).catch(() => {});
      if (kind !== undefined && REPLACEABLE.has(kind)) {
        await this.#removeUnlessOpen(name);
      }
    }
    const names = await readdir(this.path);
    // The cep.db of another program keeps its journal.
    if (current !== "cep.db" && names.includes("cep.db")) return;
    for (const name of names.filter((name) => JOURNAL_NAME.test(name))) {
      await this.#removeUnlessOpen(name);
    }
  }

  /** Removes a file. On Windows, an open file stays until a later import. */
  async #removeUnlessOpen(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true }).catch(() => {});
  }
}

function numberOf(name: string): number {
  return Number(RELEASE_NAME.exec(name)?.[1] ?? 1);
}

/** Syncs a file, or the names in a folder, to disk. */
async function sync(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as { code?: string }).code !== "ENOENT") throw error;
  return undefined;
}
