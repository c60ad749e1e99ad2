import type { Alignment } from "./alignment.ts";
import { COSTS } from "./costs.ts";
import { isInDoubt } from "./doubts.ts";

/**
 * Returns what a probability depends on, each from 0 to about 3.
 *
 * @param share Share of the street of the record, as of {@linkcode sharesOf}.
 */
export function featuresOf(
  found: readonly Alignment[],
  share: number,
): Record<Feature, number> {
  const best = found[0]!;
  const { nameCost, typeCost, streetRest, otherRest } = best;
  const isStreet = best.street !== 0;
  const isSameCep = best.cepAgrees === "same";
  // The streets of a town with one CEP are in no record.
  const isOfPlace = best.isGeneral && isSameCep;
  return {
    constant: 1,
    name: Math.min(nameCost, 3),
    type: Number(typeCost >= COSTS.otherType),
    streetRest: isOfPlace ? 0 : Math.min(streetRest, 3),
    otherRest: isOfPlace ? 0 : Math.min(otherRest, 3),
    // The only street of its name in a city is meant all the same.
    otherNeighbourhood: Number(
      best.neighbourhoodAgrees === "other" && !isOfPlace && isInDoubt(found),
    ),
    sameNeighbourhood: Number(best.neighbourhoodAgrees === "same"),
    otherCity: Number(best.cityAgrees === "other"),
    noCity: Number(best.cityAgrees === "absent" && !isSameCep),
    otherState: Number(best.stateAgrees === "other"),
    otherNumber: Number(best.numberAgrees === "other"),
    sameCep: Number(isSameCep),
    otherCep: Number(best.cepAgrees === "other"),
    location: Number(best.isLocation),
    identifier: Number(best.lacksIdentifier),
    rivals: Math.min(-Math.log(share), 3),
    notHead: Number(isStreet && !best.isInHead),
    general: Number(best.isGeneral && streetRest > 0 && !isSameCep),
    noStreet: Number(!isStreet && !best.isGeneral && !isSameCep),
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
  streetRest: -2.15,
  otherRest: -0.66,
  otherNeighbourhood: -1.22,
  sameNeighbourhood: 3.00,
  otherCity: -2.10,
  noCity: -2.40,
  otherState: -2.46,
  otherNumber: -0.25,
  sameCep: 0.20,
  otherCep: -0.73,
  location: -0.13,
  identifier: 0.51,
  rivals: -1.25,
  notHead: -1.45,
  general: -1.88,
  noStreet: -0.35,
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
  const features = featuresOf(found, street);
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
