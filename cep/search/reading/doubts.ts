import type { Alignment } from "./alignment.ts";
import { COSTS } from "./costs.ts";

/** Least difference between the costs of two streets that counts. */
const NEARER = 0.15;
/** Cost of a word that differs in a letter, and of another type. */
const ONE_LETTER = 2.3;

/**
 * True if an address may well mean a record other than the one that fits best,
 * however well it fits.
 */
export function isInDoubt([best, ...others]: readonly Alignment[]): boolean {
  return differs(best!) || others.some((it) => agreesInOther(it, best!)) ||
    (best!.cepAgrees === "same"
      ? namesOtherCep(best!, others)
      : best!.isGeneral
      ? namesOtherPlace(best!, others)
      : namesOtherStreet(best!, others));
}

/** True if a difference is rarely a typing error. */
function differs(best: Alignment): boolean {
  return best.lacksIdentifier || best.lacksWord ||
    best.stateAgrees === "other" || best.cityAgrees === "other" ||
    best.numberAgrees === "other" && best.cepAgrees !== "same" ||
    best.streetRest >= COSTS.extraBase ||
    best.typeCost >= COSTS.otherOrdinal && !agreesInRest(best) ||
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

/** True if the street or the number is that of another CEP of the city. */
function namesOtherCep(
  { numberAgrees, isGeneral, street }: Alignment,
  others: readonly Alignment[],
): boolean {
  return (numberAgrees === "other" || !isGeneral && street === 0) &&
    others.some((it) =>
      it.cityAgrees === "same" && it.street !== 0 &&
      it.numberAgrees !== "other" && costOfStreet(it) < NEARER
    );
}

/** True if the general CEP of a place may not be what an address means. */
function namesOtherPlace(
  best: Alignment,
  others: readonly Alignment[],
): boolean {
  // A number is that of a street.
  if (best.lacksFigure || best.number >= 0 || best.namesOtherCity) return true;
  if (best.cityAgrees === "absent" && best.otherRest >= COSTS.extraBase) {
    return true;
  }
  // "Presidente Tancredo Neves" is a city, and a street of others.
  return best.streetRest === 0 && best.stateAgrees === "absent" &&
    others.some((it) => costOfStreet(it) + it.otherRest < NEARER);
}

/** True if a street may be another one with nearly its name. */
function namesOtherStreet(
  best: Alignment,
  others: readonly Alignment[],
): boolean {
  const { cityAgrees, neighbourhoodAgrees } = best;
  if (best.cityMayBeLonger || best.namesOtherCity) return true;
  if (best.mayBeOtherPart) return true;
  if (best.numberMayEndName) return true;
  // "Barreiros I" is not Barreiros II.
  if (best.isOtherNumbered) return true;
  // "(Lot Alvorada)" is not Loteamento Sales.
  if (best.lacksComplement && neighbourhoodAgrees === "same") return true;
  // "Lima" may be the last word of a name.
  const isOneWord = (best.street & best.street - 1) === 0;
  if (isOneWord && best.typeCost > 0 && neighbourhoodAgrees !== "same") {
    return true;
  }
  // "Rua 2" in another neighbourhood or estate is another one.
  if (best.isNumbered && best.namesOtherPlace) return true;
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
  if (neighbourhoodAgrees !== "same") return cityAgrees === "absent";
  // "Vila Japão" may be in a town that has no neighbourhoods in the directory.
  if (cityAgrees === "absent" && best.stateAgrees === "absent") return true;
  const isOther = best.nameDiffers || best.typeCost >= COSTS.otherType;
  // Streets of towns with one CEP are in no record.
  if (cityAgrees === "absent" && (isOther || best.isCommonNeighbourhood)) {
    return true;
  }
  // "Rua Santa Luzia" is not Rua Santa Lúcia if the city has both.
  const nearest = costOfStreet(best) - NEARER;
  return isOther &&
    others.some((it) =>
      !it.isGeneral && it.cityAgrees === cityAgrees &&
      costOfStreet(it) < nearest
    );
}

function costOfStreet({ nameCost, typeCost, streetRest }: Alignment): number {
  return nameCost + typeCost + streetRest;
}
