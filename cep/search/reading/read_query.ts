import { isPreposition, isWrittenType } from "../word_kinds.ts";
import { FILLERS } from "./address_words.ts";
import { completeCep, takeCep } from "./cep_in_text.ts";
import {
  type Field,
  FIELDS,
  joinNumbers,
  joinNumerals,
  MAX_TOKENS,
  readTokens,
  splitGlued,
  type Token,
  withoutPrepositions,
} from "./tokens.ts";
import { repairText, restoreLetters } from "./repair_text.ts";
import type { GivenAddress, Query } from "./query.ts";
import { markTokens } from "./token_marks.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What spreadsheets have in place of a value: `NULL`, `n/a`, `não informado`. */
const MISSING =
  /^(?:null|none|nan|undefined|n\/[ad]|n[aã]o (?:informado|consta|possui|tem)|[-.*?_]+)$/i;

const WITHOUT_NUMBER =
  /(?<![\p{L}\d])(?:s ?[/.] ?n[º°o.]{0,2}|sn|sem n[uú]mero)(?![\p{L}\d])/giu;

/** Fields in which a CEP may stand, other than its own. */
const WITH_CEP = ["endereco", "logradouro", "bairro", "cidade"] as const;

/** Start of a street, which no neighbourhood has. */
const STREET = /^(?:r(?:ua)?|av(?:enida)?|travessa|alameda|rodovia)[\s.:]/i;

/** Reads an address. */
export function readQuery(
  { text, parts = {}, isTyped = false, isPossibleCep }: GivenAddress,
  vocabulary: Vocabulary,
): Query {
  const texts = {} as Record<Field, string>;
  for (const field of FIELDS) {
    texts[field] = field === "endereco"
      ? clean(text)
      : withoutMissing(clean(parts[field] ?? ""));
  }
  swapStreet(texts);
  let cep = completeCep(texts.cep) || takeCep(texts.cep).cep;
  for (const field of WITH_CEP) {
    const found = takeCep(texts[field], isPossibleCep);
    cep ||= found.cep;
    texts[field] = found.rest;
  }
  const hasNoNumber = FIELDS.some((field) =>
    texts[field].search(WITHOUT_NUMBER) >= 0
  );
  let tokens = FIELDS.filter((field) => field !== "cep").flatMap((field, i) =>
    readTokens(
      texts[field].replaceAll(WITHOUT_NUMBER, (it) => ";".padEnd(it.length)),
      field,
      {
        firstSegment: 100 * i,
        restore: (it) => restoreLetters(it, vocabulary),
      },
    )
  );
  const isLastTyped = isTyped && /[\p{L}\d]$/u.test(texts.endereco);
  // "rua são jose dos" may go on after its last word.
  const last = tokens.findLast(({ text, field }) =>
    field === "endereco" && !isPreposition(text)
  );
  tokens = splitLetters(joinNumerals(joinNumbers(withoutPrepositions(tokens))));
  tokens = shorten(tokens).flatMap((token) =>
    token === last && isLastTyped || FILLERS.has(token.text)
      ? [token]
      : splitGlued(token, vocabulary)
  ).slice(0, MAX_TOKENS);
  const forms = tokens.map((token) =>
    vocabulary.read(token.text, { isPrefix: isLastTyped && token === last })
  );
  return {
    texts,
    cep,
    hasNoNumber,
    ...markTokens(tokens, { forms, texts, vocabulary }),
    tokens,
    forms,
  };
}

/** Labels of blocks that stand before a letter without a blank. */
const GLUED_LETTER = /^(conj|cj|bl|bloco)([a-z])$/;

/**
 * Cuts the letter off a block: `ConjB`. Reads the `a` after a figure as an
 * ordinal before a type, otherwise as a letter: `3A Travessa`, `Rua 3a`.
 */
function splitLetters(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, i) => {
    const { text, isGlued } = token;
    const [before, next] = [tokens[i - 1], tokens[i + 1]];
    const isBeforeType = next !== undefined && isWrittenType(next.text, false);
    if (text === "a" && isGlued && isBeforeType) {
      return /^\d/.test(before?.text ?? "") ? [] : [token];
    }
    const [, block, letter] = GLUED_LETTER.exec(text) ?? [];
    if (block !== undefined) {
      return [{ ...token, text: block }, { ...token, text: letter! }];
    }
    const [, figures] = /^(\d+)a$/.exec(text) ?? [];
    return figures === undefined || isBeforeType || i === 0
      ? [token]
      : [{ ...token, text: figures }, { ...token, text: "a", isGlued: true }];
  });
}

/** Swaps the columns of a street and its neighbourhood if they are confused. */
function swapStreet(texts: Record<Field, string>): void {
  const { logradouro, bairro } = texts;
  if (!STREET.test(bairro.trim()) || STREET.test(logradouro.trim())) return;
  [texts.logradouro, texts.bairro] = [bairro, logradouro];
}

function withoutMissing(part: string): string {
  return MISSING.test(part.trim()) ? "" : part;
}

function clean(text: string): string {
  // Wide blanks tell columns apart, unless all of them are wide.
  const isWide = / {3}/.test(text) && !/\S \S/.test(text.trim());
  return repairText(isWide ? text.replaceAll(/ {2,}/g, " ") : text).replaceAll(
    /\r?\n|\r/g,
    ";",
  )
    // deno-lint-ignore no-control-regex -- files contain any character
    .replaceAll(/[\x00-\x1F\x7F]/g, " ")
    // "CamaçariBA"
    .replaceAll(/(\p{Ll})([A-Z]{2})(?!\p{L})/gu, "$1 $2");
}

/** Leaves out words that belong to no name, from a text with too many. */
function shorten(tokens: Token[]): Token[] {
  return tokens.length <= MAX_TOKENS
    ? tokens
    : tokens.filter(({ text }) => !FILLERS.has(text)).slice(0, MAX_TOKENS);
}
