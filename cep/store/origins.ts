/**
 * Rows of the table `origem`: what many entries share.
 *
 * @module
 */
import type { Entry } from "../entry.ts";

/** Row of `origem`, and the number of rows of `cep` that refer to it. */
export interface OriginRow {
  readonly id: number;
  readonly prefix: string;
  readonly streetType: string;
  readonly origin: string;
  readonly uf: string;
  readonly file: string;
  entries: number;
}

/** Rows of `origem`. */
export class Origins {
  /** Returns all rows, in order of id. */
  readonly all: OriginRow[] = [];
  readonly #byKey = new Map<string, OriginRow>();
  #last: OriginRow | undefined;

  /** Finds or adds the row of an entry, usually that of the previous entry. */
  find({ file, uf, origin, streetType, typeInName }: Entry): OriginRow {
    const prefix = typeInName ? `${streetType} ` : "";
    const last = this.#last;
    if (
      last?.streetType === streetType && last.prefix === prefix &&
      last.uf === uf && last.file === file && last.origin === origin
    ) return last;
    const key = [file, uf, origin, streetType, prefix].join("/");
    let row = this.#byKey.get(key);
    if (row === undefined) {
      const id = this.all.length + 1;
      row = { id, prefix, streetType, origin, uf, file, entries: 0 };
      this.all.push(row);
      this.#byKey.set(key, row);
    }
    return this.#last = row;
  }

  /** Returns the number of entries by state or file, sorted by key. */
  totalBy(column: "uf" | "file"): Record<string, number> {
    const totals = new Map<string, number>();
    for (const row of this.all) {
      if (row.entries === 0) continue;
      totals.set(row[column], (totals.get(row[column]) ?? 0) + row.entries);
    }
    return Object.fromEntries([...totals].sort(([a], [b]) => a < b ? -1 : 1));
  }
}
