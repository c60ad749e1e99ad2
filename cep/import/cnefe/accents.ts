/**
 * Accents of Portuguese words, which the CNEFE does not have.
 *
 * Sources: a list written by hand (`accents.json`), the names of the
 * municipalities, and endings that always have the same accent. Ambiguous words
 * are in none of them: a missing accent is better than a wrong one.
 */
import { municipalityNames } from "../../record/municipality_names.ts";
import data from "./accents.json" with { type: "json" };

/** Endings, the first that fits being the right one. */
const ENDINGS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/(?<=[aceinopru])cao$/, "ção"],
  [/(?<=.)ao$/, "ão"],
  [/(?<=[aeiounpr])coes$/, "ções"],
  [/(?<=...)oes$/, "ões"],
  [/opolis$/, "ópolis"],
  [/apolis$/, "ápolis"],
  [/landia$/, "lândia"],
  [/encia(?=s?$)/, "ência"],
  [/ancia(?=s?$)/, "ância"],
  [/encio$/, "êncio"],
  [/ancio$/, "âncio"],
  [/(?<=.)ario(?=s?$)/, "ário"],
  [/(?<=.)orio(?=s?$)/, "ório"],
  [/(?<=.)erio(?=s?$)/, "ério"],
  [/acio(?=s?$)/, "ácio"],
  [/icio(?=s?$)/, "ício"],
  [/icia(?=s?$)/, "ícia"],
  [/(?<!f)ilia(?=s?$)/, "ília"],
  [/inia(?=s?$)/, "ínia"],
  [/inio(?=s?$)/, "ínio"],
  [/onio(?=s?$)/, "ônio"],
  [/enio(?=s?$)/, "ênio"],
  [/elio$/, "élio"],
  [/elia$/, "élia"],
  [/ulio$/, "úlio"],
  [/ulia$/, "úlia"],
  [/issim(?=[ao]s?$)/, "íssim"],
  [/guacu$/, "guaçu"],
  [/logic(?=[ao]s?$)/, "lógic"],
  [/grafic(?=[ao]s?$)/, "gráfic"],
  [/istic(?=[ao]s?$)/, "ístic"],
  [/(?<=..)avel$/, "ável"],
  [/(?<=..)ivel$/, "ível"],
  [/(?<!a)udio(?=s?$)/, "údio"],
  [/avio(?=s?$)/, "ávio"],
  [/ivio(?=s?$)/, "ívio"],
  [/esio$/, "ésio"],
  [/isio$/, "ísio"],
  [/osio$/, "ósio"],
  [/asio(?=s?$)/, "ásio"],
  [/idio(?=s?$)/, "ídio"],
  [/edio(?=s?$)/, "édio"],
  [/adio(?=s?$)/, "ádio"],
  [/odio(?=s?$)/, "ódio"],
  [/(?<!h)avia$/, "ávia"],
  [/alia$/, "ália"],
  [/idia$/, "ídia"],
  [/(?<=..)ania$/, "ânia"],
  [/enia$/, "ênia"],
  [/egio(?=s?$)/, "égio"],
  [/igio(?=s?$)/, "ígio"],
  [/ucia$/, "úcia"],
  [/ucio$/, "úcio"],
  [/ocio(?=s?$)/, "ócio"],
  [/(?<!r)acia(?=s?$)/, "ácia"],
  [/ecio$/, "écio"],
  [/ecia$/, "écia"],
  [/emio(?=s?$)/, "êmio"],
  [/atic(?=[ao]s?$)/, "átic"],
  [/etic(?=[ao]s?$)/, "étic"],
  [/otic(?=[ao]s?$)/, "ótic"],
  [/itic(?=[ao]s?$)/, "ític"],
  [/onic(?=[ao]s?$)/, "ônic"],
  [/anic(?=[ao]s?$)/, "ânic"],
  [/amic(?=[ao]s?$)/, "âmic"],
  [/omic(?=[ao]s?$)/, "ômic"],
  [/ane(?=[ao]s?$)/, "âne"],
  [/(?<=..)ois$/, "óis"],
];

let words: ReadonlyMap<string, string> | undefined;
/** Words that have an ending without its accent, or have several meanings. */
const plain: ReadonlySet<string> = new Set(data.plain.join(" ").split(" "));

/**
 * Returns a word with its accents where they are certain, else as it is. The
 * letters are `a` to `z`.
 */
export function accented(word: string): string {
  words ??= readWords();
  const known = words.get(word);
  if (known !== undefined) return known;
  if (plain.has(word)) return word;
  for (const [pattern, replacement] of ENDINGS) {
    if (pattern.test(word)) return word.replace(pattern, replacement);
  }
  return word;
}

/** Returns a lower-case word without accents. */
export function unaccented(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

function readWords(): ReadonlyMap<string, string> {
  const found = wordsOfMunicipalities();
  for (const word of data.words.join(" ").split(" ")) {
    found.set(unaccented(word), word);
  }
  return found;
}

/** Words that the names of municipalities always write in the same way. */
function wordsOfMunicipalities(): Map<string, string> {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const name of municipalityNames().values()) {
    for (const [word] of name.toLowerCase().matchAll(/\p{L}{3,}/gu)) {
      const key = unaccented(word);
      const other = found.get(key);
      if (other === undefined) found.set(key, word);
      else if (other !== word) several.add(key);
    }
  }
  for (const key of several) found.delete(key);
  for (const key of plain) found.delete(key);
  return found;
}
