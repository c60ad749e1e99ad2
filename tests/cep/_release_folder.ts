/** Folder of a store, as other programs see it. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { OpenedStore } from "./_stores.ts";
import { fill } from "./store/_release.ts";

/** Release files by the imports that made them. */
const prepared = new Map<string, Uint8Array>();

/** Folder of a store, removed at the end of the block. */
export class ReleaseFolder extends TemporaryFolder {
  /** Path of the release file. */
  readonly file: string = join(this.path, "cep.db");

  /** Sorted names of the files. */
  names(): string[] {
    return readdirSync(this.path).sort();
  }

  /** Writes the release of an import, which runs once for all folders. */
  async prepare(
    name: string,
    importInto: (store: Store) => Promise<unknown>,
  ): Promise<void> {
    const known = prepared.get(name);
    if (known) return writeFileSync(this.file, known);
    await using opened = await OpenedStore.open({ path: this.path });
    await importInto(opened.store);
    prepared.set(name, readFileSync(this.file));
  }

  /** Imports entries by another store. */
  async fill(
    ...args: Parameters<typeof fill> extends [unknown, ...infer A] ? A : never
  ): Promise<void> {
    await using writer = await OpenedStore.open({ path: this.path });
    await fill(writer.store, ...args);
  }

  /** Replaces the release by a renamed file. */
  replace(write: (path: string) => void): void {
    const path = `${this.file}.new`;
    write(path);
    renameSync(path, this.file);
  }

  /** Rows of the release file. */
  query(sql: string): Record<string, unknown>[] {
    const database = new DatabaseSync(this.file, { readOnly: true });
    try {
      return database.prepare(sql).all().map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  }
}
