import { formatCep } from "../../record/address.ts";
import { type Body, jsonBody, textBody } from "../exchange.ts";
import { jsonpBody } from "./jsonp.ts";
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
import { STRING } from "../open_api/schema.ts";
import { XML_DECLARATION, xmlElement } from "./xml.ts";

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
