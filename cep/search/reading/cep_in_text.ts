import { dropDecimals } from "../../record/nearly_cep.ts";
import { NOT_A_CEP } from "./address_words.ts";

/** Digit, or a letter that is typed in its place. */
const D = "[0-9OoIl]";
/** Hyphen, or a dash that an editor of texts puts in its place. */
const DASH = "[-\u2010-\u2014]";

/** CEP after its label; a spreadsheet may have dropped its leading zero. */
const LABELLED = new RegExp(
  `\\bcep[\\s:.nº°-]*(${D}{2}\\.?${D}{3}(?:${DASH}|[\\s.]){0,3}${D}{3}|\\d{4}${DASH}\\d{3}|\\d{7})(?![\\p{L}\\d])`,
  "giu",
);
/** Columns of fixed width may be glued: `SP01310100`. */
const STATE = "(?<=(?<!\\p{L})[A-Z]{2}(?=\\d{8}(?!\\d)))";
const BARE = new RegExp(
  `(?:(?<![\\p{L}\\d.-])|${STATE})(\\d${D}\\.?${D}{3} ?${DASH} ?${D}{3}|\\d{2}\\.\\d{3}[. ]\\d{3}|\\d{5} \\d{3}|\\d{4}${DASH}\\d{3}|\\d${D}{7}|\\d{7}(?=\\s*$))(?![\\p{L}\\d-])`,
  "gu",
);

/** CEP that was found in a text. */
export interface CepInText {
  /** Eight digits, `""` without one. */
  readonly cep: string;
  /** The text, with blanks in place of the CEP. */
  readonly rest: string;
}

/**
 * Finds a CEP in an address, preferably one with the label `CEP`, else the last.
 *
 * @param isPossible True for a CEP that a record may have. It is asked for eight
 * digits without a sign between them, which may be a telephone.
 */
export function takeCep(
  text: string,
  isPossible: (cep: string) => boolean = () => true,
): CepInText {
  for (const form of [LABELLED, BARE]) {
    const match = [...text.matchAll(form)].findLast((match) =>
      form === LABELLED || isCep(text, match, isPossible)
    );
    if (match === undefined) continue;
    const { index, 0: { length } } = match;
    const before = text.slice(0, index);
    const after = text.slice(index + length);
    return {
      cep: completeCep(match[1]!),
      rest: `${before};${" ".repeat(length - 1)}${after}`,
    };
  }
  return { cep: "", rest: text };
}

function isCep(
  text: string,
  { index, 1: digits = "" }: RegExpExecArray,
  isPossible: (cep: string) => boolean,
): boolean {
  if (NOT_A_CEP.test(text.slice(Math.max(0, index - 30), index))) return false;
  const cep = completeCep(digits);
  const figures = digits.replaceAll(/\D/g, "").length;
  if (figures < (digits.includes("-") ? 4 : 6)) return false;
  return /^\d{5}-\d{3}$/.test(digits) || cep !== "" && isPossible(cep);
}

/**
 * Completes a CEP whose leading zero is missing, and corrects letters that look
 * like digits.
 *
 * @returns Eight digits, `""` for any other text.
 */
export function completeCep(text: string): string {
  const digits = dropDecimals(text).replaceAll(/[\s.\u2010-\u2014-]/g, "")
    .replaceAll(/o/gi, "0").replaceAll(/[il]/gi, "1");
  return /^\d{7,8}$/.test(digits) ? digits.padStart(8, "0") : "";
}
