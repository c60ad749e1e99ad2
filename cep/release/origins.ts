/**
 * Rows of the table `origem`: what many entries share.
 */
import type { Entry } from "../record/entry.ts";

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

/** Rows of a file, a state and an origin, by street type. */
interface Group extends Pick<OriginRow, "file" | "uf" | "origin"> {
  readonly withPrefix: Map<string, OriginRow>;
  readonly withoutPrefix: Map<string, OriginRow>;
}

/** Rows of `origem`. */
export class Origins {
  /** Returns all rows, in order of id. */
  readonly all: OriginRow[] = [];
  readonly #groups = new Map<string, Group>();
  #last: Group | undefined;

  /** Finds or adds the row of an entry. */
  find(entry: Entry): OriginRow {
    const { streetType, typeInName } = entry;
    const group = this.#groupOf(entry);
    const rows = typeInName ? group.withPrefix : group.withoutPrefix;
    let row = rows.get(streetType);
    if (row === undefined) {
      const { file, uf, origin } = group;
      const id = this.all.length + 1;
      const prefix = typeInName ? `${streetType} ` : "";
      row = { id, prefix, streetType, origin, uf, file, entries: 0 };
      this.all.push(row);
      rows.set(streetType, row);
    }
    return row;
  }

  /** Finds or adds the group of an entry, usually that of the previous one. */
  #groupOf({ file, uf, origin }: Entry): Group {
    const last = this.#last;
    if (last?.file === file && last.uf === uf && last.origin === origin) {
      return last;
    }
    const key = [file, uf, origin].join("/");
    let group = this.#groups.get(key);
    if (group === undefined) {
      const [withPrefix, withoutPrefix] = [new Map(), new Map()];
      group = { file, uf, origin, withPrefix, withoutPrefix };
      this.#groups.set(key, group);
    }
    return this.#last = group;
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
