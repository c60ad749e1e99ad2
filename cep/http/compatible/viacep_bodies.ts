import { formatCep } from "../../record/address.ts";
import { type Body, jsonBody, textBody } from "../exchange.ts";
import { type RawRecord, unescaped } from "./raw_record.ts";
import {
  areaCode,
  constant,
  regionName,
  renderer,
  siafiCode,
  stateName,
  type Table,
  text,
} from "./table.ts";
import { matching, type Schema, STRING } from "../open_api/schema.ts";

/** Fields of a record, as ViaCEP names them. */
export const VIACEP_FIELDS: Table = {
  cep: text(({ cep }) => formatCep(cep)),
  logradouro: text(streetOnly),
  complemento: text(complement),
  unidade: text(({ nome }) => nome),
  bairro: text(({ bairro }) => bairro),
  localidade: text(({ cidade }) => cidade),
  uf: text(({ uf }) => uf),
  estado: text(stateName),
  regiao: text(regionName),
  ibge: text(({ codigo_ibge }) => codigo_ibge),
  // The state of São Paulo assigns it; no public source is complete.
  gia: constant("", STRING),
  ddd: text(areaCode),
  siafi: text(siafiCode),
};

/**
 * Returns the street of a record: an address such as `Avenida Paulista, 2100`
 * without its number, which ViaCEP has in `complemento`.
 */
function streetOnly(record: RawRecord): string {
  const comma = commaIn(record);
  return comma === -1 ? record.logradouro : record.logradouro.slice(0, comma);
}

function complement(record: RawRecord): string {
  const comma = commaIn(record);
  return comma === -1
    ? record.complemento
    : record.logradouro.slice(comma + COMMA.length);
}

const COMMA = ", ";

/** Returns the index of the comma before the number of an address, or -1. */
function commaIn({ tipo_origem, logradouro, complemento }: RawRecord): number {
  return tipo_origem === "logradouro" || complemento !== ""
    ? -1
    : logradouro.indexOf(COMMA);
}

/** Returns a record as JSON text. */
export const viacepJson: (record: RawRecord) => string = renderer(
  VIACEP_FIELDS,
);

const COLUMNS = Object.entries(VIACEP_FIELDS);

/** Returns the elements of a record. */
export function viacepElements(record: RawRecord, indent: string): string {
  let lines = "";
  for (const [name, { json }] of COLUMNS) {
    lines += xmlElement(name, unescaped(json(record).slice(1, -1)), indent);
  }
  return lines;
}

/** Creates a body of JSON, or of JSONP for a callback. */
export function viacepBody(json: string, callback: string | undefined): Body {
  return callback === undefined ? jsonBody(json) : jsonpBody(callback, json);
}

/** Creates a body of XML, from the lines within the root element. */
export function viacepXml(lines: string): Body {
  return textBody(
    `${XML_DECLARATION}<xmlcep>\n${lines}</xmlcep>\n`,
    "application/xml; charset=utf-8",
  );
}

/** A path of identifiers and indexes, such as `angular.callbacks[0]`. */
const CALLBACK =
  /^[A-Za-z_$][0-9A-Za-z_$]*(?:\.[A-Za-z_$][0-9A-Za-z_$]*|\[\d{1,9}\])*$/;

const MAX_LENGTH = 200;

/** Schema of a callback, which may be empty. */
export const CALLBACK_TEXT: Schema = {
  ...matching(new RegExp(`^$|${CALLBACK.source}`), "mostrar"),
  maxLength: MAX_LENGTH,
};

/** True if a text is the name of a function, and nothing else. */
export function isCallback(text: string): boolean {
  return text.length <= MAX_LENGTH && CALLBACK.test(text);
}

/** Creates a body that calls a function with a JSON text. */
export function jsonpBody(callback: string, json: string): Body {
  // Line ends in string literals before ES2019, but not in JSON.
  const argument = json.replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return textBody(
    `${callback}(${argument});`,
    "application/javascript; charset=utf-8",
  );
}

/** XML declaration, with the line feed after it. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Characters with a meaning in XML, and those that it cannot contain. */
const SPECIAL =
  // deno-lint-ignore no-control-regex
  /[&<>"'\u0000-\u0008\v\f\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Characters among which are all of {@linkcode SPECIAL}. */
// deno-lint-ignore no-control-regex
const SUSPECT = /[&<>"'\u0000-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

/**
 * Escapes text for an element. A character that XML cannot contain becomes a
 * replacement character.
 */
export function escapeXml(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replaceAll(SPECIAL, (it) => ENTITIES[it] ?? "\uFFFD");
}

/** Returns an element on a line of its own, with text as its content. */
export function xmlElement(name: string, text: string, indent: string): string {
  return `${indent}<${name}>${escapeXml(text)}</${name}>\n`;
}
