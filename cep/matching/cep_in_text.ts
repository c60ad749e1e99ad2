/**
 * CEP in the text of an address.
 *
 * @module
 */

/** CEP after its label; a spreadsheet may have dropped its leading zero. */
const LABELLED =
  /\bcep\b[\s:.nº°-]*(\d{2}\.?\d{3}[\s-]{0,3}\d{3}|\d{4}-\d{3}|\d{7})(?!\d)/gi;
const BARE = /(?<![\d.-])(\d{2}\.?\d{3} ?- ?\d{3}|\d{8})(?![\d-])/g;

/**
 * Finds a CEP in an address, preferably one with the label `CEP`, else the last.
 *
 * @returns Its eight digits, or `""`, and the text without it.
 */
export function takeCep(text: string): { cep: string; rest: string } {
  for (const form of [LABELLED, BARE]) {
    const match = [...text.matchAll(form)].at(-1);
    if (match === undefined) continue;
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    return { cep: completeCep(match[1]!), rest: `${before},${after}` };
  }
  return { cep: "", rest: text };
}

/**
 * Completes a CEP whose leading zero is missing.
 *
 * @returns Eight digits, `""` for any other text.
 */
export function completeCep(text: string): string {
  const digits = text.replaceAll(/[\s.-]/g, "");
  return /^\d{7,8}$/.test(digits) ? digits.padStart(8, "0") : "";
}
