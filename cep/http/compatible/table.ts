import { municipalityFacts } from "../../record/municipalities.ts";
import { stateFacts } from "../../record/states.ts";
import { nullable, object, type Schema, STRING } from "../open_api/schema.ts";
import type { RawRecord } from "./raw_record.ts";

/** Field of an answer. */
export interface Column {
  /** Schema of the value. */
  readonly schema: Schema;
  /** Returns the value as JSON text. */
  readonly json: (record: RawRecord) => string;
}

/** Fields of an answer, by name and in their order. */
export type Table = Readonly<Record<string, Column>>;

/** A text, returned in the form of a raw value. */
export function text(read: (record: RawRecord) => string): Column {
  return { schema: STRING, json: (record) => `"${read(record)}"` };
}

/** A text, or null where `read` returns none. */
export function textOrNull(
  read: (record: RawRecord) => string | undefined,
): Column {
  return {
    schema: nullable(STRING),
    json(record) {
      const value = read(record);
      return value === undefined ? "null" : `"${value}"`;
    },
  };
}

/** A value that is the same for every record. */
export function constant(value: unknown, schema: Schema): Column {
  const json = JSON.stringify(value);
  return { schema, json: () => json };
}

/** An object with fields of its own. */
export function nested(table: Table): Column {
  return { schema: schemaOf(table), json: renderer(table) };
}

/** Returns the schema of an answer. */
export function schemaOf(table: Table): Schema {
  return object(Object.fromEntries(
    Object.entries(table).map(([name, { schema }]) => [name, schema]),
  ));
}

/** Creates the function that renders a record as JSON text. */
export function renderer(table: Table): (record: RawRecord) => string {
  const columns = Object.entries(table).map(([name, { json }], i) => ({
    before: `${i === 0 ? "{" : ","}"${name}":`,
    json,
  }));
  return (record) => {
    let text = "";
    for (const { before, json } of columns) text += before + json(record);
    return `${text}}`;
  };
}

/** Name of the record's state. */
export function stateName({ uf }: RawRecord): string {
  return stateFacts(uf)?.name ?? "";
}

/** Region of the record's state. */
export function regionName({ uf }: RawRecord): string {
  return stateFacts(uf)?.region ?? "";
}

/** Area code of the record's municipality. */
export function areaCode({ codigo_ibge }: RawRecord): string {
  return municipalityFacts(codigo_ibge)?.ddd ?? "";
}

/** SIAFI code of the record's municipality. */
export function siafiCode({ codigo_ibge }: RawRecord): string {
  return municipalityFacts(codigo_ibge)?.siafi ?? "";
}
