/** Tells records that a search names from those that only resemble them. */

/** Words that say nothing about which street it is. */
const COMMON = ("rua avenida alameda travessa praca rodovia estrada numero " +
  "casa apto apartamento bloco lote quadra das dos").split(" ");

/** True if a record has all words of a text: `busca` also finds similar ones. */
export function hasWords(text, record, state) {
  const { nome, logradouro, complemento, bairro, distrito, cidade } = record;
  const known = fold([
    ...[nome, logradouro, complemento, bairro, distrito, cidade, record.uf],
    ...[record.nome_encontrado, state],
  ].join(" "));
  return fold(text).every((word) => known.includes(word));
}

/** True if a text names the municipality of a record, and perhaps its state. */
export function isTown(text, { cidade, uf }, state) {
  const words = fold(text);
  const known = fold(`${cidade} ${uf} ${state}`);
  return words.length > 0 && words.every((it) => known.includes(it)) &&
    fold(cidade).every((it) => words.includes(it));
}

/** Words of three letters or more, without accents and common ones. */
function fold(text) {
  return text.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, "").toLowerCase()
    .match(/\b[a-z]{3,}\b/g)?.filter((it) => !COMMON.includes(it)) ?? [];
}
