import { soundOf } from "../spelling_key.ts";

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
