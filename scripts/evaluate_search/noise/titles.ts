import type { Random } from "../../generate_dne/random.ts";
import { fold, isPreposition } from "../text.ts";

const TITLES: Readonly<Record<string, readonly string[]>> = {
  Doutor: ["Dr", "Dr."],
  Doutora: ["Dra", "Dra."],
  Professor: ["Prof", "Prof."],
  Professora: ["Profa", "Profª", "Profa."],
  Coronel: ["Cel", "Cel."],
  Capitão: ["Cap", "Cap."],
  Tenente: ["Ten", "Ten."],
  General: ["Gen", "Gal"],
  Marechal: ["Mal", "Mal."],
  Major: ["Maj", "Mj"],
  Sargento: ["Sgt"],
  Soldado: ["Sd"],
  Almirante: ["Alm"],
  Brigadeiro: ["Brig"],
  Comandante: ["Cmte", "Com"],
  Presidente: ["Pres", "Pres."],
  Governador: ["Gov", "Gov."],
  Senador: ["Sen", "Sen."],
  Deputado: ["Dep", "Dep."],
  Vereador: ["Ver", "Ver."],
  Prefeito: ["Pref", "Pref."],
  Ministro: ["Min", "Min."],
  Desembargador: ["Des", "Des."],
  Engenheiro: ["Eng", "Engº"],
  Padre: ["Pe", "Pe."],
  Monsenhor: ["Mons"],
  Frei: ["Fr"],
  Dom: ["D", "D."],
  Dona: ["D", "Da"],
  Barão: ["Br"],
  Visconde: ["Visc"],
  Comendador: ["Com", "Comend"],
  Conselheiro: ["Cons"],
};

const SHORT_WORDS: Readonly<Record<string, readonly string[]>> = {
  ...TITLES,
  Santo: ["Sto", "Sto."],
  Santa: ["Sta", "Sta."],
  São: ["S", "S."],
  Nossa: ["N", "Na"],
  Senhora: ["Sra", "Sra."],
  Jardim: ["Jd", "Jd.", "Jdm"],
  Vila: ["Vl", "V."],
  Parque: ["Pq", "Pque"],
  Conjunto: ["Conj", "Cj"],
  Residencial: ["Res", "Resid"],
  Loteamento: ["Lot", "Loteam"],
  Projetada: ["Proj"],
  Quadra: ["Qd", "Q"],
  Módulo: ["Mod"],
  Bloco: ["Bl"],
  Lote: ["Lt"],
};

const TYPES: Readonly<Record<string, readonly string[]>> = {
  Rua: ["R", "R."],
  Avenida: ["Av", "Av."],
  Travessa: ["Tv", "Trav", "Tv."],
  Alameda: ["Al", "Al."],
  Praça: ["Pça", "Pc", "Pç"],
  Estrada: ["Estr", "Est"],
  Rodovia: ["Rod", "Rod."],
  Servidão: ["Serv", "Srv"],
  Largo: ["Lgo", "Lg"],
  Beco: ["Bc"],
  Ladeira: ["Lad"],
  Quadra: ["Qd", "Q"],
};

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
export function isTitle(word: string): boolean {
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
