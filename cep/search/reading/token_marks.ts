import { STATES } from "../../record/address.ts";
import { stateFacts } from "../../record/states.ts";
import { fold } from "../fold.ts";
import { valueOf } from "../numerals.ts";
import { isType, isWrittenType } from "../word_kinds.ts";
import {
  BARE_UNITS,
  BUILDINGS,
  FILLERS,
  FORMER,
  LANES,
  NUMBER_MARKS,
  PLAIN_UNITS,
  REFERENCES,
  UNITS,
} from "./address_words.ts";
import { firstOf } from "./bits.ts";
import type { Query } from "./query.ts";
import { type Field, FIELDS, isLetterE, type Token } from "./tokens.ts";
import { LIGHT, type Vocabulary } from "./vocabulary.ts";

/** Highest ordinal of a type: `12ª Travessa`. */
const MAX_ORDINAL = 40;

/** Parts of a query that follow from its words. */
export type Marks = Omit<
  Query,
  "tokens" | "forms" | "texts" | "cep" | "hasNoNumber"
>;

/** Tells what each word of an address may be. */
export function markTokens(
  tokens: readonly Token[],
  { forms, texts, vocabulary }: Pick<Query, "forms" | "texts"> & {
    readonly vocabulary: Vocabulary;
  },
): Marks {
  const fields = Object.fromEntries(FIELDS.map((it) => [it, 0])) as Record<
    Field,
    number
  >;
  let [types, units, buildings, marked] = [0, 0, 0, 0];
  let [fillers, figures, letters] = [0, 0, 0];
  const labels: number[] = tokens.map(() => -1);
  tokens.forEach((token, i) => {
    const { text, field, segment } = token;
    const bit = 1 << i;
    fields[field] |= bit;
    const before = tokens[i - 1];
    const isFirst = before?.segment !== segment;
    const isFigure = /^\d/.test(text);
    if (isFigure) figures |= bit;
    if (text.length === 1 && !isFigure) letters |= bit;
    // "Rua V" is no "Via" or "Vila".
    const isName = text.length === 1 && (types & bit >> 1) !== 0;
    if (
      !isName && (isWrittenType(text, isFirst) ||
        isFirst && !FILLERS.has(text) && vocabulary.meansType(forms[i]!))
    ) types |= bit;
    // "Rua Um" is a name.
    // "2ª Travessa da Rua Um" is 2ª Travessa Um.
    const isOfLane = i > 0 && !isFirst && (types & bit >> 1) !== 0 &&
      LANES.has(before!.text) && isWrittenType(text, false);
    if (isOfLane) types &= ~bit;
    const isFiller = isOfLane ||
      (text === "e"
        ? !isLetterE(tokens, i)
        : (FILLERS.has(text) && !isLetterN(tokens, i, texts[field]) ||
          isArticle(token) && types === 0) &&
          (isFirst || (types & bit >> 1) === 0));
    if (isFiller) fillers |= bit;
    if (before === undefined || before.field !== field) return;
    if (isFigure && isMarked(tokens, i, texts[field], types)) marked |= bit;
    const label = labelBefore(tokens, labels, i);
    if (label >= 0) {
      labels[i] = label;
      units |= bit | 1 << label;
    }
  });
  tokens.forEach(({ text, segment, field }, i) => {
    const isAlone = tokens[i + 1]?.segment !== segment ||
      PLAIN_UNITS.has(text) && /^\d/.test(tokens[i - 1]?.text ?? "");
    if (BARE_UNITS.has(text) && (isAlone || field === "numero")) {
      units |= 1 << i;
    }
    if (field === "numero" && UNITS.has(text)) units |= 1 << i;
    // "12 andar"
    const before = tokens[i - 1];
    if (
      text === "andar" && before?.segment === segment &&
      /^\d/.test(before.text) && labels[i + 1] !== i
    ) {
      units |= 3 << i - 1;
    }
    if (!BUILDINGS.has(text) || field === "bairro") return;
    // "Condomínio Verdade 886" is a street where no other is named.
    if (i === 0 && (types & ~units) === 0) return;
    for (let j = i; tokens[j]?.segment === segment; j++) {
      if (/^\d/.test(tokens[j]!.text)) break;
      buildings |= 1 << j;
    }
  });
  const state = findState(tokens, texts, units);
  let [afterTypes, ordinals] = [0, 0];
  for (let left = types & ~units; left !== 0; left &= left - 1) {
    const type = firstOf(left);
    const { segment } = tokens[type]!;
    let next = type + 1;
    // "Rua Dom Pedro"
    while (tokens[next]?.segment === segment && forms[next]!.weight === LIGHT) {
      next++;
    }
    if (tokens[next]?.segment === segment) afterTypes |= 1 << next;
    const before = tokens[type - 1];
    const value = valueOf(before?.text ?? "") ?? Infinity;
    // "2ª Travessa", not "SGAN 682 Alameda F"
    const isOrdinal = before?.segment === segment &&
      tokens[type - 2]?.segment !== segment && value <= MAX_ORDINAL &&
      !/^[a-z]$/.test(before.text);
    if (isOrdinal) ordinals |= 1 << type - 1;
  }
  const references = findReferences(tokens, types);
  return {
    ordinals,
    references,
    afterTypes: afterTypes & ~(fillers | types | references),
    head: findHead(
      tokens,
      types & ~(units | references),
      fillers | references | state.stateTokens,
    ),
    fields,
    types: types & ~units,
    units,
    labels,
    marked,
    buildings,
    fillers,
    figures,
    letters,
    ...state,
  };
}

/** True for an article, which may be a letter in capitals. */
function isArticle({ text, isUpperCase }: Token): boolean {
  return !isUpperCase && (text === "o" || text === "a");
}

/** True for the end of a name, `Rua Xingu-N, 240`, not for the mark of a number. */
function isLetterN(tokens: readonly Token[], i: number, text: string): boolean {
  const { text: letter, field, segment, start, end } = tokens[i]!;
  const next = tokens[i + 1];
  return letter === "n" && (field === "endereco" || field === "logradouro") &&
    tokens[i - 1]?.segment === segment &&
    !/[º°:]/.test(text.slice(start, end + 1)) &&
    !(next?.segment === segment && /^\d/.test(next.text));
}

/** True for a number after a mark: `nº 3`, `Rua Um n42`, not `N-3`, `Rua N3`. */
function isMarked(
  tokens: readonly Token[],
  i: number,
  text: string,
  types: number,
): boolean {
  const { text: figures, start, isGlued } = tokens[i]!;
  const [before, mark] = [tokens[i - 2], tokens[i - 1]!];
  if (!NUMBER_MARKS.has(mark.text)) return false;
  if (!isGlued || /[º°.]\s*$/.test(text.slice(mark.start, start + 2))) {
    return true;
  }
  if (/^n[º°.o]/i.test(text.slice(mark.start, mark.end))) return true;
  return mark.text === "n" && !mark.isGlued && before !== undefined &&
    text[start - 1] !== "-" && (types & 1 << i - 2) === 0 &&
    (before.segment !== mark.segment || figures.length > 1);
}

/** Returns the label of the unit whose number or letter a token is, or -1. */
function labelBefore(
  tokens: readonly Token[],
  labels: readonly number[],
  i: number,
): number {
  const { text, isGlued, field } = tokens[i]!;
  const isValue = text.length === 1 || /^\d+[ao]?$/.test(text) ||
    /^[ivx]+$/.test(text);
  if (!isValue) return -1;
  // "12A", "1 e 2"
  if (isGlued && labels[i - 1]! >= 0) return labels[i - 1]!;
  const isMarked = NUMBER_MARKS.has(tokens[i - 1]!.text);
  const label = isMarked ? i - 2 : i - 1;
  const before = tokens[label];
  if (before?.field !== field) return -1;
  if (UNITS.has(before.text)) return label;
  // "Q 28 L 23", "Q D L 23", "Q.28 L23"
  const isPair = before.text === "q" && tokens[i + 1]?.text === "l" ||
    before.text === "l" && tokens[i - 3]?.text === "q";
  const isLetter = /^[ql]$/.test(before.text) &&
    (/^\d/.test(text) || isPair) && (!isGlued || isPair) &&
    !before.isGlued && before.segment === tokens[i]!.segment;
  return isLetter && !isType(tokens[label - 1]?.text ?? "rua") ? label : -1;
}

/**
 * Returns the words after `perto de`, and after `antiga` before a street. Those
 * that the text begins with are near the address only if a street follows:
 * `Perto da Rua Um - Rua Dois 5`.
 */
function findReferences(tokens: readonly Token[], types: number): number {
  const isStreet = ({ segment }: Token, i: number) =>
    (types & 1 << i) !== 0 && i > 0 && segment !== tokens[0]!.segment &&
    segment !== tokens[i - 1]!.segment;
  const hasStreet = tokens.some(isStreet);
  let references = 0;
  let isInside = false;
  tokens.forEach(({ text, segment }, i) => {
    const isAfter = i > 0 ? isNamed(tokens, i, types) : hasStreet;
    const isFormer = FORMER.has(text) && (types & 2 << i) !== 0;
    isInside = (isFormer || REFERENCES.has(text)) && isAfter ||
      isInside && tokens[i - 1]!.segment === segment;
    if (isInside) references |= 1 << i;
  });
  return references;
}

/** True if words other than types, and those of a letter, precede a token. */
function isNamed(tokens: readonly Token[], i: number, types: number): boolean {
  return tokens.slice(0, i).some(({ text }, before) =>
    (types & 1 << before) === 0 && !FILLERS.has(text) && !REFERENCES.has(text)
  );
}

/**
 * Returns the tokens of the segment that names the street: the first one with a
 * type, otherwise the first one with words.
 */
function findHead(
  tokens: readonly Token[],
  types: number,
  others: number,
): number {
  const isHead = ({ field, text }: Token, i: number) =>
    (field === "endereco" || field === "logradouro") &&
    (others & 1 << i) === 0 && /^[a-z]/.test(text);
  let first = tokens.findIndex((token, i) =>
    isHead(token, i) && types & 1 << i
  );
  if (first < 0) first = tokens.findIndex(isHead);
  let head = 0;
  tokens.forEach(({ segment }, i) => {
    if (segment === tokens[first]?.segment) head |= 1 << i;
  });
  return head;
}

/**
 * Finds the state: a part, its abbreviation at the end of some words, or both
 * of them.
 */
export function findState(
  tokens: readonly Token[],
  texts: Readonly<Record<Field, string>>,
  units: number,
): Pick<Query, "uf" | "stateTokens"> {
  const given = tokens.reduce(
    (mask, { field }, i) => field === "uf" ? mask | 1 << i : mask,
    0,
  );
  const uf = toUf(texts.uf);
  const written = tokens.findLastIndex((token, i) =>
    (given === 0 || token.text.toUpperCase() === uf) &&
    (units & 1 << i) === 0 && isStateAt(tokens, i, texts)
  );
  if (written < 0) return { uf, stateTokens: given };
  return {
    uf: tokens[written]!.text.toUpperCase(),
    stateTokens: given | 1 << written,
  };
}

/** Tells whether a word of free text or of a city is an abbreviation. */
function isStateAt(
  tokens: readonly Token[],
  i: number,
  texts: Readonly<Record<Field, string>>,
): boolean {
  const { text, field, start, segment, isUpperCase } = tokens[i]!;
  if (!STATES.includes(text.toUpperCase())) return false;
  if (field !== "endereco" && field !== "cidade") return false;
  const before = texts[field].slice(0, start);
  const isLast = tokens[i + 1]?.segment !== segment;
  const isAfterSign = /[/-]\s*$/.test(before);
  const isAlone = isLast && tokens[i - 1]?.segment !== segment;
  if (i === 0 && !isAlone || /\bd[aeo]s? $/i.test(before)) return false;
  return isLast &&
      (isUpperCase || isAfterSign || isAlone || isEnd(tokens, i)) ||
    isAfterSign && isUpperCase;
}

function isEnd(tokens: readonly Token[], i: number): boolean {
  return tokens.slice(i + 1).every(({ text }) => FILLERS.has(text));
}

const STATE_NAMES: ReadonlyMap<string, string> = new Map(
  STATES.map((uf) => [fold(stateFacts(uf)!.name).join(" "), uf]),
);

/**
 * Returns the abbreviation of a state, from it or from the name, in any letter
 * case; `""` for any other text.
 */
function toUf(text: string): string {
  const uf = text.trim().toUpperCase();
  return STATES.includes(uf) ? uf : STATE_NAMES.get(fold(text).join(" ")) ?? "";
}
