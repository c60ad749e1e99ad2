import type { Entry, Locality, Neighbourhood, Place } from "../record/entry.ts";
import type { Literal } from "./row_batch.ts";
import {
  type Counted,
  type Field,
  type FieldName,
  FIELDS,
} from "../record/fields.ts";
import type { SnapshotRecord } from "./snapshot_writer.ts";

/** Returns the columns of `localidade`. */
export function toLocalityRow(it: Locality, order: number): Literal[] {
  const { number, uf, name, cep, situation, type, parent, ibge } = it;
  const { abbreviation } = it;
  return [
    number,
    uf,
    name,
    cep,
    situation,
    type,
    parent,
    ibge,
    abbreviation,
    order,
  ];
}

/** Returns the columns of `bairro`. */
export function toBairroRow(it: Neighbourhood): Literal[] {
  return [it.number, it.uf, it.locality, it.name, it.abbreviation];
}

/** Returns the columns that `cep` and `duplicado` share, in order. */
export function toEntryRow(entry: Entry, origin: OriginRow): Literal[] {
  return [
    Number(entry.cep),
    entry.number,
    entry.locality,
    entry.neighbourhood,
    origin.id,
    entry.order,
    entry.street,
    entry.complement,
    entry.name,
  ];
}

/** Returns the columns of `origem`. */
export function toOriginRow(it: OriginRow): Literal[] {
  return [it.id, it.prefix, it.streetType, it.origin, it.uf, it.file];
}

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

/** Key of entries without a neighbourhood. */
const NOWHERE = -Infinity;

/** States that fit between two localities. */
const STATES = 1 << 8;

/** Parts of an entry's record. */
export interface RecordSource {
  readonly entry: Entry;
  readonly place: Place;
  readonly counted: Counted | undefined;
  readonly origin: OriginRow;
}

/** Record of one entry at a time, without an object for each. */
export class EntryRecord implements SnapshotRecord {
  readonly keys = { neighbourhood: 0, locality: 0, kind: 0 };
  readonly #states = new Map<string, number>();
  #source!: RecordSource;
  #isCounted = false;

  get cep(): string {
    return this.#source.entry.cep;
  }

  /**
   * Sets the entry.
   *
   * @param isCounted True if records have the fields of the CNEFE.
   */
  set(source: RecordSource, isCounted: boolean): this {
    const { entry: { neighbourhood, locality, uf, origin: kind }, origin } =
      source;
    this.#source = source;
    this.#isCounted = isCounted;
    this.keys.neighbourhood = neighbourhood ??
      (kind === "localidade" ? -1 - locality : NOWHERE);
    this.keys.locality = locality * STATES + this.#numberOf(uf);
    this.keys.kind = origin.id;
    return this;
  }

  #numberOf(uf: string): number {
    let number = this.#states.get(uf);
    if (number === undefined) {
      number = this.#states.size;
      this.#states.set(uf, number);
    }
    return number;
  }

  value(name: FieldName): string | undefined {
    const field: Field = FIELDS[name];
    if (field.source === "cnefe" && !this.#isCounted) return undefined;
    const { entry, place, counted } = this.#source;
    return field.value(entry, place, counted);
  }
}
