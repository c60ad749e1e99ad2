import type { Address } from "../../record/address.ts";
import { stateFacts } from "../../record/states.ts";
import { fold } from "../../search/fold.ts";

/** Words that say nothing about which street it is. */
const COMMON: readonly string[] =
  ("rua avenida alameda travessa praca rodovia estrada numero " +
    "casa apto apartamento bloco lote quadra das dos").split(" ");

/**
 * True if a record has all words of a text: a search also finds similar ones.
 *
 * @param foundName Alternative name by which it was found.
 */
export function hasWords(
  text: string,
  { nome, logradouro, complemento, bairro, distrito, cidade, uf }: Address,
  foundName = "",
): boolean {
  const known = fold([
    ...[nome, logradouro, complemento, bairro, distrito, cidade, uf],
    ...[foundName, stateFacts(uf)?.name ?? ""],
  ].join(" "));
  return fold(text)
    .filter((it) => /^[a-z]{3,}$/.test(it) && !COMMON.includes(it))
    .every((it) => known.includes(it));
}
