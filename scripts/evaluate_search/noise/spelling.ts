import type { Random } from "../../generate_dne/random.ts";

/** Letters, and others that sound alike. */
type Rule = readonly [RegExp, string];

const RULES: readonly Rule[] = [
  [/(?<=[aeiouáéíóú])s(?=[aeiouáéíóú])/, "z"],
  [/z(?=[aeiouáéíóú])/, "s"],
  [/z$/, "s"],
  [/(?<=[nlrpd]e)s$|(?<=[ií])s$/, "z"],
  [/y/, "i"],
  [/(?<=[eu])i$/, "y"],
  [/ph/, "f"],
  [/th/, "t"],
  [/^t(?=[aeh])/, "th"],
  [/w/, "v"],
  [/^v(?=a)/, "w"],
  [/([lmnptf])\1/, "$1"],
  [/(?<=[ae])l(?=[ao]$)/, "ll"],
  [/(?<=[aeo])t(?=[aeo])/, "tt"],
  [/(?<=[aeo])n(?=[aeo])/, "nn"],
  [/ç(?=[aouã])/, "ss"],
  [/ss(?=[aou])/, "ç"],
  [/(?<=[aeiou])c(?=[ei])/, "ss"],
  [/(?<=[nrl])c(?=[ei])/, "s"],
  [/ch(?=[aeiou])/, "x"],
  [/x(?=[aeiou])/, "ch"],
  [/g(?=[ei])/, "j"],
  [/j(?=[ei])/, "g"],
  [/lh(?=[aeo])/, "li"],
  [/li(?=[ao])/, "lh"],
  [/m(?=[pb])/, "n"],
  [/^h/, ""],
  [/qu(?=[aei])/, "k"],
  [/k/, "c"],
];

/** Words of blocks, which everyone can spell. */
const NO_NAMES: ReadonlySet<string> = new Set(
  "Quadra Conjunto Bloco Lote Lotes Módulo Alameda Trecho Entrequadra Norte"
    .split(" "),
);

/** Misspells a word by ear; `undefined` if no rule applies. */
export function misspellByEar(
  word: string,
  random: Random,
): string | undefined {
  const lower = word.toLowerCase();
  const rules = RULES.filter(([pattern]) => pattern.test(lower));
  if (rules.length === 0) return undefined;
  const [pattern, letters] = random.pick(rules);
  const written = lower.replace(pattern, letters);
  if (written === lower) return undefined;
  const isCapital = word.charAt(0) !== lower.charAt(0);
  return isCapital
    ? written.charAt(0).toUpperCase() + written.slice(1)
    : written;
}

/** Misspells one or two words of a name by ear. */
export function misspellNameByEar(
  name: string,
  random: Random,
): string | undefined {
  const words = name.split(" ");
  const can = words.flatMap((word, i) =>
    word.length >= 4 && /^\p{L}+$/u.test(word) && !NO_NAMES.has(word) ? [i] : []
  );
  let left = random.chance(40) ? 2 : 1;
  random.shuffle(can, can.length || 1);
  for (const i of can) {
    const misspelt = misspellByEar(words[i]!, random);
    if (misspelt === undefined) continue;
    words[i] = misspelt;
    if (--left === 0) break;
  }
  const written = words.join(" ");
  return written === name ? undefined : written;
}

const PAIRS =
  ("Luiz Luis|Souza Sousa|Teresa Tereza|Isabel Izabel|Rui Ruy|Ivani Ivany" +
    "|Brasil Brazil|Queiroz Queirós|Manoel Manuel|César Cézar|Moisés Moyses" +
    "|Eloi Eloy|Sueli Suely|Morais Moraes|Osvaldo Oswaldo|Valdir Waldir" +
    "|Valter Walter|Tiago Thiago|Mateus Matheus|Rafael Raphael" +
    "|Felipe Philipe|Batista Baptista|Melo Mello|Matos Mattos|Elisa Eliza" +
    "|Luísa Luiza|Heloísa Heloiza|Ivete Yvete|Inês Inez|Tomás Thomaz" +
    "|Baltazar Baltasar|Neusa Neuza|Creusa Creuza|Resende Rezende" +
    "|Meneses Menezes|Aloísio Aloizio|Lourdes Lurdes|Silvia Sylvia" +
    "|Lígia Lygia|Assunção Assumpção|Waldemar Valdemar|Vilson Wilson" +
    "|Viana Vianna|Ana Anna|Mota Motta|Campelo Campello|Luzia Lusia")
    .split("|").map((pair) => pair.split(" ") as [string, string]);

const OTHER_SPELLINGS = new Map(
  PAIRS.flatMap(([one, other]) => [[one, other], [other, one]] as const),
);

/** Spells a personal name in its other usual way. */
export function respellPersons(name: string): string | undefined {
  const words = name.split(" ");
  const written = words.map((word) => OTHER_SPELLINGS.get(word) ?? word);
  return written.join(" ") === name ? undefined : written.join(" ");
}
