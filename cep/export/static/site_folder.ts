import { Buffer } from "node:buffer";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { reasonOf } from "../../util/reason_of.ts";
import { MANIFEST_PATH } from "./layout.ts";

/** Paths of the files of a site. */
const PATHS =
  /^(?:manifest|cep\/\d{5}|estados(?:\/[A-Z]{2}\/municipios)?|municipios\/\d{7})\.json$/;

/** Folders of a site. */
const FOLDERS = /^(?:cep|estados(?:\/[A-Z]{2})?|municipios)$/;

/** Name of an unfinished file. */
const PART = /^\.carteiro-[0-9a-f-]{36}\.part$/;

/** Failure to use a folder for a site. */
export class SiteError extends Error {
  /** Always `SiteError`. */
  override readonly name = "SiteError";
}

/** Folder that contains a site, or an unfinished one, or nothing. */
export class SiteFolder {
  readonly #path: string;
  /** Files that no call of `write` has confirmed. */
  readonly #old: Set<string>;
  readonly #part: string;

  private constructor(path: string, files: Iterable<string>) {
    this.#path = path;
    this.#old = new Set(files);
    this.#part = join(path, `.carteiro-${crypto.randomUUID()}.part`);
  }

  /**
   * Opens or creates a folder, and removes unfinished files.
   *
   * @throws {SiteError} If it contains a file that is not of a site, or cannot
   * be read.
   */
  static async open(path: string): Promise<SiteFolder> {
    try {
      await mkdir(path, { recursive: true });
      const files: string[] = [];
      for (
        const entry of await readdir(path, {
          recursive: true,
          withFileTypes: true,
        })
      ) {
        const name = relative(path, join(entry.parentPath, entry.name))
          .replaceAll("\\", "/");
        if (entry.isFile() && PART.test(name)) {
          await rm(join(path, name), { force: true });
        } else if (entry.isFile() && PATHS.test(name)) {
          files.push(name);
        } else if (!(entry.isDirectory() && FOLDERS.test(name))) {
          throw new SiteError(
            `it contains "${name}", which is not of a static export; choose ` +
              "an empty folder",
          );
        }
      }
      if (files.includes(MANIFEST_PATH)) await refuseForeign(path);
      return new SiteFolder(path, files);
    } catch (cause) {
      throw new SiteError(`Cannot export to "${path}": ${reasonOf(cause)}`, {
        cause,
      });
    }
  }

  /**
   * Writes a file as a whole, unless it has the same content.
   *
   * @returns True if it was written.
   * @throws {SiteError} If it cannot be written.
   */
  async write(name: string, text: string): Promise<boolean> {
    const path = join(this.#path, name);
    const bytes = Buffer.from(text);
    try {
      if (this.#old.delete(name) && bytes.equals(await readFile(path))) {
        return false;
      }
      await mkdir(dirname(path), { recursive: true });
      // The manifest completes the site.
      await this.#writePart(bytes, { sync: name === MANIFEST_PATH });
      await rename(this.#part, path);
      return true;
    } catch (cause) {
      await rm(this.#part, { force: true }).catch(() => {});
      throw new SiteError(`Cannot write "${path}": ${reasonOf(cause)}`, {
        cause,
      });
    }
  }

  async #writePart(
    bytes: Uint8Array,
    { sync }: { readonly sync: boolean },
  ): Promise<void> {
    const handle = await open(this.#part, "w");
    try {
      await handle.writeFile(bytes);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /**
   * Removes the files that have not been written since the folder was opened.
   *
   * @returns Their number.
   */
  async removeOthers(): Promise<number> {
    for (const name of this.#old) {
      await rm(join(this.#path, name), { force: true });
    }
    return this.#old.size;
  }
}

async function refuseForeign(path: string): Promise<void> {
  const text = await readFile(join(path, MANIFEST_PATH), "utf8");
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const format = (manifest as { formato?: unknown } | undefined)?.formato;
  if (typeof format === "number") return;
  throw new SiteError(
    `its ${MANIFEST_PATH} is not of a static export; choose an empty folder`,
  );
}
