import { ESTATES, PLACES } from "./address_words.ts";
import { firstOf, lastOf } from "./bits.ts";
import type { Query } from "./query.ts";
import { COSTS } from "./costs.ts";
import { LIGHT } from "./vocabulary.ts";

/** Tokens that are part of nothing in a record, by the part they seem to be. */
export interface Rest {
  street: number;
  neighbourhood: number;
  city: number;
  complement: number;
}

/** Words that are left over, and what they cost. */
export interface Leftovers {
  readonly tokens: Readonly<Rest>;
  /** Cost of words of the street. */
  readonly street: number;
  readonly neighbourhood: number;
  readonly city: number;
  readonly other: number;
  /** True if a street type is left over. */
  readonly hasType: boolean;
  /** True if a neighbourhood with a number or letter is: `Barreiros II`. */
  readonly hasNumbered: boolean;
  /** True if a word before the name of a neighbourhood is left over. */
  readonly hasPlace: boolean;
}

/** Parts of a record that are in an address. */
export interface Present {
  /** Tokens of the street. */
  readonly street: number;
  /** Token of the building number, -1 without one. */
  readonly number: number;
  readonly hasCity: boolean;
  readonly isSameCep: boolean;
  /** Tokens of the city that the address certainly names. */
  readonly namedCity: number;
}

/** Number or letter of a neighbourhood. */
export const IDENTIFIER = /^(?:\d+|[a-z]|[ivx]+)$/;

/** Most that the words of a street may cost. */
const MAX_STREET = 6;

/** Returns the costs of the tokens that are in no part of a record. */
export function costLeftovers(
  query: Query,
  rest: number,
  { street, number, hasCity, isSameCep, namedCity }: Present,
): Leftovers {
  const { tokens, forms, fields, head, types, letters, figures } = query;
  const last = lastOf(street);
  const segment = tokens[Math.max(last, 0)]?.segment;
  const costs = { street: 0, neighbourhood: 0, city: 0, other: 0 };
  const found: Rest = { street: 0, neighbourhood: 0, city: 0, complement: 0 };
  const segments = new Map<number, number>();
  const complement = query.units | query.references | fields.complemento |
    fields.numero;
  // "Quadra 8 Conjunto G" is a street where no other is named.
  const blocks = isSameCep || (street & head) !== 0 ? 0 : query.units & head;
  // "A/C Ana Paula, Rua Um": the words before a street name another thing.
  const isTyped = (types & street) !== 0;
  const typed = new Set(
    tokens.filter((_, i) => types & 1 << i).map(({ segment }) => segment),
  );
  const isBeforeStreet = (i: number) =>
    isTyped && i < firstOf(street) && tokens[i]!.segment !== segment &&
    !typed.has(tokens[i]!.segment);
  let [hasType, hasNumbered, hasPlace] = [false, false, false];
  const add = (part: keyof Rest, bit: number, cost: number) => {
    found[part] |= bit;
    if (part === "complement") costs.other += cost;
    else costs[part] += cost;
  };
  const left = rest & ~(query.stateTokens | query.fillers);
  for (let bits = left; bits !== 0; bits &= bits - 1) {
    const i = firstOf(bits);
    const bit = 1 << i;
    const token = tokens[i]!;
    const isInStreet = (bit & head) !== 0 ||
      token.segment === segment && (i < last || number <= last || i < number);
    // "Barreiros II"
    const isAfter = (found.neighbourhood & bit >> 1) !== 0 &&
      tokens[i - 1]!.segment === token.segment;
    if (isAfter && IDENTIFIER.test(token.text)) {
      found.neighbourhood |= bit;
      hasNumbered = true;
      continue;
    }
    // "Conjunto 5-A" is not Conjunto 5.
    const isEndOfName = token.isGlued && (street & bit >> 1) !== 0 &&
      (bit & query.units & letters) !== 0;
    if (isEndOfName) add("street", bit, COSTS.extraLetter);
    else if (bit & blocks) add("street", bit, COSTS.extraBlock);
    else if (bit & query.references) add("complement", bit, 0);
    else if (bit & complement) {
      const isBlock = bit & query.units && (types & street) === 0 &&
        i < firstOf(street);
      add("complement", bit, isBlock ? COSTS.blockBefore : COSTS.extraUnit);
    } else if (bit & query.buildings) {
      add("complement", bit, COSTS.extraBuilding);
    } else if (bit & types) {
      hasType = true;
      found.street |= bit;
      if (isSameCep && street === 0) costs.street += COSTS.extraStreet;
      else costs.other += COSTS.extraType;
    } else if (bit & (fields.cidade | (hasCity ? 0 : namedCity))) {
      found.city |= bit;
      costs.city = namedCity === 0 ? COSTS.otherCity : COSTS.contradictedCity;
    } else if (bit & figures & ~fields.bairro) {
      const isBefore = number < 0 || i < number;
      if (isInStreet && isBefore) add("street", bit, COSTS.extraIdentifier);
      else {
        // "Rua São José 9 531" is not number 9 of Rua São José.
        const isSecond = isInStreet && i - 1 === number;
        const cost = isSecond ? COSTS.extraNumber : COSTS.extraFigure;
        add("complement", bit, cost);
      }
    } else if (bit & letters & ~fields.bairro) {
      if (i - 1 === number && token.isGlued) continue;
      const isAfterType = (types & head & bit - 1) !== 0 && i < last ||
        (bit & query.afterTypes) !== 0;
      if (isAfterType || i === last + 1) {
        add("street", bit, COSTS.extraLetter);
      } else add("complement", bit, COSTS.extraFigure);
    } else if (
      bit & ~fields.bairro &&
      (isInStreet || bit & fields.logradouro && !isBeforeStreet(i))
    ) {
      // "Condomínio Dom Miguel" is not Rua Dom Miguel.
      const isEstate = ESTATES.has(token.text) && i < firstOf(street);
      const cost = weigh(forms[i]!.weight);
      add("street", bit, cost + (isEstate ? COSTS.extraBase : 0));
    } else {
      found.neighbourhood |= bit;
      hasPlace ||= PLACES.has(token.text);
      const key = bit & fields.bairro ? -1 : token.segment;
      const sum = segments.get(key) ?? 0;
      segments.set(key, sum + weigh(forms[i]!.weight));
    }
  }
  for (const cost of segments.values()) {
    costs.neighbourhood += Math.min(cost, COSTS.otherNeighbourhood);
  }
  const ofStreet = Math.min(costs.street, MAX_STREET);
  return {
    ...costs,
    street: ofStreet,
    hasType,
    hasNumbered,
    hasPlace,
    tokens: found,
  };
}

function weigh(weight: number): number {
  return COSTS.extraWord * weight + (weight === LIGHT ? 0 : COSTS.extraBase);
}
