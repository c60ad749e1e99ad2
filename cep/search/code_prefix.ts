/** Longest written form of a CEP. */
const MAX_CHARACTERS = 20;

/**
 * Returns the first digits of a CEP if the text consists of them, in any
 * written form; otherwise `undefined`.
 */
export function codePrefix({ text }: { text: string }): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  if (!/^\s*(?:cep:?\s*)?\d[\d.\-\s]*$/i.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, "");
  return digits.length <= 8 ? digits : undefined;
}
