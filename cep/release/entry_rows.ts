import type { Entry, Locality, Neighbourhood } from "../record/entry.ts";
import type { OriginRow } from "./origins.ts";
import type { Literal } from "./row_batch.ts";

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
