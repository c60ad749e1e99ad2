/**
 * Scores of records for the terms of a query; the lowest is the best.
 *
 * @module
 */
import { DIFFERENCES, UNIT } from "./differences.ts";
import { LOCATION, NAMELESS, STATE } from "./index_layout.ts";
import { lowerBound, type SearchIndex } from "./search_index.ts";
import { countBits } from "./term_mask.ts";
import { costOfWord, type Term } from "./terms.ts";

/** Masks and scores of names and places for one query at a time. */
export class Scorer {
  readonly #index: SearchIndex;
  /** Terms that each word matches. */
  readonly #wordBits: Uint16Array;
  /** Terms of each place and those around it, below the query's number. */
  readonly #placeMarks: Uint32Array;
  /** Street types, which no required term matches before a name. */
  readonly #typeWords: ReadonlySet<number>;
  #query = 0;
  #terms: readonly Term[] = [];
  /** Bits of the required terms. */
  required = 0;
  /** Bits of the terms that match a street type before a name. */
  #beforeName = 0;
  /** Words of the last name of {@linkcode readName} that match no term. */
  missing = 0;
  #loose = 0;
  #types = 0;
  /** Bit of a required street type. */
  #onlyType = 0;
  // Result of #scoreName, in fields because an object would cost more.
  #nameCost = 0;
  #left = 0;
  // Last result of #scorePlace.
  #lastPlace = -1;
  #lastLeft = 0;
  #lastCost = 0;

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#typeWords = index.findTypes();
    this.#wordBits = new Uint16Array(index.wordCount);
    this.#placeMarks = new Uint32Array(index.arrays.placeLevels.length);
  }

  /** Begins a query. */
  begin(terms: readonly Term[]): void {
    for (const { forms } of this.#terms) {
      for (const { start, end } of forms) this.#wordBits.fill(0, start, end);
    }
    this.#terms = terms;
    this.required = 0;
    this.#loose = 0;
    this.#types = 0;
    this.#beforeName = 0;
    this.#onlyType = 0;
    for (const { forms, bit, isRequired, isType } of terms) {
      if (isType || !isRequired) this.#beforeName |= bit;
      if (isRequired && isType) this.#onlyType |= bit;
      if (isRequired) this.required |= bit;
      else if (isType) this.#types |= bit;
      else this.#loose |= bit;
      for (const { start, end } of forms) {
        for (let word = start; word < end; word++) this.#wordBits[word]! |= bit;
      }
    }
    this.#query = this.#query + 1 & 0xFFFF;
    if (this.#query === 0) {
      this.#placeMarks.fill(0);
      this.#query = 1;
    }
    this.#lastPlace = -1;
  }

  /** Returns the terms that a word matches. */
  maskOfWord(word: number): number {
    return this.#wordBits[word]!;
  }

  /** Returns the terms that a word of a type matches. */
  #maskOfType(word: number): number {
    const bits = this.#wordBits[word]!;
    return bits !== 0 && this.#typeWords.has(word)
      ? bits & this.#beforeName
      : bits;
  }

  /** Returns the terms that a name matches. */
  maskOfName(name: number): number {
    const { nameWords, nameWordStarts, typeLengths } = this.#index.arrays;
    const end = nameWordStarts[name + 1]!;
    let i = nameWordStarts[name]!;
    let mask = 0;
    for (const nameStart = i + typeLengths[name]!; i < nameStart; i++) {
      mask |= this.#maskOfType(nameWords[i]!);
    }
    for (; i < end; i++) mask |= this.#wordBits[nameWords[i]!]!;
    return mask;
  }

  /**
   * Returns the terms that a name matches, and sets {@linkcode missing}.
   *
   * @param length Number of words of the name, without its type.
   */
  readName(name: number, length: number): number {
    const { nameWords, nameWordStarts } = this.#index.arrays;
    const end = nameWordStarts[name + 1]!;
    const nameStart = end - length;
    let mask = 0;
    let missing = 0;
    let i = nameWordStarts[name]!;
    for (; i < nameStart; i++) mask |= this.#maskOfType(nameWords[i]!);
    for (; i < end; i++) {
      const bits = this.#wordBits[nameWords[i]!]!;
      mask |= bits;
      if (bits === 0) missing++;
    }
    this.missing = Math.max(missing, length - countBits(mask));
    return mask;
  }

  /** Returns the terms that a place and those around it match. */
  maskOfPlace(place: number): number {
    const mark = this.#placeMarks[place]!;
    if (mark >>> 16 === this.#query) return mark & 0xFFFF;
    const { placeNameStarts, placeWordStarts, placeWords, placeParents } =
      this.#index.arrays;
    const start = placeWordStarts[placeNameStarts[place]!]!;
    const end = placeWordStarts[placeNameStarts[place + 1]!]!;
    let mask = 0;
    for (let i = start; i < end; i++) mask |= this.#wordBits[placeWords[i]!]!;
    const parent = placeParents[place]!;
    if (parent !== place) mask |= this.maskOfPlace(parent);
    this.#placeMarks[place] = (this.#query << 16 | mask) >>> 0;
    return mask;
  }

  /**
   * Returns a lower bound of the scores of a name's records. It must be called
   * before {@linkcode scoreInPlace}.
   */
  scoreName(name: number): number {
    if (name === NAMELESS) {
      this.#nameCost = this.#types === 0 ? 0 : DIFFERENCES.wholeName;
      this.#left = this.required | this.#loose;
    } else {
      this.#computeName(name);
    }
    return this.#nameCost * UNIT;
  }

  #computeName(name: number): void {
    const { nameWords, nameWordStarts, typeLengths } = this.#index.arrays;
    const start = nameWordStarts[name]!;
    const end = nameWordStarts[name + 1]!;
    const nameStart = start + typeLengths[name]!;
    let cost = 0;
    let left = this.required | this.#loose | this.#types;
    let last = 0;
    let matched = 0;
    let unnamed: number = DIFFERENCES.wholeName;
    for (let i = start; i < end; i++) {
      const word = nameWords[i]!;
      let bits = this.#wordBits[word]! & left;
      if (bits !== 0 && i < nameStart) bits &= this.#maskOfType(word);
      if (bits === 0) {
        if (i < nameStart) {
          cost += this.#types === 0 ? DIFFERENCES.missingTypeWord : 0;
        } else {
          cost += DIFFERENCES.missingWord;
          if (i === nameStart) cost += DIFFERENCES.start;
        }
        continue;
      }
      const bit = this.#bestBit(word, bits);
      left &= ~bit;
      const match = this.#costOf(bit, word);
      if (i < nameStart) {
        const typeCost = Math.min(match, DIFFERENCES.writtenType);
        if ((bit & this.#onlyType) !== 0) unnamed = typeCost;
        cost += typeCost;
        continue;
      }
      cost += match;
      matched++;
      if (bit < last) cost += DIFFERENCES.order;
      last = bit;
    }
    if ((left & this.#types) !== 0) cost += DIFFERENCES.otherType;
    left &= ~this.#types;
    if (matched === 0) cost = unnamed;
    this.#nameCost = cost;
    this.#left = left;
  }

  /** Returns the bit of the term that matches a word best. */
  #bestBit(word: number, bits: number): number {
    let best = bits & -bits;
    if (best === bits) return best;
    let least = this.#costOf(best, word);
    for (let rest = bits ^ best; rest !== 0 && least > 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const cost = this.#costOf(bit, word);
      if (cost < least) [best, least] = [bit, cost];
    }
    return best;
  }

  #costOf(bit: number, word: number): number {
    return costOfWord(this.#terms[31 - Math.clz32(bit)]!, word);
  }

  /** Returns the score of a record of the last name in a place. */
  scoreInPlace(place: number): number {
    if (place !== this.#lastPlace || this.#left !== this.#lastLeft) {
      this.#lastPlace = place;
      this.#lastLeft = this.#left;
      this.#lastCost = this.#left === 0 ? 0 : this.#computePlace(place);
    }
    return (this.#nameCost + this.#lastCost) * UNIT +
      this.#index.sizeRanks[place]!;
  }

  #computePlace(place: number): number {
    const { placeParents } = this.#index.arrays;
    let cost = 0;
    let left = this.#left;
    let node = place;
    while (left !== 0) {
      const found = this.#matchPlace(node, left);
      if (found !== 0) {
        cost += this.#matchCost;
        left &= ~found;
      }
      const parent = placeParents[node]!;
      if (parent === node) break;
      node = parent;
    }
    for (let rest = left; rest !== 0; rest &= rest - 1) {
      cost += (rest & -rest & this.#loose) !== 0
        ? DIFFERENCES.missingLooseTerm
        : DIFFERENCES.extraTerm;
    }
    return cost;
  }

  #matchCost = 0;

  /**
   * Returns the terms of the name of a place that matches best, and sets the
   * cost of the match.
   */
  #matchPlace(place: number, left: number): number {
    const { placeNameStarts, placeWordStarts, placeWords, placeLevels } =
      this.#index.arrays;
    const level = placeLevels[place]!;
    let best = 0;
    let least = Infinity;
    const end = placeNameStarts[place + 1]!;
    for (let name = placeNameStarts[place]!; name < end; name++) {
      let found = 0;
      let cost = 0;
      let gain = 0;
      const wordEnd = placeWordStarts[name + 1]!;
      for (let i = placeWordStarts[name]!; i < wordEnd; i++) {
        const word = placeWords[i]!;
        const bits = this.#wordBits[word]! & left & ~found;
        if (bits === 0) {
          cost += DIFFERENCES.missingPlaceWord;
          continue;
        }
        const bit = this.#bestBit(word, bits);
        found |= bit;
        gain += 8;
        cost += DIFFERENCES.inPlace + this.#costOf(bit, word);
      }
      if (found === 0) continue;
      if (level === STATE && name > placeNameStarts[place]!) {
        cost += DIFFERENCES.stateInFull;
      }
      if (cost - gain < least) {
        least = cost - gain;
        best = found;
        this.#matchCost = cost;
      }
    }
    return best;
  }

  /**
   * Returns the score of a record: the least of those of its names. The last
   * name that was scored stays the last one.
   */
  scoreRecord(record: number, place: number): number {
    const [nameCost, left] = [this.#nameCost, this.#left];
    const score = this.#scoreNames(record, place);
    this.#nameCost = nameCost;
    this.#left = left;
    return score;
  }

  #scoreNames(record: number, place: number): number {
    const { names, otherRecords, otherNames, otherKinds } = this.#index.arrays;
    const inPlace = this.maskOfPlace(place);
    let least = this.#scoreNameOf(names[record]!, place, inPlace);
    const { length } = otherRecords;
    let i = lowerBound(otherRecords, record, 0, length);
    for (; i < length && otherRecords[i] === record; i++) {
      const penalty = otherKinds[i] === LOCATION ? DIFFERENCES.location : 0;
      const score = this.#scoreNameOf(otherNames[i]!, place, inPlace) +
        penalty * UNIT;
      if (score < least) least = score;
    }
    return least;
  }

  #scoreNameOf(name: number, place: number, inPlace: number): number {
    const mask = this.maskOfName(name) | inPlace;
    if ((mask & this.required) !== this.required) return Infinity;
    this.scoreName(name);
    return this.scoreInPlace(place);
  }
}
