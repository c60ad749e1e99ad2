import type { Random } from "../generate_dne/random.ts";
import { fold, isPreposition, MONTHS } from "./text.ts";

/** Reads a table of words and other forms of each: `Doutor:Dr,Dr. Frei:Fr`. */
function readForms(table: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    table.trim().split(/\s+/).map((entry) => {
      const [word, forms] = entry.split(":");
      return [word!, forms!.split(",")];
    }),
  );
}

/** Misspells a word at one of its letters. */
export type Slip = (word: string, at: number, random: Random) => string;

/** Letters beside each letter of a keyboard. */
const NEIGHBOURS = readForms(`
  a:sqz b:vnh c:xvd d:sfe e:wrd f:dgr g:fht h:gjy i:uok j:hkn k:jli l:kop m:nj
  n:bmh o:ipl p:ol q:wa r:etf s:adw t:ryg u:yij v:cbf w:qes x:zcs y:tuh z:xas`);

/** Slips by name. */
export const SLIPS: Readonly<
  Record<"wrong" | "missing" | "swapped" | "doubled", Slip>
> = {
  wrong: (word, at, random) => {
    const letter = fold(word[at]!);
    const [near = "e"] = NEIGHBOURS[letter] ?? [];
    return word.slice(0, at) + near[random.int(near.length)] +
      word.slice(at + 1);
  },
  missing: (word, at) => word.slice(0, at) + word.slice(at + 1),
  swapped: (word, at) => {
    let i = Math.min(at, word.length - 2);
    // Equal letters would not change the word.
    while (i > 0 && fold(word[i]!) === fold(word[i + 1]!)) i--;
    return word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2);
  },
  doubled: (word, at) => word.slice(0, at) + word[at] + word.slice(at),
};

/** Letters of a word that may be misspelt, and of one with two slips. */
const LEAST_LETTERS = 4;
const LEAST_FOR_TWO = 9;

/**
 * Misspells as many words of a name, each once; a long word twice if there are
 * too few. Returns `undefined` without a word of four letters.
 */
export function misspell(
  name: string,
  random: Random,
  { times = 1, slip }: { times?: number; slip?: Slip } = {},
): string | undefined {
  const words = name.split(" ");
  const long = words.flatMap((word, i) =>
    word.length >= LEAST_LETTERS && /^\p{L}+$/u.test(word) ? [i] : []
  );
  const left = [...long];
  for (let i = 0; i < times; i++) {
    // The second slip in one word needs a long one.
    const from = left.length > 0
      ? left
      : long.filter((at) => words[at]!.length >= LEAST_FOR_TWO);
    if (from.length === 0) return undefined;
    const at = random.pick(from);
    const word = words[at]!;
    const how = slip ?? random.pick(Object.values(SLIPS));
    // First letters are seldom mistyped.
    const position = random.chance(85)
      ? 1 + random.int(word.length - 1)
      : random.int(word.length);
    words[at] = how(word, position, random);
    left.splice(left.indexOf(at), 1);
  }
  const misspelt = words.join(" ");
  return fold(misspelt) === fold(name) ? undefined : misspelt;
}

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

const TITLES = readForms(`
  Doutor:Dr,Dr. Doutora:Dra,Dra. Professor:Prof,Prof.
  Professora:Profa,Profª,Profa. Coronel:Cel,Cel. Capitão:Cap,Cap.
  Tenente:Ten,Ten. General:Gen,Gal Marechal:Mal,Mal. Major:Maj,Mj Sargento:Sgt
  Soldado:Sd Almirante:Alm Brigadeiro:Brig Comandante:Cmte,Com
  Presidente:Pres,Pres. Governador:Gov,Gov. Senador:Sen,Sen. Deputado:Dep,Dep.
  Vereador:Ver,Ver. Prefeito:Pref,Pref. Ministro:Min,Min.
  Desembargador:Des,Des. Engenheiro:Eng,Engº Padre:Pe,Pe. Monsenhor:Mons
  Frei:Fr Dom:D,D. Dona:D,Da Barão:Br Visconde:Visc Comendador:Com,Comend
  Conselheiro:Cons`);

const SHORT_WORDS: typeof TITLES = {
  ...TITLES,
  ...readForms(`
    Santo:Sto,Sto. Santa:Sta,Sta. São:S,S. Nossa:N,Na Senhora:Sra,Sra.
    Jardim:Jd,Jd.,Jdm Vila:Vl,V. Parque:Pq,Pque Conjunto:Conj,Cj
    Residencial:Res,Resid Loteamento:Lot,Loteam Projetada:Proj Quadra:Qd,Q
    Módulo:Mod Bloco:Bl Lote:Lt`),
};

const TYPES = readForms(`
  Rua:R,R. Avenida:Av,Av. Travessa:Tv,Trav,Tv. Alameda:Al,Al. Praça:Pça,Pc,Pç
  Estrada:Estr,Est Rodovia:Rod,Rod. Servidão:Serv,Srv Largo:Lgo,Lg Beco:Bc
  Ladeira:Lad Quadra:Qd,Q`);

/** Abbreviates the type, the titles and other usual words of a street. */
export function abbreviate(street: string, random: Random): string | undefined {
  const [first = "", ...others] = street.split(" ");
  const type = TYPES[first];
  const words = [
    type === undefined ? first : random.pick(type),
    ...others.map((word, i) => {
      // A last word is a name: "Rua Santa" is not "R. Sta".
      const short = i === others.length - 1 ? undefined : SHORT_WORDS[word];
      return short === undefined ? word : random.pick(short);
    }),
  ];
  const written = words.join(" ");
  return written === street ? undefined : written;
}

/** Folds abbreviations as coarsely as {@linkcode abbreviate} makes them. */
export function abbreviationKey(street: string): string {
  return street.split(" ").map((word, i) => {
    const [short] = (i === 0 ? TYPES[word] : undefined) ?? SHORT_WORDS[word] ??
      [word];
    return fold(short!).replace(/\W/g, "");
  }).join(" ");
}

/** True for a title in full. */
function isTitle(word: string): boolean {
  return Object.hasOwn(TITLES, word);
}

/** Returns the name without its first title. */
export function withoutTitle(name: string): string | undefined {
  const [title = "", ...others] = name.split(" ");
  return isTitle(title) && others.length >= 2 && !isPreposition(others[0]!)
    ? others.join(" ")
    : undefined;
}

/** Returns the name with another title in place of its own. */
export function withOtherTitle(
  name: string,
  random: Random,
): string | undefined {
  const bare = withoutTitle(name);
  return bare && `${anyTitle(random, name.split(" ")[0]!)} ${bare}`;
}

const NOT_PERSONS = new Set(
  "São Santo Santa Nossa Nova Novo Rio Vila Jardim Bom Boa Monte Alto Campo"
    .split(" "),
);

/** Returns a person's name with a title; `undefined` unless it looks like one. */
export function withTitle(name: string, random: Random): string | undefined {
  const words = name.split(" ");
  const isPerson = words.length >= 2 && /^[\p{L} ']+$/u.test(name) &&
    !isTitle(words[0]!) && !NOT_PERSONS.has(words[0]!) &&
    !isPreposition(words[0]!) && words[0]!.length >= 4 &&
    FIRST_NAMES.has(fold(words[0]!));
  return isPerson ? `${anyTitle(random)} ${name}` : undefined;
}

const USUAL = ["Doutor", "Professor", "Coronel", "Vereador", "Prefeito"];

function anyTitle(random: Random, but = ""): string {
  return random.pick(USUAL.filter((it) => it !== but));
}

/** First names of men, whom the usual titles are for. */
const FIRST_NAMES = new Set(
  (`jose joao antonio francisco carlos paulo pedro lucas luiz luis marcos gabriel
    rafael daniel marcelo bruno eduardo felipe raimundo rodrigo manoel manuel
    mateus andre fernando fabio leonardo gustavo guilherme leandro tiago anderson
    ricardo marcio jorge sebastiao alexandre roberto edson diego vitor sergio
    claudio mario alberto alfredo armando arthur artur augusto benedito caetano
    cesar domingos emilio ernesto eugenio fausto geraldo getulio gilberto helio
    henrique hugo humberto ivo jacinto joaquim julio laerte lauro lourenco
    mauricio miguel milton moacir moises nelson nilo nestor olavo orlando oscar
    osvaldo oswaldo otavio otto raul renato rubens rui silvio teodoro tomas
    valdemar waldemar valter walter vicente virgilio wilson zeferino estevao`)
    .split(/\s+/),
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
    !MONTHS.includes(words.at(-1)!.toLowerCase());
  if (!isPerson) return undefined;
  return words.map((word, i) =>
    i === words.length - 1 || keepsFirst && i === 0 ? word : word.charAt(0)
  ).join(" ");
}

/** Writes two neighbouring words of a name, or all, as one. */
export function glueWords(name: string, random: Random): string | undefined {
  const words = name.split(" ");
  const can = words.slice(1).flatMap((word, i) =>
    [words[i]!, word].every((it) => /^\p{L}{2,}$/u.test(it)) ? [i] : []
  );
  if (can.length === 0) return undefined;
  if (
    can.length === words.length - 1 && words.length < 4 && random.chance(40)
  ) {
    return words.join("").toLowerCase();
  }
  const at = random.pick(can);
  words.splice(at, 2, words[at]! + words[at + 1]!.toLowerCase());
  return words.join(" ");
}

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

/** Writes a CEP with blanks, dots, letters for digits, or without its zero. */
export function slipCode(cep: string, random: Random): string {
  const [start, end] = [cep.slice(0, 5), cep.slice(5)];
  const forms = [
    `${start} ${end}`,
    `${start.slice(0, 2)}.${start.slice(2)}-${end}`,
    `${start.slice(0, 2)} ${start.slice(2)} ${end}`,
    `${start}.${end}`,
    `${start} - ${end}`,
    `cep ${start}-${end}`,
    `CEP: ${cep}`,
    `${start}-${end}.`,
  ];
  // Seven digits from a spreadsheet.
  if (cep.startsWith("0")) forms.push(cep.slice(1), cep.slice(1));
  const letters = withLetters(cep, random);
  if (letters !== undefined) {
    forms.push(letters, `${letters.slice(0, 5)}-${letters.slice(5)}`);
  }
  return random.pick(forms);
}

function withLetters(cep: string, random: Random): string | undefined {
  const can = [...cep].flatMap((digit, i) => /[01]/.test(digit) ? [i] : []);
  if (can.length === 0) return undefined;
  const at = random.pick(can);
  const letter = cep[at] === "0"
    ? random.pick(["O", "o"])
    : random.pick(["I", "l"]);
  return cep.slice(0, at) + letter + cep.slice(at + 1);
}

/** Returns a CEP with two digits swapped or one digit wrong. */
export function wrongCode(cep: string, random: Random): string {
  const at = 3 + random.int(4);
  if (cep[at] !== cep[at + 1] && random.chance(50)) {
    return cep.slice(0, at) + cep[at + 1] + cep[at] + cep.slice(at + 2);
  }
  const digit = (Number(cep[at]) + 1 + random.int(9)) % 10;
  return cep.slice(0, at) + digit + cep.slice(at + 1);
}

/** Writes a unit of a building: `apto 12 bloco B`, `fundos`. */
export function unit(random: Random): string {
  return random.chance(75) ? numberedUnit(random) : random.pick([
    `${random.int(12) + 1}º andar`,
    "fundos",
    "fds",
    "frente",
    "sobrado",
  ]);
}

/** Writes a unit with a number: `apto 12`. */
export function numberedUnit(random: Random): string {
  const number = 1 + random.int(40);
  const flat = (1 + random.int(18)) * 100 + 1 + random.int(8);
  const block = random.pick(["A", "B", "C", "1", "2", "3"]);
  const house = 1 + random.int(9);
  return random.pick([
    `apto ${flat}`,
    `ap ${flat}`,
    `apt. ${flat}`,
    `apartamento ${flat}`,
    `apto ${flat} bloco ${block}`,
    `bloco ${block} apto ${flat}`,
    `bl ${block} ap ${flat}`,
    `sala ${flat}`,
    `sl ${number}`,
    `loja ${number}`,
    `casa ${house}`,
    `cs ${house}`,
  ]);
}

/** Writes the plot of a house: `qd 10 lt 5`. */
export function plot(random: Random): string {
  const quadra = random.chance(80)
    ? `${1 + random.int(60)}`
    : random.pick(["A", "B", "C", "D", "H"]);
  const lote = 1 + random.int(40);
  return random.pick([
    `qd ${quadra} lt ${lote}`,
    `quadra ${quadra} lote ${lote}`,
    `qd. ${quadra} lt. ${lote}`,
    `Q ${quadra} L ${lote}`,
    `qd ${quadra}, lt ${lote}`,
    `quadra ${quadra}, lote ${lote}`,
  ]);
}

/** Writes the part of a member `numero` that has more than the number. */
export function numberWithUnit(number: string, random: Random): string {
  return random.pick([
    `${number} fundos`,
    `${number} apto ${1 + random.int(30)}`,
    `${number} casa ${1 + random.int(9)}`,
    `${number} A`,
    `${number}-A`,
    `nº ${number}`,
    `n. ${number}`,
    `Lote ${number}`,
    `${number}/${100 + random.int(900)}`,
  ]);
}

function articleOf(street: string): "a" | "o" {
  return /^(beco|largo|viaduto|caminho|condom|loteam)/i.test(street)
    ? "o"
    : "a";
}

/** Puts a phrase such as `moro na` before a street. */
export function leadIn(street: string, random: Random): string {
  const a = articleOf(street);
  return random.pick([
    `perto d${a} ${street}`,
    `próximo a ${street}`,
    `moro n${a} ${street}`,
    `fica n${a} ${street}`,
    `qual o cep d${a} ${street}`,
    `cep d${a} ${street}`,
    `endereço: ${street}`,
    `entregar n${a} ${street}`,
    `esquina com ${street}`,
    `em frente a ${street}`,
  ]);
}

/** Writes an address as in a chat. */
export function chat(
  { street, number, neighbourhood, city }: Readonly<
    Record<"street" | "number" | "neighbourhood" | "city", string>
  >,
  random: Random,
): string {
  const a = articleOf(street);
  const numbered = number === "" ? street : `${street} ${number}`;
  const comma = number === "" ? street : `${street}, ${number}`;
  return random.pick([
    `oi, moro n${a} ${numbered} no bairro ${neighbourhood} em ${city}`,
    `bom dia, qual o cep d${a} ${street} em ${city}?`,
    `preciso do cep d${a} ${comma}, ${neighbourhood}, ${city}`,
    `alguém sabe o cep d${a} ${street} bairro ${neighbourhood} ${city}`,
    `meu endereço é ${comma}, ${neighbourhood}, ${city}`,
    `boa tarde! entrega n${a} ${numbered} ${neighbourhood} ${city}?`,
    `fica ali n${a} ${street}, no ${neighbourhood}, ${city}`,
    `olá, gostaria do cep d${a} ${street}, ${city}, obrigado`,
  ]);
}

const FIRST =
  ("Zulmerinda Astrogildo Crisântemo Deoclécia Eufrosino Filogônio" +
    " Gumercinda Hermenegilda Isolmira Jovelânio Leocrécio Minervino Nicácia" +
    " Otaciana Petronilho Querubina Rosalvino Sidrônia Trajanira Ursulina")
    .split(" ");
const USUAL_FIRST =
  "José Maria Antônio João Francisco Ana Pedro Paulo Santa Doutor"
    .split(" ");
const STARTS = "Tra Gru Ble Cra Dro Fle Pra Stra Zuc Vro Qui Gla Bru Tchu Xan"
  .split(" ");
const MIDDLES = "buche lipo zare gompi valle dreche furla mante pisco notte"
  .split(" ");
const ENDS = "lli nski rato vich dorf zzo meira strom".split(" ");

/**
 * Invents the name of a street that no city has: its last word is new, the first
 * one often usual.
 */
export function inventStreet(random: Random): string {
  const type = random.pick(["Rua", "Rua", "Rua", "Avenida", "Travessa"]);
  const last = random.pick(STARTS) + random.pick(MIDDLES) + random.pick(ENDS);
  return `${type} ${
    random.pick(random.chance(50) ? FIRST : USUAL_FIRST)
  } ${last}`;
}

/** Nicknames by municipality and state. */
export const NICKNAMES: Readonly<Record<string, readonly string[]>> = {
  "Balneário Camboriú/SC": ["BC", "Bal Camboriú"],
  "Belém/PA": ["Belém do Pará"],
  "Belo Horizonte/MG": ["BH", "Belô", "Beagá"],
  "Blumenau/SC": ["Blu"],
  "Brasília/DF": ["BSB"],
  "Cachoeiro de Itapemirim/ES": ["Cachoeiro"],
  "Curitiba/PR": ["CWB", "Ctba"],
  "Feira de Santana/BA": ["Feira"],
  "Florianópolis/SC": ["Floripa"],
  "Foz do Iguaçu/PR": ["Foz"],
  "Goiânia/GO": ["Gyn"],
  "Governador Valadares/MG": ["Valadares", "GV"],
  "Itaquaquecetuba/SP": ["Itaquá"],
  "Jaboatão dos Guararapes/PE": ["Jaboatão"],
  "João Pessoa/PB": ["Jampa"],
  "Juiz de Fora/MG": ["JF"],
  "Nova Friburgo/RJ": ["Friburgo"],
  "Pindamonhangaba/SP": ["Pinda"],
  "Poços de Caldas/MG": ["Poços"],
  "Porto Alegre/RS": ["POA"],
  "Presidente Prudente/SP": ["Prudente"],
  "Ribeirão Preto/SP": ["Ribeirão"],
  "Rio de Janeiro/RJ": ["Rio"],
  "São Bernardo do Campo/SP": ["SBC", "São Bernardo"],
  "São José do Rio Preto/SP": ["Rio Preto"],
  "São José dos Campos/SP": ["SJC"],
  "São Paulo/SP": ["Sampa", "S. Paulo"],
};
