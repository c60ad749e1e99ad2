import {
  ALTERNATIVE,
  COMPLEMENT,
  DISTRICT,
  FIGURES,
  LOCATION,
  MUNICIPALITY,
  NAMELESS,
  STATE,
} from "../index_layout.ts";
import { FEW_ADDRESSES, RARITIES } from "../rarity.ts";
import type { SearchIndex } from "../search_index.ts";
import { type Stretches, UNIT } from "../stretches.ts";
import { lowerBound } from "../../util/bisect.ts";
import { PLACES } from "./address_words.ts";
import { allBits, countBits, firstOf, lastOf } from "./bits.ts";
import type { Query } from "./query.ts";
import { findNumber, mayEndName, numberAt } from "./building_number.ts";
import { COSTS } from "./costs.ts";
import type { Name, NameMatch, NameMatcher } from "./name_matcher.ts";
import type { NamedPlace, PlaceFinder, PlaceMatch } from "./place_finder.ts";
import { costLeftovers, IDENTIFIER, type Rest } from "./leftovers.ts";
import { MAX_TOKENS } from "./tokens.ts";

/** Agreement of a part of an address with a record. */
export type Agreement = "same" | "other" | "absent";

/** Address as it is read for one record. */
export interface Alignment {
  readonly record: number;
  /** Sum of the costs; the lowest is the best. */
  readonly cost: number;
  /** Tokens of each part. */
  readonly street: number;
  readonly neighbourhood: number;
  readonly city: number;
  readonly complement: number;
  /** Tokens of each part that the record lacks. */
  readonly rest: Rest;
  /** Token of the building number, -1 without one. */
  readonly number: number;
  /** Cost of the name of the street, and of its type. */
  readonly nameCost: number;
  readonly typeCost: number;
  /** Cost of words within the street that the record lacks. */
  readonly streetRest: number;
  /** Cost of other words that the record lacks. */
  readonly otherRest: number;
  readonly lacksIdentifier: boolean;
  /** True if a word of the street that says much is missing, or another. */
  readonly lacksWord: boolean;
  /** True if words of the street are missing, or spelt in another way. */
  readonly nameDiffers: boolean;
  /** Share of the cities that have a street of the name, as a logarithm from 0. */
  readonly commonness: number;
  /** Alternative name by which the street was found. */
  readonly otherName: number | undefined;
  /** True if only the address of a large user or unit was found. */
  readonly isLocation: boolean;
  /** True if the street is where the address names its street. */
  readonly isInHead: boolean;
  /** True if the words of the address may well mean something else. */
  readonly mayBeOther: boolean;
  /** True for a record without a street: the general CEP of a place. */
  readonly isGeneral: boolean;
  /** True for the general CEP of a district that the address does not name. */
  readonly isOtherDistrict: boolean;
  readonly neighbourhoodAgrees: Agreement;
  readonly cityAgrees: Agreement;
  /** True if the address certainly names another city. */
  readonly contradictsCity: boolean;
  readonly stateAgrees: Agreement;
  /** `unseen` for a number beyond those that a census saw. */
  readonly numberAgrees: Agreement | "unseen";
  readonly cepAgrees: Agreement | "sector";
}

/** Parts that an aligner shares with the other steps of a reading. */
export interface AlignerParts {
  readonly index: SearchIndex;
  readonly matcher: NameMatcher;
  readonly places: PlaceFinder;
  readonly stretches: Stretches;
}

/** Facts of an address that do not depend on a record. */
export interface Begin {
  /** Cities that it may name. */
  readonly cities: readonly NamedPlace[];
  /** Tokens of the city that it certainly names. */
  readonly namedCity: number;
  /** CEP that replaced that of the address. */
  readonly successor?: string | undefined;
  /** True if any word of a name is enough. */
  readonly isLoose?: boolean | undefined;
}

interface Named extends NameMatch {
  readonly name: number;
  readonly kind: number;
}

/** Tokens of the places around a record. */
interface AlignedPlaces {
  readonly neighbourhood: number;
  readonly city: number;
  readonly placeCost: number;
  readonly stateAgrees: Agreement;
  /** All tokens of places. */
  readonly places: number;
}

/** Least weight of a word of a neighbourhood that tells its city. */
const MIN_WEIGHT = 0.5;

/** Highest share of a name that is not found at all. */
const MIN_SHARE = 0.4;

/** Aligns the words of one query at a time with records. */
export class Aligner {
  readonly #index: SearchIndex;
  readonly #matcher: NameMatcher;
  readonly #places: PlaceFinder;
  readonly #stretches: Stretches;
  /** Commonness of each name. */
  readonly #commonness: Float32Array;
  #query!: Query;
  /** CEP that replaced that of the address. */
  #successor = "";
  /** Tokens of the city that the address most likely names. */
  #namedCity = 0;
  /** Municipalities that the address names in full. */
  #cities: readonly NamedPlace[] = [];
  #names = new Map<number, NameMatch>();
  #found = new Map<number, PlaceMatch | undefined>();
  /** Names around the records of a place, by the tokens of the street. */
  #around = new Map<number, AlignedPlaces>();
  /** Number that each token begins. */
  #numbers: ReturnType<typeof numberAt>[] = [];
  #allowed = 0;
  #isLoose = false;
  /** True if not all records are only in the census. */
  #hasOthers: boolean | undefined;

  constructor({ index, matcher, places, stretches }: AlignerParts) {
    this.#index = index;
    this.#matcher = matcher;
    this.#places = places;
    this.#stretches = stretches;
    this.#commonness = findCommonness(index);
  }

  /** Begins a query. */
  begin(
    query: Query,
    { cities, namedCity, successor = "", isLoose = false }: Begin,
  ): void {
    this.#query = query;
    this.#isLoose = isLoose;
    this.#namedCity = namedCity;
    this.#successor = successor;
    this.#allowed = -1;
    this.#found.clear();
    this.#around.clear();
    this.#numbers = [];
    this.#cities = cities.filter(({ place, level, cost }) =>
      level === MUNICIPALITY && cost < 0.2 &&
      (query.uf === "" || this.#places.isIn(place, query.uf))
    );
    // Nicknames, and names that are still being typed, among them.
    for (const { place, mask, cost } of cities) {
      this.#found.set(place, { mask, cost });
    }
  }

  /**
   * Aligns the address with a record.
   *
   * @param excluded Tokens that are no part of the street.
   * @returns `undefined` if too little of the record is in the address.
   */
  align(record: number, excluded: number): Alignment | undefined {
    const { fields } = this.#query;
    const streetFields = fields.endereco | fields.logradouro |
      fields.complemento;
    const { references } = this.#query;
    const allowed = streetFields & ~(excluded | references);
    if (allowed !== this.#allowed) {
      this.#allowed = allowed;
      this.#names.clear();
    }
    const isGeneral = this.#index.arrays.names[record] === NAMELESS;
    if (isGeneral) return this.#combine(record, undefined, isGeneral);
    const isSameCep = this.#cepAgrees(record) === "same";
    const name = this.#bestName(record, allowed, !isSameCep);
    if (name !== undefined || isSameCep) {
      return this.#combine(record, name, isGeneral);
    }
    return this.#isPlaceOnly(excluded) || this.#isLoose
      ? this.#combine(record, undefined, isGeneral)
      : undefined;
  }

  /** True if a name has enough of the query. */
  #isEnough({ share, hasRarest }: NameMatch): boolean {
    return this.#isLoose || share >= MIN_SHARE && hasRarest;
  }

  /** True if all words are names of places. */
  #isPlaceOnly(excluded: number): boolean {
    const { tokens, fillers, types, stateTokens } = this.#query;
    const all = allBits(tokens.length);
    return (all & ~(excluded | fillers | types | stateTokens)) === 0;
  }

  /** @param isEnough True for a name with enough of the query alone. */
  #bestName(
    record: number,
    allowed: number,
    isEnough: boolean,
  ): Named | undefined {
    const { names, otherNames, otherKinds } = this.#index.arrays;
    const match = this.#matchName(names[record]!, allowed);
    const [first, end] = this.#index.otherNamesOf(record);
    const hasEnough = (it: NameMatch) =>
      it.cost < Infinity && (!isEnough || this.#isEnough(it));
    // Most candidates end here.
    if (first === end && !hasEnough(match)) return undefined;
    let best: Named = { ...match, name: names[record]!, kind: -1 };
    for (let i = first; i < end; i++) {
      const kind = otherKinds[i]!;
      if (kind === COMPLEMENT) continue;
      const penalty = this.#costOfKind(kind);
      const match = this.#matchName(otherNames[i]!, allowed);
      if (match.cost + penalty < best.cost) {
        const name = otherNames[i]!;
        best = { ...match, cost: match.cost + penalty, name, kind };
      } else if (kind === LOCATION && best.kind < 0 && best.hasRarest) {
        // The address of a large user, beside its name.
        const location = this.#matchName(otherNames[i]!, allowed & ~best.mask);
        if (location.share > 0.5 && !location.lacksIdentifier) {
          best = { ...best, mask: best.mask | location.mask };
        }
      }
    }
    return hasEnough(best) ? best : undefined;
  }

  #costOfKind(kind: number): number {
    if (kind === LOCATION) return COSTS.location;
    if (kind !== FIGURES) return COSTS.alternative;
    const isWritten = this.#query.tokens.some(({ isWritten }) => isWritten);
    return isWritten ? -COSTS.written : COSTS.written;
  }

  #matchName(name: number, allowed: number): NameMatch {
    const isShared = allowed === this.#allowed;
    let match = isShared ? this.#names.get(name) : undefined;
    if (match === undefined) {
      match = this.#matcher.match(this.#nameOf(name), allowed);
      if (isShared) this.#names.set(name, match);
    }
    return match;
  }

  #nameOf(name: number): Name {
    const { nameWords: words, nameWordStarts, typeLengths } =
      this.#index.arrays;
    const from = nameWordStarts[name]!;
    const end = nameWordStarts[name + 1]!;
    const typeEnd = Math.min(from + typeLengths[name]!, end - 1);
    return { words, from, typeEnd, end };
  }

  #matchPlace(
    place: number,
    used: number,
    allowed: number,
  ): PlaceMatch | undefined {
    let match = this.#found.get(place);
    if (!this.#found.has(place)) {
      match = this.#places.match(place, allowed);
      this.#found.set(place, match);
    }
    const free = allowed & ~used;
    return match !== undefined && match.mask & ~free
      ? this.#places.match(place, free)
      : match;
  }

  #combine(
    record: number,
    name: Named | undefined,
    isGeneral: boolean,
  ): Alignment {
    const query = this.#query;
    const { placeLevels, rarities } = this.#index.arrays;
    const all = allBits(query.tokens.length);
    const street = name?.mask ?? 0;
    const leaf = this.#index.placeOf(record);
    const { neighbourhood, city, placeCost, stateAgrees, places } = this
      .#placesAround(leaf, street);
    const { fields } = query;
    const ofComplement = (fields.complemento | fields.numero) &
      ~(query.units | query.buildings);
    let used = street | places;
    const complement = this.#complementOf(record, all & ~used);
    used |= complement;
    const number = findNumber(query, all & ~used, street);
    const { numberCost, numberAgrees } = this.#fitNumber(record, number);
    const isBare = number >= 0 && mayEndName(query, number, street);
    if (number >= 0) used |= 1 << number;
    const rest = all & ~used;
    const cepAgrees = this.#cepAgrees(record);
    const left = costLeftovers(query, rest, {
      street,
      number,
      hasCity: city !== 0,
      isSameCep: cepAgrees === "same",
      namedCity: this.#namedCity,
    });
    const cityAgrees = city !== 0 ? "same" : left.city > 0 ? "other" : "absent";
    // Its column has another one.
    const isOtherColumn = (neighbourhood & fields.bairro) === 0 &&
      (left.tokens.neighbourhood & fields.bairro) !== 0;
    const neighbourhoodAgrees = neighbourhood !== 0 && !isOtherColumn
      ? "same"
      : left.neighbourhood > 0
      ? "other"
      : "absent";
    const nameCost = (name?.cost ?? 0) - (name?.typeCost ?? 0);
    const otherRest = left.neighbourhood + left.city + left.other;
    const isOtherDistrict = isGeneral && placeLevels[leaf] === DISTRICT &&
      neighbourhood === 0 && cepAgrees !== "same";
    const rarity = rarities.length === 0 ? 0 : rarities[record]!;
    const cost = (name?.cost ?? (isGeneral ? 0 : COSTS.wholeName)) + placeCost +
      left.street + otherRest + numberCost + COST_OF_CEP[cepAgrees] +
      (stateAgrees === "other" ? COSTS.otherState : 0) +
      (street !== 0 && (street & query.head) === 0 ? COSTS.notHead : 0) +
      (street !== 0 && (street & query.afterTypes) !== query.afterTypes
        ? COSTS.notAfterType
        : 0) +
      (city === 0 && neighbourhood !== 0 && isGeneral ? COSTS.district : 0) +
      (isGeneral && (left.street > 0 || left.hasType) ? COSTS.generalCep : 0) +
      (isOtherDistrict ? COSTS.otherDistrict : 0) +
      (complement === 0 ? 0 : COSTS.sameComplement) +
      (neighbourhood & ofComplement ? COSTS.placeInComplement : 0) +
      (isBare ? COSTS.bareNumber : 0) +
      COSTS.size * this.#index.sizeRanks[leaf]! +
      (cepAgrees === "same" ? 0 : this.#costOfRarity(rarity, numberAgrees)) -
      (isGeneral && left.street === 0 && !left.hasType ? COSTS.wholeName : 0);
    const isInHead = (street & query.head) !== 0 &&
      (street & query.afterTypes) === query.afterTypes;
    const named = left.tokens.neighbourhood;
    const words = left.tokens.street | named;
    const otherCities = this.#cities.filter(({ mask }) =>
      mask > city && (mask & ~named) === 0
    );
    const figures = rest & query.figures & ~query.units;
    const mayBeOther = otherCities.length > 0 ||
      (isGeneral
        // A number is that of a street.
        ? number >= 0 || (figures & ~query.references) !== 0
        : this.#mayBeOtherPart(street, name) ||
          words !== 0 && firstOf(words) < number && number < firstOf(street) ||
          // A word beside the city may belong to its name.
          city !== 0 &&
            ((city & fields.bairro) !== 0 && (named & fields.bairro) !== 0 ||
              this.#follows(city, rest & query.letters | named) ||
              stateAgrees === "absent" && this.#follows(named, city)) ||
          // "Barreiros I" is not Barreiros II.
          neighbourhoodAgrees === "other" &&
            (left.hasNumbered || this.#lacksNumber(leaf, named)) ||
          // "(Lot Alvorada)" is not Loteamento Sales.
          complement === 0 && named !== 0 && neighbourhoodAgrees === "same" &&
            this.#hasComplement(record) ||
          // "Jardim Souza II" is a neighbourhood, not Rua 2 of Jardim Souza.
          name?.isNumbered === true && (street & query.types) === 0 &&
            this.#follows(street, neighbourhood) ||
          // "Vila Nova (Centro)" is not Vila Velha (Centro).
          named !== 0 && this.#isInBrackets(neighbourhood) ||
          // "Rua 2" in another neighbourhood or estate is another one.
          name?.isNumbered === true && named !== 0 &&
            (left.hasPlace || neighbourhood === 0 ||
              this.#follows(neighbourhood, named) ||
              this.#follows(named, neighbourhood)) ||
          // The number may be the end of the name: another one follows.
          isBare && (query.hasNoNumber || hasLot(query) ||
              (figures & 2 << number) !== 0));
    return {
      record,
      cost,
      street,
      neighbourhood,
      city,
      complement,
      rest: left.tokens,
      number,
      nameCost,
      typeCost: name?.typeCost ?? 0,
      streetRest: left.street + Number(isGeneral && left.hasType),
      otherRest,
      lacksIdentifier: name?.lacksIdentifier ?? false,
      lacksWord: name !== undefined &&
        (name.lacksWord || name.differs && left.hasType),
      nameDiffers: name?.differs ?? true,
      commonness: name === undefined ? 0 : this.#commonness[name.name]!,
      otherName: name?.kind === ALTERNATIVE ? name.name : undefined,
      isLocation: name?.kind === LOCATION,
      isInHead,
      mayBeOther,
      isGeneral,
      isOtherDistrict,
      neighbourhoodAgrees,
      cityAgrees,
      contradictsCity: cepAgrees !== "same" &&
        (left.city > 0 && this.#namedCity !== 0 ||
          otherCities.some(({ mask }) =>
            (query.stateTokens & 2 << lastOf(mask)) !== 0
          )),
      stateAgrees,
      numberAgrees,
      cepAgrees,
    };
  }

  /** True if a street may be a neighbourhood, or a unit. */
  #mayBeOtherPart(street: number, name: Named | undefined): boolean {
    const { fields, units, letters } = this.#query;
    return street !== 0 &&
      (fields.logradouro !== 0 && (street & fields.logradouro) === 0 ||
        (street & ~units) === 0 && name?.isNumbered === false ||
        (units & letters & street & -street) !== 0 ||
        (street & ~this.#namedCity) === 0 ||
        this.#isAfterPlace(street) || this.#isApart(street));
  }

  /** True if only a number or letter of a place is not in an address. */
  #lacksNumber(place: number, words: number): boolean {
    const name = this.#index.placeName(place);
    const end = name.lastIndexOf(" ");
    if (end < 0 || !IDENTIFIER.test(name.slice(end + 1))) return false;
    const { tokens } = this.#query;
    const written = tokens.filter((_, i) => words & 1 << i);
    return written.map(({ text }) => text).join(" ") === name.slice(0, end);
  }

  /** True if a word of neighbourhoods precedes a street: `Povoado Bela Vista`. */
  #isAfterPlace(street: number): boolean {
    const { tokens, types } = this.#query;
    const first = tokens[firstOf(street)];
    const before = tokens[firstOf(street) - 1];
    return before !== undefined && before.segment === first?.segment &&
      (types & street) === 0 && PLACES.has(before.text);
  }

  /** True if other words follow the type of a street: `Rua Um, Bela Vista`. */
  #isApart(street: number): boolean {
    const { tokens, types } = this.#query;
    const type = types & street;
    const name = type === 0 ? 0 : street & ~types & -(type & -type);
    return name !== 0 &&
      tokens[firstOf(type)]!.segment !== tokens[firstOf(name)]!.segment;
  }

  /** True if many places have all words of a name. */
  #isCommon(name: number): boolean {
    return this.#query.forms.every(({ weight }, i) =>
      (name & 1 << i) === 0 || weight < MIN_WEIGHT
    );
  }

  /** True if a token of some follows one of others directly. */
  #follows(some: number, others: number): boolean {
    const { tokens } = this.#query;
    for (let left = some & others << 1; left !== 0; left &= left - 1) {
      const i = firstOf(left);
      if (tokens[i - 1]!.segment === tokens[i]!.segment) return true;
    }
    return false;
  }

  /** True if a bracket opens right before the first of some words. */
  #isInBrackets(words: number): boolean {
    const { tokens, texts } = this.#query;
    const token = tokens[firstOf(words)];
    return words !== 0 && token !== undefined &&
      /\(\s*$/.test(texts[token.field].slice(0, token.start));
  }

  /** Cost of a record that only a census has: its CEP may be mistyped. */
  #costOfRarity(rarity: number, number: Alignment["numberAgrees"]): number {
    if (rarity === 0) return 0;
    const { rarities } = this.#index.arrays;
    this.#hasOthers ??= rarities.includes(0);
    // A short part of a street may have a CEP of its own.
    const isOwn = number === "same" && (rarity & FEW_ADDRESSES) === 0;
    return (this.#hasOthers ? COSTS.ofCensus : 0) +
      (isOwn ? 0 : COSTS.rarity * rarity / RARITIES);
  }

  #placesAround(leaf: number, street: number): AlignedPlaces {
    const id = leaf * 2 ** MAX_TOKENS + street;
    let places = this.#around.get(id);
    if (places === undefined) {
      places = this.#alignPlaces(leaf, street);
      this.#around.set(id, places);
    }
    return places;
  }

  /** Finds the names of the places around a record. */
  #alignPlaces(leaf: number, street: number): AlignedPlaces {
    const { fields, stateTokens, afterTypes, types, uf, figures, letters } =
      this.#query;
    const { placeLevels } = this.#index.arrays;
    // The word after a street type is the street, and that type no place.
    const allowed = (fields.endereco | fields.bairro | fields.cidade |
      fields.logradouro | fields.complemento | fields.numero & ~figures) &
      ~(stateTokens | afterTypes | types & street >> 1);
    let [neighbourhood, city, placeCost] = [0, 0, 0];
    // The city first: its name may be that of a neighbourhood, too.
    const municipality = this.#index.municipalityOf(leaf);
    for (const place of this.#listAround(leaf, municipality)) {
      const used = street | neighbourhood | city;
      const match = this.#matchPlace(place, used, allowed);
      if (match === undefined || match.cost > COSTS.partOfPlace + 0.5) continue;
      const isOther = place === municipality
        ? this.#isOtherCity(place, match)
        : (match.mask & fields.cidade) !== 0 && this.#isCity(match);
      if (isOther) continue;
      // "Rua B" is not in Belo Horizonte.
      if (countBits(match.mask & ~types) === 1 && match.mask & letters) {
        continue;
      }
      placeCost += Math.min(match.cost, COSTS.partOfPlace);
      if (place === municipality) city |= match.mask;
      else neighbourhood |= match.mask;
    }
    // The district alone, around another neighbourhood.
    const own = this.#found.get(leaf)?.mask ?? 0;
    if (neighbourhood !== 0 && (own & neighbourhood) === 0) {
      placeCost += COSTS.halfOfPlace;
    }
    let places = neighbourhood | city;
    if (city === 0 && placeLevels[leaf] !== MUNICIPALITY) {
      // A district that stands in place of its city, as no "Centro" does.
      const own = neighbourhood & fields.cidade;
      city = this.#isCommon(own) ? 0 : own;
    }
    let stateAgrees: Agreement = "absent";
    if (uf !== "") {
      stateAgrees = this.#places.isIn(leaf, uf) ? "same" : "other";
    } else {
      const used = street | places;
      const state = this.#index.stateOf(leaf);
      const match = this.#matchPlace(state, used, allowed);
      if (match !== undefined && match.cost < 0.5) {
        places |= match.mask;
        stateAgrees = "same";
      }
    }
    if (stateAgrees !== "other") places |= stateTokens;
    return { neighbourhood, city, placeCost, stateAgrees, places };
  }

  /** True if the words of a city are the whole name of another one. */
  #isOtherCity(city: number, { mask, cost }: PlaceMatch): boolean {
    return this.#cities.some((it) =>
      it.place !== city && (mask & ~it.mask) === 0 &&
      (it.mask !== mask || it.cost + 0.2 < cost)
    );
  }

  /** True if the words of a place are those of a city. */
  #isCity({ mask }: PlaceMatch): boolean {
    return this.#cities.some((it) => (mask & ~it.mask) === 0);
  }

  /** Returns the city of a place, and what is between them. */
  #listAround(leaf: number, municipality: number): number[] {
    const { placeLevels, placeParents } = this.#index.arrays;
    const places = [municipality];
    for (let it = leaf; it !== municipality; it = placeParents[it]!) {
      if (placeLevels[it] === STATE) break;
      places.push(it);
    }
    return places;
  }

  /** Returns the tokens of the complements of a record. */
  #complementOf(record: number, left: number): number {
    const { otherNames, otherKinds } = this.#index.arrays;
    let found = 0;
    const [first, last] = this.#index.otherNamesOf(record);
    for (let i = first; i < last; i++) {
      if (otherKinds[i] !== COMPLEMENT) continue;
      const name = this.#nameOf(otherNames[i]!);
      const match = this.#matcher
        .match({ ...name, typeEnd: name.from }, left & ~found);
      if (match.share > 0.99) found |= match.mask;
    }
    return found;
  }

  #hasComplement(record: number): boolean {
    return this.#index.arrays.otherKinds
      .subarray(...this.#index.otherNamesOf(record)).includes(COMPLEMENT);
  }

  #cepAgrees(record: number): Alignment["cepAgrees"] {
    const { cep } = this.#query;
    if (cep === "") return "absent";
    const own = this.#index.arrays.ceps[record]!;
    if (own === Number(this.#successor || cep)) return "same";
    return Math.floor(own / 1000) === Math.floor(Number(cep) / 1000)
      ? "sector"
      : "other";
  }

  #fitNumber(
    record: number,
    token: number,
  ): Pick<Alignment, "numberAgrees"> & { numberCost: number } {
    const number = token < 0
      ? undefined
      : this.#numbers[token] ??= numberAt(this.#query, token);
    if (!number) return { numberCost: 0, numberAgrees: "absent" };
    const score = this.#stretches.fit(record, number);
    if (score === Infinity) {
      return { numberCost: COSTS.otherNumber, numberAgrees: "other" };
    }
    if (score < UNIT) {
      return {
        numberCost: COSTS.wideStretch * score / UNIT,
        numberAgrees: "same",
      };
    }
    return score === UNIT
      ? { numberCost: COSTS.unknownNumber, numberAgrees: "absent" }
      : {
        numberCost: COSTS.unseenNumber * score / UNIT,
        numberAgrees: "unseen",
      };
  }
}

/**
 * Returns the commonness of each name: 0 if one city has a street of the name, 1
 * if all have one, by the logarithm of their number. The type does not count: a
 * `Ladeira São José` may well be the Rua São José of another neighbourhood.
 */
function findCommonness(index: SearchIndex): Float32Array {
  const { names, nameWords, nameWordStarts, typeLengths, placeLevels } =
    index.arrays;
  const count = nameWordStarts.length - 1;
  const hashes = Uint32Array.from({ length: count }, (_, name) => {
    let hash = 0;
    const from = nameWordStarts[name]! + typeLengths[name]!;
    for (let i = from; i < nameWordStarts[name + 1]!; i++) {
      hash = Math.imul(hash ^ nameWords[i]! + 1, 0x9E3779B1);
      hash ^= hash >>> 15;
    }
    return hash;
  });
  const sorted = hashes.toSorted();
  // Position of the first name of the same words.
  const groups = hashes.map((hash) => lowerBound(sorted, hash, 0, count));
  const counts = new Uint16Array(count);
  const lastCity = new Int32Array(count).fill(-1);
  let cities = 0;
  placeLevels.forEach((level, city) => {
    if (level !== MUNICIPALITY) return;
    cities++;
    for (const [start, end] of index.recordsIn(city)) {
      for (let record = start; record < end; record++) {
        const name = names[record]!;
        if (name === NAMELESS) continue;
        const group = groups[name]!;
        if (lastCity[group] === city) continue;
        lastCity[group] = city;
        counts[group]!++;
      }
    }
  });
  const most = Math.log(cities + 1);
  return Float32Array.from(
    groups,
    (group) => Math.log(Math.max(counts[group]!, 1)) / most,
  );
}

/** True if an address has a lot, and so seldom the number of a building. */
function hasLot({ tokens, labels }: Query): boolean {
  return labels.some((label) =>
    /^(?:lt|lote)$/.test(tokens[label]?.text ?? "")
  );
}

const COST_OF_CEP: Readonly<Record<Alignment["cepAgrees"], number>> = {
  same: COSTS.sameCep,
  sector: COSTS.sameSector,
  other: COSTS.otherCep,
  absent: 0,
};
