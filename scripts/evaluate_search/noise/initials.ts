import { fold, isPreposition } from "../text.ts";
import { isTitle } from "./titles.ts";

const MONTHS = new Set(
  ("janeiro fevereiro marco abril maio junho julho agosto setembro outubro" +
    " novembro dezembro").split(" "),
);

/**
 * Writes the initials of all names but the last: `J K Oliveira`.
 *
 * @param options.keepsFirst Writes the first name in full: `Juscelino K Oliveira`.
 * @returns `undefined` for a name of fewer than three, and for no person.
 */
export function initials(
  name: string,
  { keepsFirst = false }: { keepsFirst?: boolean } = {},
): string | undefined {
  const words = name.split(" ").filter((word) => !isPreposition(word));
  const isPerson = words.length >= 3 && !isTitle(words[0]!) &&
    words.every((word) => /^\p{Lu}\p{Ll}{2,}$/u.test(word)) &&
    !MONTHS.has(fold(words.at(-1)!));
  if (!isPerson) return undefined;
  return words.map((word, i) =>
    i === words.length - 1 || keepsFirst && i === 0 ? word : word.charAt(0)
  ).join(" ");
}
