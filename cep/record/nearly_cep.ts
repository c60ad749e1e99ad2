import { formatCep } from "./address.ts";

/** Characters of a text that can be a CEP with a label. */
const MAX_LENGTH = 40;

/** Digits that a CEP has, apart from letters that look like digits. */
const MIN_DIGITS = 5;

/** Drops the decimals of a CEP that was a number: `1310100.0`. */
export function dropDecimals(text: string): string {
  return text.replace(/^(\s*\d{7,8})[.,]0+\s*$/, "$1");
}

/**
 * Says which CEP a text was probably meant to be: one with letters that look
 * like digits, other signs than a hyphen, or without its leading zero.
 *
 * @returns What to do, in Portuguese, or `undefined` for any other value.
 */
export function adviseCep(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  const text = dropDecimals(value.normalize("NFKC")).replace(/^\s*cep\b/i, "");
  if (text.replaceAll(/\D/g, "").length < MIN_DIGITS) return undefined;
  const hasLetters = /\p{L}/u.test(text);
  const digits = text.replaceAll(/o/gi, "0").replaceAll(/[il]/gi, "1")
    .replaceAll(/[\s\p{P}\p{S}\p{Cf}]/gu, "");
  const cep = digits.padStart(8, "0");
  // No CEP begins with two zeros.
  if (!/^\d{7,8}$/.test(digits) || cep.startsWith("00")) return undefined;
  const written = formatCep(cep);
  if (digits.length === 8) {
    return hasLetters
      ? `troque as letras por dígitos: ${written}`
      : `informe ${written}`;
  }
  return hasLetters ? undefined : `se falta o zero inicial, informe ${written}`;
}
