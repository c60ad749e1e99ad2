/**
 * Street, number and complement in the text of an address.
 *
 * @module
 */
import { parseStreetNumber } from "../street_number.ts";
import type { AddressParts } from "./parts.ts";
import { textSimilarity } from "./similarity.ts";
import { fold, isStreetType, isType, streetTypes } from "./words.ts";

/** Words before the number or letter of a flat, block, room or lot. */
const UNITS = new Set(
  `ap apt apto aptos apart apartamento bloco bl blc casa cs sala sl sls conj
    conjunto cj loja lj andar and quadra qd qda lote lt lts torre tr box bx
    sobrado fundos fds fd frente terreo sobreloja slj galpao unidade un subsolo
    pavimento pav ala modulo mod km kit kitnet fl flat etapa gleba setor`
    .split(/\s+/),
);

/** Words before the name of a building. */
const BUILDINGS = new Set(
  "edificio ed edf condominio cond shopping predio galeria".split(" "),
);

/** Words beside a number in a name: `24 de Maio`. */
const PARTICLES = new Set(["de", "da", "do", "das", "dos", "e"]);

/** Words that a building number never follows. */
const NUMBERED = new Set(
  `br km rodovia rod rota via trecho no n numero sqs sqn sqsw sqnw qi ql qc qn qs qsd qsa qna qnb qnd qne
    qng qnh qnj qnl qnm qnn qno qnp qr shis shin cln cls scs scn sgan sgas sia
    arse arso arne arno`.split(/\s+/),
);

/** Parts of a text that begins with a street. */
export interface StreetParts
  extends Pick<AddressParts, "logradouro" | "numero" | "complemento"> {
  /** Text after them. */
  readonly rest: string;
}

/** True if a text begins with a street type and a name: `2ª Travessa Roma`. */
export function startsStreet(text: string): boolean {
  const [first = "", ...others] = fold(text.replace(ORDINAL, "")).split(" ");
  return others.length > 0 && isStreetType(first);
}

const ORDINAL = /^\d+\s?[ªºao°]\s+/i;

/**
 * Corrects one wrong letter of a street type: `Avenda Brasil`, `Traessa Roma`.
 */
export function correctType(street: string): string {
  const [first = "", ...others] = street.split(" ");
  const word = fold(first);
  if (word.length < 4 || others.length === 0 || isType(word)) return street;
  for (const type of streetTypes()) {
    if (type.length > 4 && type[0] === word[0] && isOneEdit(word, type)) {
      return [type, ...others].join(" ");
    }
  }
  return street;
}

function isOneEdit(one: string, other: string): boolean {
  return textSimilarity(one, other) > 0.8;
}

/** True if a text is a complement: `apto 12`, `Bloco B`, `fundos`. */
export function isComplement(text: string): boolean {
  const [first = "", second, third] = fold(text).split(" ");
  if (BUILDINGS.has(first)) return true;
  // "Casa Verde" and "Conjunto Nova Era" are neighbourhoods.
  if (UNITS.has(first)) return second === undefined || isLabel(second);
  // "101", "101 B", "12 andar"
  return /^\d/.test(first) && third === undefined &&
    (second === undefined || isLabel(second) || UNITS.has(second));
}

/** Splits a text into the units that it begins with, and the text after them. */
function splitComplement(
  text: string,
): Pick<StreetParts, "complemento" | "rest"> {
  if (isComplement(text)) {
    const words = text.split(" ");
    let end = 0;
    while (end < words.length && UNITS.has(fold(words[end]!))) {
      end += isLabel(fold(words[end + 1] ?? "")) ? 2 : 1;
    }
    if (end > 0) {
      return {
        complemento: words.slice(0, end).join(" "),
        rest: words.slice(end).join(" "),
      };
    }
    return { complemento: text, rest: "" };
  }
  return { complemento: "", rest: text };
}

function isLabel(word: string): boolean {
  return word.length === 1 || /^[a-z]?\d+[a-z]?$|^[ivx]+$/.test(word);
}

/**
 * Splits a text into a number and the text after it.
 *
 * @returns `undefined` if the text does not begin with a number.
 */
export function splitNumber(
  text: string,
): { numero: string; rest: string } | undefined {
  const match = NUMBER_AND_REST.exec(text);
  if (match === null) return undefined;
  const [, numero = "", rest = ""] = match;
  return parseStreetNumber(numero) === undefined
    ? undefined
    : { numero, rest: rest.trim() };
}

const NUMBER_AND_REST =
  /^(?:#\s*|(?:n[º°o.]{0,2}|n[uú]m(?:ero)?\.?)[\s:.]*(?=\d|s\b|km))?(km\.?\s*\d+(?:[.,+]\d{1,3})?|s\s?[/.]?\s?n[º°o.]{0,2}(?![\p{L}])|sem n[uú]mero|\d{1,3}(?:\.\d{3})+(?!\d)|\d{1,9}(?:\s?[-/]\s?\d{1,6}(?!\d)|\s?-?\s?[a-z](?![\p{L}\d]))?(?!\d|[ºª°]))(?:[\s,.:-]+(.*))?$/iu;

/**
 * Splits a text that begins with a street: `Rua 7 de Setembro 100 apto 2`.
 *
 * The number of the building is the first one that is part of neither the name
 * nor the label of a unit.
 */
export function splitStreet(text: string): StreetParts {
  const words = text.split(" ");
  for (let i = 1; i < words.length; i++) {
    const tail = words.slice(i).join(" ");
    if (!/^(?:#|n[º°o.\s]|n[uú]m|s\s?[/.]|sn\b|s n\b|km|\d)/i.test(tail)) {
      continue;
    }
    if (!mayEndName(words.slice(0, i))) continue;
    const found = splitNumber(tail);
    if (found === undefined) continue;
    const { numero, rest } = found;
    const [next = ""] = fold(rest).split(" ");
    if (PARTICLES.has(next)) continue;
    const logradouro = words.slice(0, i).join(" ");
    return {
      logradouro,
      numero,
      ...splitComplement(rest),
    };
  }
  const [flat = ""] = FLAT.exec(text) ?? [];
  return {
    logradouro: flat === "" ? text : text.slice(0, -flat.length),
    numero: "",
    complemento: flat.trim(),
    rest: "",
  };
}

/** Flat or room after a street without a number: `SQS 308 Bloco A Apto 101`. */
const FLAT = /(?<=\S\s+\S+)\s+(?:ap|apt|apto|apartamento|sala|loja)\b.*$/i;

/** True if words are more than a type or a label, which a number follows. */
function mayEndName(words: readonly string[]): boolean {
  const last = fold(words.at(-1)!);
  if ([NUMBERED, UNITS, PARTICLES].some((it) => it.has(last))) return false;
  return !isType(last) || fold(words.join(" ").replace(ORDINAL, "")) !== last;
}
