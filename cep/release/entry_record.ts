import type { Entry, Place } from "../record/entry.ts";
import {
  type Counted,
  type Field,
  type FieldName,
  FIELDS,
} from "../record/fields.ts";
import type { OriginRow } from "./origins.ts";
import type { SnapshotRecord } from "./snapshot_writer.ts";

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

  /** CEP of the entry. */
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
