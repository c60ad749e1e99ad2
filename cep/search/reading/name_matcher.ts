import type { SearchIndex } from "../search_index.ts";
import { soundOf } from "../spelling_key.ts";
import { LANES } from "./address_words.ts";
import { COSTS } from "./costs.ts";
import { countBits, firstOf, lastOf } from "./bits.ts";
import type { Query } from "./query.ts";
import { FORM_COSTS, LIGHT, type Vocabulary } from "./vocabulary.ts";

/** Words of an address that are a name. */
export interface NameMatch {
  /** Cost of the words that are missing or differ, in units of `COSTS`. */
  readonly cost: number;
  /** Tokens of the name, and of its type. */
  readonly mask: number;
  readonly share: number;
  /** True if its rarest word was found. */
  readonly hasRarest: boolean;
  /** True if a figure or single letter of the name was not found as such. */
  readonly lacksIdentifier: boolean;
  /** True if a word that says much is missing, or another one. */
  readonly lacksWord: boolean;
  /** True if only figures and letters, or one of them, tell the name. */
  readonly isNumbered: boolean;
  /** True if a word is missing, or not written in a usual form. */
  readonly differs: boolean;
  /** Cost of the type alone. */
  readonly typeCost: number;
}

/** Longest code of blocks, which is never misspelt: `SHIS`. */
const LONGEST_CODE = 4;
/** Longest code that may stand before a number: `QI`. */
const LONGEST_LETTERS = 2;

/** Letters of the sides of a street, at the end of its name: `Uruguai - E`. */
const SIDES: ReadonlySet<string> = new Set("delnosw");

/** Most places in the text where a name may begin. */
const MAX_STARTS = 4;

/** Words of a name: `from` to `end` of a list, those before `typeEnd` its type. */
export interface Name {
  readonly words: Uint32Array;
  readonly from: number;
  readonly typeEnd: number;
  readonly end: number;
}

const NONE: NameMatch = {
  cost: Infinity,
  mask: 0,
  share: 0,
  hasRarest: false,
  lacksIdentifier: false,
  lacksWord: false,
  isNumbered: false,
  differs: true,
  typeCost: 0,
};

/** Matches names with the words of one query at a time. */
export class NameMatcher {
  readonly #index: SearchIndex;
  readonly #vocabulary: Vocabulary;
  /** Tokens that may mean each word. */
  readonly #bits: Uint32Array;
  #query!: Query;
  /** Words with bits, to clear them. */
  #marked: number[] = [];
  #intervals: (readonly [number, number])[] = [];

  constructor(index: SearchIndex, vocabulary: Vocabulary) {
    this.#index = index;
    this.#vocabulary = vocabulary;
    this.#bits = new Uint32Array(index.wordCount);
  }

  /** Begins a query. */
  begin(query: Query): void {
    const bits = this.#bits;
    for (const word of this.#marked) bits[word] = 0;
    for (const [start, end] of this.#intervals) bits.fill(0, start, end);
    this.#marked = [];
    this.#intervals = [];
    this.#query = query;
    query.forms.forEach(({ costs, completions }, i) => {
      const bit = 1 << i;
      for (const word of costs.keys()) {
        bits[word]! |= bit;
        this.#marked.push(word);
      }
      if (completions === undefined) return;
      this.#intervals.push(completions);
      const [start, end] = completions;
      for (let word = start; word < end; word++) bits[word]! |= bit;
    });
  }

  /** Returns the cost of a token that means a word. */
  #costOf(token: number, word: number): number {
    const { forms, tokens } = this.#query;
    const { text, isWritten } = tokens[token]!;
    const cost = forms[token]!.costs.get(word) ?? COSTS.completed;
    if (
      cost === FORM_COSTS.editedKnown &&
      isSameName(text, this.#index.letters(word))
    ) return FORM_COSTS.spelling;
    return isWritten ? cost + COSTS.written : cost;
  }

  /**
   * Matches the words of a name.
   *
   * @param allowed Tokens that may be part of the name.
   * @param isLast True to prefer the last of equal places in the text.
   */
  match(name: Name, allowed: number, isLast = false): NameMatch {
    const { words, typeEnd, end } = name;
    let first = typeEnd;
    let starts = 0;
    while (first < end) {
      starts = this.#tokensOf(words[first]!, allowed);
      if (starts !== 0) break;
      first++;
    }
    let best = NONE;
    for (let tries = 0; starts !== 0 && tries < MAX_STARTS; tries++) {
      const start = isLast ? lastOf(starts) : firstOf(starts);
      starts &= ~(1 << start);
      if (!this.#fitsLabel(name, first, start)) continue;
      const found = this.#matchFrom(name, first, start, allowed);
      const typed = this.#addType(found, name, allowed);
      if (typed.cost < best.cost) best = typed;
    }
    return best;
  }

  /**
   * Returns the tokens that may mean a word, at any place of a name. The `R` of
   * "R. Verde" is Rua, not Rio.
   */
  #tokensOf(word: number, allowed: number): number {
    const { marked, ordinals, types, letters } = this.#query;
    return this.#bits[word]! & allowed & ~(marked | ordinals | types & letters);
  }

  /**
   * True if a token may be a word of a name. What follows the label of a unit
   * may only be if the word follows that label, too: `Quadra 8 Conjunto G`.
   */
  #fitsLabel({ words, from }: Name, i: number, token: number): boolean {
    const { labels, units } = this.#query;
    const label = labels[token]!;
    if (label < 0) {
      // "Q. 5" is not "Conjunto Q".
      return (units & 1 << token) === 0 || !this.#isIdentifier(words[i]!);
    }
    for (let before = i - 1; before >= from && before >= i - 2; before--) {
      if (this.#bits[words[before]!]! & 1 << label) return true;
    }
    return false;
  }

  /** @param start Token of the first word that is found. */
  #matchFrom(
    name: Name,
    first: number,
    start: number,
    allowed: number,
  ): NameMatch {
    const { words, typeEnd, end } = name;
    const { letters, labels } = this.#query;
    let cost = 0;
    let mask = 0;
    let matched = 0;
    let missing = 0;
    let rarest = 0;
    let hasRarest = false;
    let lacksIdentifier = false;
    let lacksWord = false;
    let identifiers = 0;
    let isPlain = true;
    let differs = false;
    let hasSpelt = false;
    let hasShort = false;
    let hasWord = false;
    let last = -1;
    const before = this.#matchBefore(name, first, start, allowed);
    for (let i = typeEnd; i < end; i++) {
      const word = words[i]!;
      const weight = this.#vocabulary.weightOf(word);
      const isIdentifier = this.#isIdentifier(word);
      if (isIdentifier) identifiers++;
      else isPlain &&= weight === LIGHT || this.#vocabulary.isUnit(word);
      let token = i === first
        ? start
        : i < first
        ? before[i - typeEnd]!
        : this.#next(name, i, allowed & ~mask, last);
      let own = token < 0
        ? 0
        : i < first
        ? COSTS.initial
        : this.#costOf(token, word);
      if (token < 0 && i > first && !isIdentifier) {
        const other = this.#loosely(word, allowed & ~mask, last);
        if (other !== undefined) [token, own] = other;
      }
      if (token < 0) {
        missing += weight;
        differs = true;
        lacksIdentifier ||= isIdentifier;
        lacksWord ||= !isIdentifier && weight !== LIGHT;
        cost += isIdentifier
          ? COSTS.missingIdentifier
          : COSTS.missingWord * weight +
            (weight === LIGHT ? 0 : COSTS.missingBase);
      } else {
        differs ||= own > FORM_COSTS.abbreviation;
        if (!isIdentifier) {
          hasWord = true;
          const isUsual = own <= FORM_COSTS.abbreviation;
          const isCode = !isUsual && this.#isCode(name, i);
          lacksWord ||= (letters & 1 << token) !== 0
            // A letter at the end of a name is rarely the word that it begins,
            // nor is "P-2" Pedro 2.
            ? i === end - 1 || !isUsual && this.#isIdentifier(words[i + 1]!)
            : isCode || this.#isOther(token, word, own) ||
              // "Rua Martins" is not Rua Marina.
              end === typeEnd + 1 && this.#isKnownOther(token, word, own);
          if (isCode) own = Math.max(own, FORM_COSTS.edited);
          const isShort = own >= FORM_COSTS.edited &&
            this.#index.letters(word).length <= LONGEST_CODE;
          hasShort ||= isShort;
          hasSpelt ||= weight !== LIGHT && !isShort &&
            (letters & 1 << token) === 0;
        }
        // "Filho" is not "F", although "F" may be "Filho".
        const isOther = own > 0 && /^[a-z]$/.test(this.#index.letters(word));
        if (isIdentifier && (own > COSTS.sameFigure || isOther)) {
          lacksIdentifier = true;
          own = 1.5;
        }
        // "Rua Projetada, 842-H" is not Rua Projetada H.
        lacksIdentifier ||= isIdentifier && last !== token - 1 &&
          this.#isSuffix(token);
        cost += own * (1 + 1.5 * weight);
        if (last >= 0) {
          const step = this.#costOfStep(last, token, isIdentifier);
          // "Rua Cinco 514, 5" is not "Rua Cinco 5".
          lacksIdentifier ||= step >= COSTS.extraIdentifier ||
            isIdentifier && token < last && labels[token]! < 0;
          cost += step;
        }
        mask |= 1 << token;
        matched += weight;
        last = token;
      }
      // An identifier is rare, but does not tell a street alone.
      if (isIdentifier || weight === LIGHT) {
        if (rarest === 0) hasRarest ||= token >= 0;
      } else if (weight > rarest) {
        rarest = weight;
        hasRarest = token >= 0;
      }
    }
    return {
      cost,
      mask,
      share: matched / (matched + missing),
      hasRarest,
      lacksIdentifier,
      // "Rua Pai" is not Rua Pax, nor "Rua 4" Rua Acesso 4.
      lacksWord: lacksWord || hasShort && !hasSpelt ||
        !hasWord && identifiers < end - typeEnd,
      isNumbered: identifiers === 1 || identifiers > 0 && isPlain,
      differs,
      typeCost: 0,
    };
  }

  /** True for the letter of a number that tells no side: `842-H`. */
  #isSuffix(token: number): boolean {
    const { tokens, figures, letters } = this.#query;
    const { text, isGlued } = tokens[token]!;
    return (letters & 1 << token) !== 0 && isGlued && !SIDES.has(text) &&
      (figures & 1 << token - 1) !== 0;
  }

  /** True for a code of blocks, by what follows: `QNM 18`, `SHIN QI 9`. */
  #isCode({ words, end }: Name, i: number): boolean {
    const text = this.#index.letters(words[i]!);
    if (text.length > LONGEST_CODE) return false;
    if (!/[aeiouy]/.test(text)) return true;
    const next = words[i + 1]!;
    return i + 1 < end && (this.#isIdentifier(next) ||
      this.#vocabulary.isUnit(next) ||
      this.#index.letters(next).length <= LONGEST_LETTERS);
  }

  /** True if a token is rather another word than a misspelt one. */
  #isOther(token: number, word: number, cost: number): boolean {
    const { tokens, forms } = this.#query;
    const { text } = tokens[token]!;
    // "Maria" is not Mariana, nor "José" Josefa, although "Men" may be Mendes.
    if (cost === COSTS.shortened) {
      return forms[token]!.isKnown && text.length >= LONGEST_CODE;
    }
    const letters = this.#index.letters(word);
    return cost === FORM_COSTS.editedKnown ||
      cost >= FORM_COSTS.edited && isOtherName(text, letters) ||
      cost === FORM_COSTS.spelling && this.#index.findWord(text) >= 0 &&
        soundsLikeOther(text, letters);
  }

  /** True if a token is a word of other names as it is written. */
  #isKnownOther(token: number, word: number, cost: number): boolean {
    const { text } = this.#query.tokens[token]!;
    return (cost === FORM_COSTS.spelling || cost >= FORM_COSTS.edited) &&
      this.#index.findWord(text) >= 0 &&
      !isSameName(text, this.#index.letters(word));
  }

  /** Finds the initials of the words before the first one that is found. */
  #matchBefore(
    { words, typeEnd }: Name,
    first: number,
    start: number,
    allowed: number,
  ): number[] {
    const { tokens, types } = this.#query;
    const found: number[] = [];
    let token = start - 1;
    for (let i = first - 1; i >= typeEnd; i--) {
      const { text } = tokens[token] ?? { text: "" };
      const isInitial = text.length === 1 &&
        (allowed & ~types & 1 << token) !== 0 &&
        this.#index.letters(words[i]!)[0] === text;
      found.unshift(isInitial ? token-- : -1);
    }
    return found;
  }

  /** Returns the token for the next word, the nearest one after the last. */
  #next(name: Name, i: number, free: number, last: number): number {
    const word = name.words[i]!;
    let tokens = this.#tokensOf(word, free);
    let found = -1;
    let least = Infinity;
    for (; tokens !== 0; tokens &= tokens - 1) {
      const token = firstOf(tokens);
      const label = this.#query.labels[token]!;
      if (label >= 0 && free & 1 << label) continue;
      if (!this.#fitsLabel(name, i, token)) continue;
      const distance = token > last ? token - last : 8 + last - token;
      const cost = distance + 20 * this.#costOf(token, word);
      if (cost < least) [found, least] = [token, cost];
    }
    return found;
  }

  /** Cost of the words between two words of a name. */
  #costOfStep(last: number, token: number, isIdentifier: boolean): number {
    if (token < last) return COSTS.order;
    const { tokens, figures } = this.#query;
    const between = (1 << token) - (2 << last) & ~this.#query.fillers;
    let cost: number = COSTS.gap * Math.min(countBits(between), 4);
    // "Rua Projetada 939, 22" is not "Rua Projetada 22".
    if ((between & figures) !== 0 && (figures & 1 << token) !== 0) {
      cost += COSTS.extraIdentifier;
    }
    if (tokens[token]!.segment !== tokens[last]!.segment) {
      cost += isIdentifier ? COSTS.identifierBeyondSign : COSTS.beyondSign;
    }
    return cost;
  }

  /** Finds an initial, or the first letters of a word, after the last token. */
  #loosely(
    word: number,
    free: number,
    last: number,
  ): [token: number, cost: number] | undefined {
    const token = last + 1;
    if (last < 0 || (free & 1 << token) === 0) return undefined;
    const { tokens, labels } = this.#query;
    if (labels[token]! >= 0) return undefined;
    const { text } = tokens[token]!;
    const letters = this.#index.letters(word);
    return letters.length > text.length && letters.startsWith(text)
      ? [token, text.length < 3 ? COSTS.initial : COSTS.shortened]
      : undefined;
  }

  /** True for a word before a name that says little, and is no type. */
  #isTitle(token: number, first: number): boolean {
    const { forms, types, tokens } = this.#query;
    return forms[token]!.weight === LIGHT && (types & 1 << token) === 0 &&
      tokens[token]!.segment === tokens[first]!.segment;
  }

  /** True for a numeral or a single letter. */
  #isIdentifier(word: number): boolean {
    return this.#vocabulary.isIdentifier(word);
  }

  /** Adds the type before a name. */
  #addType(
    found: NameMatch,
    { words, from, typeEnd }: Name,
    allowed: number,
  ): NameMatch {
    const { types, tokens } = this.#query;
    const first = firstOf(found.mask);
    let { mask } = found;
    let typeCost = typeEnd > from ? COSTS.missingType : 0;
    let token = first - 1;
    // "Rua Doutor Domingos" for "Rua Domingos"
    while (token > 0 && this.#isTitle(token, first)) token--;
    for (let i = typeEnd - 1; i >= from && token >= 0; i--) {
      const bit = 1 << token;
      if ((this.#bits[words[i]!]! & allowed & bit & ~mask) === 0) continue;
      mask |= bit;
      typeCost = 0;
      token--;
    }
    const isTyped = token >= 0 &&
      (types & allowed & ~mask & 1 << token) !== 0 &&
      tokens[token]!.segment === tokens[first]!.segment;
    if (mask === found.mask && isTyped) {
      mask |= 1 << token;
      const isLane = LANES.has(this.#index.letters(words[from]!)) ||
        LANES.has(tokens[token]!.text);
      typeCost = typeEnd === from
        ? COSTS.missingType
        : isLane
        ? COSTS.otherLane
        : COSTS.otherType;
    } else if (mask === found.mask && typeEnd > from) {
      // The type may stand elsewhere: `Paulista, avenida`.
      const other = this.#bits[words[from]!]! & allowed & ~mask & types;
      if (other !== 0) {
        mask |= other & -other;
        typeCost = COSTS.missingType;
      }
    }
    // "2ª Travessa Roma" is not "Travessa Roma".
    for (let i = from; i < typeEnd; i++) {
      const isOrdinal = this.#isIdentifier(words[i]!) &&
        (this.#bits[words[i]!]! & mask) === 0;
      if (isOrdinal) typeCost += COSTS.otherOrdinal;
    }
    // "Travessa da Rua Sete" is not "Rua Sete".
    const lowest = firstOf(mask);
    const isOther = lowest > 0 && lowest < first &&
      (types & 1 << lowest - 1) !== 0 &&
      tokens[lowest - 1]!.segment === tokens[first]!.segment;
    if (isOther) {
      mask |= 1 << lowest - 1;
      typeCost += COSTS.otherLane;
    }
    return { ...found, mask, typeCost, cost: found.cost + typeCost };
  }
}

/** True for two spellings of one name: `Manoel` and `Manuel`. */
export function isSameName(one: string, other: string): boolean {
  return withoutOldVowels(one) === withoutOldVowels(other);
}

function withoutOldVowels(name: string): string {
  return name.replace("ae", "ai").replace("oel", "uel").replace(/oes$/, "ois");
}

/**
 * True if a word is rather another name than a typing error: `Fernanda` for
 * `Fernando`, `Paulino` for `Paulo`.
 */
export function isOtherName(written: string, known: string): boolean {
  if (known.startsWith(written)) return false;
  return isLonger(written, known) &&
      isLonger(soundOf(written), soundOf(known)) ||
    written !== known && withoutGender(written) === withoutGender(known);
}

/** True for two names that only seem to be one: `Lúcia` and `Luzia`. */
export function soundsLikeOther(written: string, known: string): boolean {
  return written !== known && withZ(written) === withZ(known);
}

function withZ(name: string): string {
  return name.replaceAll(/c(?=[eiy])/g, "z");
}

function isLonger(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) > 1;
}

/** Leaves out the end of a name: `Sebastião`, `Sebastiana`, `Gabriela`. */
function withoutGender(name: string): string {
  return name.replace(/(?:ao|ana|[ao])$/, "");
}
