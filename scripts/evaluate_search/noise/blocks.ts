import type { Random } from "../../generate_dne/random.ts";

const SHORT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bConjunto\b/, ["Conj", "Cj", "conj."]],
  [/\bBloco\b/, ["Bl", "bl."]],
  [/\bMódulo\b/, ["Mod"]],
  [/\bLote\b/, ["Lt"]],
  [/\bTrecho\b/, ["Tr"]],
  [/(?<!^)\bQuadra\b/, ["Qd", "Q"]],
  [/\bAlameda\b/, ["Al", "alm", "Al."]],
  [/\bAvenida\b/, ["Av"]],
  [/\bSul\b/, ["S"]],
  [/\bNorte\b/, ["N"]],
];

/**
 * Abbreviates the words of a block: `1103 Sul Alameda 9` → `1103 S alm 9`.
 *
 * @param options.mayAddType Sometimes adds the missing type: `quadra 1103 S`.
 */
export function abbreviateBlock(
  street: string,
  random: Random,
  { mayAddType = false }: { mayAddType?: boolean } = {},
): string | undefined {
  let written = street.replace(
    /^Quadra\b/,
    () => random.pick(["Qd", "Q", "Quadra"]),
  );
  for (const [word, forms] of SHORT) {
    if (random.chance(80)) written = written.replace(word, random.pick(forms));
  }
  if (written === street) return undefined;
  return mayAddType && /^\d/.test(written) && random.chance(40)
    ? `${random.pick(["quadra", "Qd", "Q"])} ${written}`
    : written;
}
