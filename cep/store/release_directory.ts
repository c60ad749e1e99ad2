/**
 * The directory of the release files: which one is present, and how another
 * takes its place.
 *
 * @module
 */
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
import { type FileKind, readFileKind } from "./file_header.ts";
import { takeLock } from "./lock.ts";
import { DatabaseError } from "./store.ts";

/** Name of the release file, or where it cannot be replaced, `cep-2.db`, … */
const RELEASE_NAME = /^cep(?:-([2-9]|[1-9]\d{1,8}))?\.db$/;

/** Name of a release in the making. */
const BUILDING_NAME = /^cep-[0-9a-f-]{36}\.building$/;

/** Journals that the first edition kept beside its database. */
const JOURNAL_NAME = /^cep\.db-(?:wal|shm|journal)$/;

/** Files that an import replaces. */
const REPLACEABLE: ReadonlySet<FileKind> = new Set<FileKind>([
  "release",
  "damaged",
  "older",
  "empty",
]);

/** Error codes of Windows for a file that is open. */
const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);

/** A release file, as it was when it was looked at. */
export interface ReleaseFile {
  /** Its absolute path. */
  readonly path: string;
  /** Another file, or another content, has another mark. */
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

/** A directory with at most one present release. */
export class ReleaseDirectory {
  /** Absolute path. */
  readonly path: string;
  readonly #rename: (from: string, to: string) => Promise<void>;

  constructor(path: string, options: ReleaseDirectoryOptions = {}) {
    this.path = resolve(path);
    this.#rename = options.rename ?? rename;
  }

  /** The present release file, of several the one with the highest number. */
  async present(): Promise<ReleaseFile | undefined> {
    const [name] = await this.#releaseNames();
    if (name === undefined) return undefined;
    const path = join(this.path, name);
    const found = await stat(path, { bigint: true }).catch(ignoreMissing);
    if (found === undefined) return undefined;
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    const mark = [path, dev, ino, size, mtimeNs, ctimeNs].join(" ");
    return { path, mark };
  }

  /** The newest first. */
  async #releaseNames(): Promise<string[]> {
    const names = await readdir(this.path).catch(ignoreMissing) ?? [];
    return names.filter((name) => RELEASE_NAME.test(name))
      .sort((a, b) => numberOf(b) - numberOf(a));
  }

  /**
   * Takes the lock of an import and removes what an earlier one has left.
   *
   * @returns A function that releases the lock.
   * @throws {DatabaseError} If another import is running, or the present file
   * belongs to another program or a newer version of this one.
   */
  async lock(holder: string): Promise<() => Promise<void>> {
    await mkdir(this.path, { recursive: true });
    await this.#refuseForeign();
    const unlock = await takeLock(join(this.path, "seed.lock"), holder);
    try {
      for (const name of await readdir(this.path)) {
        if (BUILDING_NAME.test(name)) await this.#removeUnlessOpen(name);
      }
    } catch (error) {
      await unlock();
      throw error;
    }
    return unlock;
  }

  async #refuseForeign(): Promise<void> {
    const file = await this.present();
    if (file === undefined) return;
    const kind = await readFileKind(file.path);
    if (kind === "foreign") {
      throw new DatabaseError(
        `Cannot import into "${this.path}": "${file.path}" is not a database ` +
          "of this program; set DB_PATH to another directory",
      );
    }
    if (kind === "newer") {
      throw new DatabaseError(
        `Cannot import into "${this.path}": "${file.path}" was written by a ` +
          "newer version of this program",
      );
    }
  }

  /** A path for a release in the making. */
  newPath(): string {
    return join(this.path, `cep-${crypto.randomUUID()}.building`);
  }

  /** Removes a release in the making and gives its space back at once. */
  async discard(path: string): Promise<void> {
    // The driver may keep the file open until the garbage is collected.
    await truncate(path).catch(ignoreMissing);
    await rm(path, { force: true });
  }

  /** Makes a finished file the present one. */
  async publish(path: string): Promise<void> {
    await sync(path, "r+");
    await this.#refuseForeign(); // It may have come during the import.
    const [present = "cep.db"] = await this.#releaseNames();
    try {
      await this.#rename(path, join(this.path, present));
    } catch (error) {
      if (!IN_USE.has((error as { code?: string }).code ?? "")) throw error;
      await this.#publishBeside(path, numberOf(present) + 1);
    }
    // Published it is; Windows syncs no directory and removes no open file.
    await sync(this.path, "r").catch(() => {});
    await this.#removeOld().catch(() => {});
  }

  /**
   * Windows renames neither over a file that is open nor one that is open
   * itself: there a copy becomes the release file with the next number.
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

  /** Removes releases that were replaced, and the first edition's journal. */
  async #removeOld(): Promise<void> {
    const [present, ...old] = await this.#releaseNames();
    for (const name of old) {
      const kind = await readFileKind(join(this.path, name)).catch(() => {});
      if (kind !== undefined && REPLACEABLE.has(kind)) {
        await this.#removeUnlessOpen(name);
      }
    }
    const names = await readdir(this.path);
    // A foreign cep.db keeps its journal.
    if (present !== "cep.db" && names.includes("cep.db")) return;
    for (const name of names.filter((name) => JOURNAL_NAME.test(name))) {
      await this.#removeUnlessOpen(name);
    }
  }

  /** Windows removes no open file; a later import will. */
  async #removeUnlessOpen(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true }).catch(() => {});
  }
}

function numberOf(name: string): number {
  return Number(RELEASE_NAME.exec(name)?.[1] ?? 1);
}

/** Waits until a file, or the names in a directory, are on the disk. */
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
