/** A directory of releases that tests look into and change behind the store. */
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  ReleaseDirectory,
  type ReleaseFile,
} from "../../../cep/store/release_directory.ts";
import { TempDirectory } from "../_fixtures.ts";
import { fill, Opened, soon } from "./_release.ts";

/** A directory that is removed with the block, and its release file. */
export class Folder extends TempDirectory {
  readonly file: string = join(this.path, "cep.db");

  names(): string[] {
    return readdirSync(this.path).sort();
  }

  /** Imports entries by a store that is closed again. */
  async fill(
    ...args: Parameters<typeof fill> extends [unknown, ...infer A] ? A
      : never
  ): Promise<void> {
    await using writer = await Opened.open({ path: this.path });
    await fill(writer.store, ...args);
  }

  /** Puts another file in the place of the release. */
  replace(write: (path: string) => void): void {
    const path = `${this.file}.new`;
    write(path);
    renameSync(path, this.file);
  }

  /** Rows of the file for a query. */
  query(sql: string): unknown[] {
    const database = new DatabaseSync(this.file, { readOnly: true });
    try {
      return database.prepare(sql).all().map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  }
}

export const NOTICED = "Opened a new release";

/** Counts how often a store looks for a release. */
export class Watched extends ReleaseDirectory {
  #looks = 0;
  #wake: () => void = () => {};

  override present(): Promise<ReleaseFile | undefined> {
    this.#looks++;
    this.#wake();
    return super.present();
  }

  /**
   * Waits until the store has looked anew, from beginning to end.
   *
   * @param calls How often it asks until the next look has begun: a look that
   * fails asks twice.
   */
  async looks(calls: 2 | 4 = 2): Promise<void> {
    const end = this.#looks + calls;
    while (this.#looks < end) {
      await soon(new Promise<void>((resolve) => this.#wake = resolve));
    }
  }
}
