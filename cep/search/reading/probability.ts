import type { Alignment } from "./alignment.ts";
import { COSTS } from "./costs.ts";

/**
 * Returns what a probability depends on, each from 0 to about 3.
 *
 * @param share Share of the street of the record, as of {@linkcode sharesOf}.
 */
export function featuresOf(
  best: Alignment,
  share: number,
): Record<Feature, number> {
  const { nameCost, typeCost, streetRest, otherRest, rest } = best;
  const isSameCep = best.cepAgrees === "same";
  // The streets of a town with one CEP are in no record.
  const isOfPlace = best.isGeneral && isSameCep;
  return {
    constant: 1,
    name: Math.min(nameCost, 3),
    type: Number(typeCost >= COSTS.otherType),
    streetRest: isOfPlace ? 0 : Math.min(streetRest, 3),
    otherRest: isOfPlace ? 0 : Math.min(otherRest, 3),
    otherNeighbourhood: Number(
      best.neighbourhoodAgrees === "other" && !isOfPlace,
    ),
    sameNeighbourhood: Number(best.neighbourhoodAgrees === "same"),
    // A street of a common name is another one in another neighbourhood.
    elsewhere: rest.neighbourhood === 0 || isSameCep ? 0 : best.commonness,
    otherCity: Number(best.cityAgrees === "other"),
    noCity: Number(best.cityAgrees === "absent" && !isSameCep),
    otherState: Number(best.stateAgrees === "other"),
    otherNumber: Number(best.numberAgrees === "other"),
    sameCep: Number(isSameCep),
    otherCep: Number(best.cepAgrees === "other"),
    location: Number(best.isLocation),
    identifier: Number(best.lacksIdentifier),
    rivals: Math.min(-Math.log(share), 3),
    notHead: Number(best.street !== 0 && !best.isInHead),
  };
}

/** Name of a feature. */
export type Feature = keyof typeof COEFFICIENTS;

/**
 * Coefficients of the logistic function, fitted by `scripts/fit_probability.ts`
 * on addresses with the noise of real ones.
 */
export const COEFFICIENTS = {
  constant: 3.71,
  name: -1.44,
  type: -3.52,
  streetRest: -2.39,
  otherRest: -0.66,
  otherNeighbourhood: -0.80,
  sameNeighbourhood: 1.79,
  elsewhere: -2.05,
  otherCity: -2.10,
  noCity: -2.40,
  otherState: -2.46,
  otherNumber: -0.25,
  sameCep: 0.54,
  otherCep: -1.31,
  location: -0.13,
  identifier: 0.51,
  rivals: -1.32,
  notHead: -0.34,
} as const;

/** Steepness of the likelihood by the cost above that of the best record. */
const SHARPNESS = 5;

/**
 * Highest probability of a record in another city, of the general CEP of a place
 * for a street, and of a record with other differences that are rarely typing
 * errors.
 */
const CONTRADICTED = 0.45;
const IN_DOUBT = 0.79;

/** Probability of an answer whose street is certain, but not which CEP of it. */
const ONE_OF_STREET = 0.5;

/** Tells if two records are of one street in one neighbourhood. */
export type IsSameStreet = (one: Alignment, other: Alignment) => boolean;

/**
 * Returns the probability of the first of some records, which are sorted by
 * cost. Where the street is likely and only the building number would tell its
 * CEPs apart, it is {@linkcode ONE_OF_STREET}.
 */
export function probabilityOf(
  found: readonly Alignment[],
  isSameStreet: IsSameStreet,
): number {
  const [best] = found;
  if (best === undefined) return 0;
  const { street, cep } = sharesOf(found, isSameStreet);
  let sum = 0;
  const features = featuresOf(best, street);
  for (const name of Object.keys(COEFFICIENTS) as Feature[]) {
    sum += COEFFICIENTS[name] * features[name];
  }
  const likely = Math.min(1 / (1 + Math.exp(-sum)), street, limitOf(found));
  return likely < ONE_OF_STREET
    ? likely * cep
    : Math.max(likely * cep, ONE_OF_STREET);
}

/**
 * Returns the share of the street of the first record among those that agree as
 * well, and that of the record among those of its street.
 */
export function sharesOf(
  found: readonly Alignment[],
  isSameStreet: IsSameStreet,
): { street: number; cep: number } {
  const [best] = found;
  let [same, all] = [0, 0];
  for (const it of found) {
    // The name of a place alone means none of its streets.
    if (best!.isGeneral && it.street === 0 && !it.isGeneral) continue;
    const share = Math.exp(-SHARPNESS * (it.cost - best!.cost));
    all += share;
    if (isSameStreet(it, best!)) same += share;
  }
  return { street: same / all, cep: 1 / same };
}

/** Returns the most that a probability may be. */
function limitOf(found: readonly Alignment[]): number {
  const { isGeneral, street, streetRest, cepAgrees, contradictsCity } =
    found[0]!;
  const isPlace = isGeneral
    ? streetRest > 0 || found[0]!.isOtherDistrict
    : street === 0;
  if (contradictsCity || isPlace && cepAgrees !== "same") return CONTRADICTED;
  return isInDoubt(found) ? IN_DOUBT : 1;
}

/** Least difference between the costs of two streets that counts. */
const NEARER = 0.15;
/** Cost of a word that differs in a letter, and of another type. */
const ONE_LETTER = 2.3;

/**
 * True if an address may well mean a record other than the one that fits best,
 * however well it fits.
 */
function isInDoubt([best, ...others]: readonly Alignment[]): boolean {
  if (differs(best!) || others.some((it) => agreesInOther(it, best!))) {
    return true;
  }
  if (best!.cepAgrees === "same") return false;
  return best!.mayBeOther ||
    !best!.isGeneral && namesOtherStreet(best!, others);
}

/** True if a difference is rarely a typing error. */
function differs(best: Alignment): boolean {
  return best.lacksIdentifier || best.lacksWord ||
    best.stateAgrees === "other" || best.cityAgrees === "other" ||
    best.numberAgrees === "other" && best.cepAgrees !== "same" ||
    best.streetRest >= COSTS.extraBase ||
    // A large user has a CEP of its own on its street.
    best.isLocation && best.cepAgrees !== "same" ||
    // "Avenida Pintado" is not "Rua Pintado".
    best.typeCost >= COSTS.otherType && !agreesInRest(best) ||
    // "Coronel Cícero" is not "Padre Cícero".
    best.streetRest > 0 && best.nameDiffers && !best.isGeneral;
}

/** True if the CEP and the neighbourhood agree. */
function agreesInRest({ cepAgrees, neighbourhoodAgrees }: Alignment): boolean {
  return cepAgrees === "same" && neighbourhoodAgrees === "same";
}

/**
 * True if a record of such a street agrees in the CEP alone, one of nearly its
 * name in the neighbourhood, or any in both.
 */
function agreesInOther(it: Alignment, best: Alignment): boolean {
  if (it.isGeneral || it.cityAgrees !== "same") return false;
  const difference = costOfStreet(it) - costOfStreet(best);
  const isNear = difference < NEARER || it.neighbourhoodAgrees === "same" &&
      best.neighbourhoodAgrees === "other";
  return it.cepAgrees === "same" && best.cepAgrees !== "same" && isNear ||
    it.neighbourhoodAgrees === "same" &&
      best.neighbourhoodAgrees === "other" && difference < ONE_LETTER;
}

/** True if a street may be another one with nearly its name. */
function namesOtherStreet(
  best: Alignment,
  others: readonly Alignment[],
): boolean {
  const { cityAgrees, neighbourhoodAgrees } = best;
  // "Lima" may be the last word of a name.
  const isOneWord = (best.street & best.street - 1) === 0;
  if (isOneWord && best.typeCost > 0 && neighbourhoodAgrees !== "same") {
    return true;
  }
  // An old name, and the name of another street today.
  if (
    best.otherName !== undefined &&
    others.some((it) =>
      it.otherName === undefined && it.cityAgrees === cityAgrees &&
      !it.isGeneral && costOfStreet(it) < NEARER
    )
  ) return true;
  // "Rua Doutora Toledo" is not Rua Toledo of another neighbourhood, nor is one
  // that once had the name.
  const isRenamed = best.streetRest > 0 || best.otherName !== undefined;
  if (neighbourhoodAgrees === "other" && isRenamed) return true;
  // "Vila Japão" may be in a town that has no neighbourhoods in the directory.
  return neighbourhoodAgrees === "same" && cityAgrees === "absent" &&
    best.stateAgrees === "absent";
}

function costOfStreet({ nameCost, typeCost, streetRest }: Alignment): number {
  return nameCost + typeCost + streetRest;
}
