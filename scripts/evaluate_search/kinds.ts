import type { Address } from "@carteiro/cep";
import { Random } from "../generate_dne/random.ts";
import * as change from "./changes.ts";
import {
  cityKey,
  contains,
  Directory,
  type Filter,
  halvesOf,
  isStreet,
  numberIn,
  parseComplement,
  type Place,
  placeOf,
  type Pool,
} from "./directory.ts";
import * as write from "./draft.ts";
import { type Change, type Draft, draftOf, isToldBy } from "./draft.ts";
import * as noise from "./noise.ts";
import { fold, keyOf, looseKey, nameOf, withoutAccents } from "./text.ts";

/** Kind of questions. */
export interface Kind<Asked> {
  /** Records to ask for; by default streets. */
  readonly from?: Filter | Pool | undefined;
  /** Asks for one; `undefined` if it cannot be asked for in this way. */
  readonly ask: (
    record: Address,
    random: Random,
    directory: Directory,
  ) => Asked | undefined;
}

/** Record that is asked for, and how. */
interface Subject {
  readonly kind: string;
  readonly place: Place;
  readonly record: Address;
}

/** Options of questions. */
export interface QuestionOptions {
  /** Another seed asks for other records. */
  readonly seed: number;
  /** Questions of each kind. */
  readonly count: number;
  /** Only this kind. */
  readonly only?: string | undefined;
}

/** Records that are drawn for each question of a kind, until one suits it. */
const MAX_DRAWS = 60;

/**
 * Asks as many different questions of each kind, if enough records suit it. A
 * kind asks the same questions whether or not the others are asked.
 */
export function* questionsOf<Asked>(
  directory: Directory,
  kinds: Readonly<Record<string, Kind<Asked>>>,
  { seed, count, only }: QuestionOptions,
): Generator<Asked & Subject> {
  for (const [kind, { from, ask }] of Object.entries(kinds)) {
    if (only !== undefined && kind !== only) continue;
    const random = new Random(seed, kind);
    const asked = new Set<string>();
    for (let i = 0; i < MAX_DRAWS * count && asked.size < count; i++) {
      const record = directory.draw(from, random);
      if (record === undefined) break;
      const question = ask(record, random, directory);
      if (question === undefined) continue;
      const text = JSON.stringify(question);
      if (asked.has(text)) continue;
      asked.add(text);
      yield { ...question, kind, place: placeOf(record), record };
    }
  }
}

/** Body for `POST /enderecos`. */
export type AddressBody = Readonly<Record<string, string>>;

/** Address of a record, or of none. */
interface WrittenAddress {
  readonly body: AddressBody;
  /** True if the address is of no record, so that none is the right answer. */
  readonly hasNone: boolean;
  /**
   * True for the CEP of the record, for those of others that the address does
   * not tell apart, and for `null` if the address is of no record.
   */
  readonly isAnswer: (cep: string | null) => boolean;
}

/** Question to `POST /enderecos`. */
export type AddressQuestion = WrittenAddress & Subject;

/** Accepts the CEPs of records. */
function cepsOf(
  directory: Directory,
  isAnswer: (found: Address) => boolean,
): WrittenAddress["isAnswer"] {
  return (cep) => {
    const found = cep === null ? undefined : directory.find(cep);
    return found !== undefined && isAnswer(found);
  };
}

/** Asks for a street with a change. */
function changed(
  change: Change,
  from: Filter | undefined,
  write: (draft: Draft, random: Random) => AddressBody,
): Kind<WrittenAddress> {
  return {
    from,
    ask(record, random, directory) {
      const whole = draftOf(record, random, directory);
      const draft = change(whole, random, directory);
      return draft && {
        body: write(draft, random),
        hasNone: false,
        isAnswer: cepsOf(directory, isToldBy(draft, directory)),
      };
    },
  };
}

/** Asks for a street with a change, as text. */
function text(
  change: Change,
  { from, writer = write.writeAddress, finish }: {
    readonly from?: Filter;
    readonly writer?: write.Writer;
    readonly finish?: (text: string, random: Random) => string;
  } = {},
): Kind<WrittenAddress> {
  return changed(change, from, (draft, random) => {
    const written = writer(draft, random);
    return { endereco: finish?.(written, random) ?? written };
  });
}

/** Asks for a street with a change, in parts. */
function parts(
  change: Change,
  from?: Filter,
  toNumber = ({ number }: Draft, _random: Random) => number,
): Kind<WrittenAddress> {
  return changed(change, from, (draft, random) =>
    withoutEmpty({
      logradouro: draft.street,
      numero: toNumber(draft, random),
      complemento: draft.unit,
      bairro: draft.neighbourhood,
      cidade: draft.city,
      uf: draft.uf,
      cep: draft.cep,
    }));
}

function withoutEmpty(body: Record<string, string>): AddressBody {
  return Object.fromEntries(Object.entries(body).filter(([, it]) => it !== ""));
}

/** Asks for a street that no record of the city has. */
function none(draft: Draft, random: Random): WrittenAddress {
  return {
    body: { endereco: write.writeAddress(draft, random) },
    hasNone: true,
    isAnswer: (cep) => cep === null,
  };
}

/** Invents a street in the city of a record. */
const invented: Kind<WrittenAddress>["ask"] = (record, random, directory) => {
  const { words } = directory.cityOf(record);
  const street = noise.inventStreet(random);
  if (words.has(looseKey(street).split(" ").at(-1)!)) return undefined;
  const draft = draftOf(record, random, directory);
  const number = `${1 + random.int(900)}`;
  return none({ ...draft, street, number, unit: "" }, random);
};

/** Asks for a street of another city, which the city of a record lacks. */
const contradictory: typeof invented = (record, random, directory) => {
  const other = directory.drawStreet(random);
  const words = looseKey(nameOf(other)).split(" ")
    .filter((it) => it.length > 3);
  const taken = directory.cityOf(record).words;
  if (words.length === 0 || words.some((it) => taken.has(it))) return undefined;
  const { bairro, cidade: city, uf } = record;
  const draft = draftOf(other, random, directory);
  const neighbourhood = random.chance(50) ? bairro : "";
  return none({ ...draft, neighbourhood, city, uf }, random);
};

const hasParentheses: Filter = ({ complemento }) => complemento.includes("(");

const hasNamesake: Filter = ({ cidade }, directory) =>
  directory.statesOf(cidade).size > 1;

/** Kinds of addresses, by name. */
export const ADDRESS_KINDS: Readonly<Record<string, Kind<WrittenAddress>>> = {
  "clean": text(change.keep),
  "capitals": text(change.keep, {
    finish: (it, random) =>
      (random.chance(60) ? withoutAccents(it) : it).toUpperCase(),
  }),
  "no accents": text(change.keep, { finish: fold }),
  "abbreviated": text(change.shorten),
  "abbreviated blocks": text(change.shortenBlock, {
    from: (it) => change.isBrasilia(it) || change.isPalmas(it),
  }),
  "no type": text(change.dropType),
  "no neighbourhood": text(change.dropNeighbourhood),
  "wrong neighbourhood": text(change.changeNeighbourhood),
  "half of a neighbourhood": text(change.halveNeighbourhood),
  "city first": text(change.keep, { writer: write.writeCityFirst }),
  "typo in the street": text(change.mistype(1)),
  "two typos in the street": text(change.mistype(2)),
  "typo in the city": text(change.mistypeCity),
  "typo in the CEP": text(change.addWrongCep),
  "with the CEP": text(change.addCep),
  "unit": text(change.addUnit),
  "unit without a comma": text(change.addUnit, {
    writer: write.writeUnitWithoutComma,
  }),
  "unit before the number": text(change.addNumberedUnit, {
    writer: write.writeUnitFirst,
  }),
  "quadra and lote": text(change.usePlot),
  "quadra and lote without a comma": text(change.usePlot, {
    writer: write.writeUnitWithoutComma,
  }),
  "km": text(change.useKilometre, {
    from: (it) => it.tipo_logradouro === "Rodovia",
  }),
  "s/n": text(change.useNoNumber),
  "no number": text(change.dropNumber),
  "numeral": text(change.renumber),
  "glued words": text(change.glue),
  "by ear": text(change.writeByEar),
  "other spelling of a person": text(change.respell),
  "missing title": text(change.dropTitle),
  "extra title": text(change.addTitle),
  "initials": text(change.useInitials),
  "with its complement": text(change.addComplement, { from: hasParentheses }),
  "wrong state": text(change.changeState),
  "namesake city without a state": text(change.dropState, {
    from: hasNamesake,
  }),
  "invented street": { ask: invented },
  "invented street, one-CEP town": { from: "towns", ask: invented },
  "street of another city": { ask: contradictory },
  "parts": parts(change.keep),
  "parts, no neighbourhood": parts(change.dropNeighbourhood),
  "parts, wrong neighbourhood": parts(change.changeNeighbourhood),
  "parts, abbreviated": parts(change.shorten),
  "parts, typo in the street": parts(change.mistype(1)),
  "parts, with its complement": parts(change.useComplement, hasParentheses),
  "parts, unit in the number": parts(
    (draft) => draft.number === "" ? undefined : draft,
    undefined,
    ({ number }, random) => noise.numberWithUnit(number, random),
  ),
};

/**
 * Asks for addresses of all kinds.
 *
 * @param records All records of a release, also those to compare answers with.
 */
export function addressQuestions(
  records: Directory | Iterable<Address>,
  options: QuestionOptions,
): Generator<AddressQuestion> {
  const directory = records instanceof Directory
    ? records
    : new Directory(records);
  return questionsOf(directory, ADDRESS_KINDS, options);
}

/** Kind of {@linkcode exactQuestions}. */
export const PARTS_EXACT = "parts exact";

/** Asks for random rows of streets as they are, in parts without the CEP. */
export function* exactQuestions(
  directory: Directory,
  { seed, count }: QuestionOptions,
): Generator<AddressQuestion> {
  const random = new Random(seed, PARTS_EXACT);
  const asked = new Set<string>();
  const { streets } = directory;
  const most = Math.min(count, streets.length);
  for (let i = 0; i < 3 * most && asked.size < most; i++) {
    const record = random.pick(streets);
    if (asked.has(record.cep)) continue;
    asked.add(record.cep);
    const place = placeOf(record);
    yield {
      ...askExactly(record, directory),
      kind: PARTS_EXACT,
      place,
      record,
    };
  }
}

/** Asks for the exact row of a street, in parts without number and CEP. */
export function askExactly(
  { logradouro, bairro, cidade, uf }: Address,
  directory: Directory,
): WrittenAddress {
  const isAnswer = (found: Address) =>
    found.logradouro === logradouro && found.bairro === bairro &&
    found.cidade === cidade && found.uf === uf;
  return {
    body: withoutEmpty({ logradouro, bairro, cidade, uf }),
    hasNone: false,
    isAnswer: cepsOf(directory, isAnswer),
  };
}

/** Search for a record. */
interface Search {
  /** Parameters, without the limit. */
  readonly query: Readonly<Record<string, string>>;
  /** True for the record, and for others that the query does not tell apart. */
  readonly isAnswer: (found: Address) => boolean;
}

/** Question to `GET /busca`. */
export type SearchQuestion = Search & Subject;

/** Searches for a street with a change. */
function street(
  change: Change,
  { from, writer = write.writeSearch, whole = false, finish = (it) => it }: {
    readonly from?: Filter;
    readonly writer?: write.Writer;
    /** Keeps the number, the neighbourhood and the state. */
    readonly whole?: boolean;
    /** Changes the written text. */
    readonly finish?: (text: string) => string;
  } = {},
): Kind<Search> {
  return {
    from,
    ask(record, random, directory) {
      const draft = draftOf(record, random, directory);
      const short = whole ? draft : asSearched(draft, random, directory)!;
      const changed = change(short, random, directory);
      if (changed === undefined) return undefined;
      const q = finish(writer(changed, random));
      return {
        // The municipality of a record may be unknown.
        query: record.cidade === "" ? { q, uf: record.uf } : { q },
        isAnswer: isToldBy(changed, directory),
      };
    },
  };
}

/** Leaves out what people seldom search with. */
const asSearched: Change = (draft, random, directory) => {
  let short = change.dropNumber(draft, random, directory)!;
  if (random.chance(65)) {
    short = change.dropNeighbourhood(short, random, directory) ?? short;
  }
  if (random.chance(35)) return short;
  const { told } = change.dropState(short, random, directory)!;
  const mayBeNeighbourhood = short.neighbourhood === "";
  return { ...short, uf: "", told: { ...told, mayBeNeighbourhood } };
};

const isHighway: Filter = ({ logradouro, tipo_logradouro: type }) =>
  ["Rodovia", "Estrada"].includes(type) &&
  /\b(BR|[A-Z]{2})[- ](\d{3})\b/.test(logradouro);

/** `Rodovia SC-401` → `Rodovia SC401`. */
function glueHighway(text: string): string {
  return text.replace(/\b([a-z]{2})[- ](\d{3})\b/i, "$1$2");
}

/** `Rodovia SC-401` → `sc401`. */
function bareHighway(text: string): string {
  return glueHighway(text).replace(/^\S+ /, "").toLowerCase();
}

const halfTyped: Kind<Search>["ask"] = ({ logradouro, cidade, uf }) => {
  const start = logradouro.lastIndexOf(" ") + 1;
  const half = start + Math.ceil((logradouro.length - start) / 2);
  const q = logradouro.slice(0, half);
  const isAnswer = (found: Address) =>
    found.uf === uf && found.cidade === cidade &&
    fold(found.logradouro).startsWith(fold(q));
  return { query: cidade === "" ? { q, uf } : { q, uf, cidade }, isAnswer };
};

const numbered: Kind<Search>["ask"] = (record, random, directory) => {
  const number = numberIn(directory.stretchOf(record)!, random);
  const { logradouro: q, cidade, bairro, uf } = record;
  const query = withoutEmpty({ q, uf, cidade, bairro, numero: `${number}` });
  const isAnswer = (found: Address) =>
    found.cep === record.cep ||
    // A street of the same name in an unknown neighbourhood.
    bairro === "" && found.logradouro === q && found.uf === uf &&
      contains(parseComplement(`- ${found.complemento}`), number);
  return { query, isAnswer };
};

const inChat: Kind<Search>["ask"] = (record, random, directory) => {
  const draft = draftOf(record, random, directory);
  const { number, neighbourhood, city } = draft;
  if (neighbourhood === "" || city === "") return undefined;
  const q = noise.chat(draft, random);
  const told = {
    ...draft.told,
    state: false,
    // A phrase may leave out the neighbourhood and the number.
    ...q.includes(neighbourhood) ? {} : { neighbourhood: "" },
    ...q.includes(` ${number}`) ? {} : { number: undefined },
  };
  return {
    query: { q: small(q, random) },
    isAnswer: isToldBy({ ...draft, told }, directory),
  };
};

/** Writes most texts in small letters. */
function small(text: string, random: Random): string {
  return random.chance(60) ? text.toLowerCase() : text;
}

function someCity({ cidade, uf }: Address, random: Random): string {
  return random.pick([cidade, cidade, `${cidade} ${uf}`, `${cidade}/${uf}`]);
}

const askForUser: Kind<Search>["ask"] = (record, random) => {
  const { nome } = record;
  if (nome === "") return undefined;
  const isAnswer = (found: Address) =>
    keyOf(found.nome) === keyOf(nome) && cityKey(found) === cityKey(record);
  const q = small(`${nome} ${someCity(record, random)}`, random);
  return { query: { q }, isAnswer };
};

const askForTown: Kind<Search>["ask"] = ({ cidade, uf }, random) => {
  const hasState = random.chance(60);
  const q = hasState
    ? `${cidade}${random.pick([" ", "/", " - "])}${uf}`
    : random.pick([cidade, `cep de ${cidade}`, `cidade de ${cidade}`]);
  // The record of the town, not those of its districts.
  const isAnswer = (found: Address) =>
    found.tipo_origem === "localidade" && found.distrito === "" &&
    fold(found.cidade) === fold(cidade) && (!hasState || found.uf === uf);
  return { query: { q: small(q, random) }, isAnswer };
};

const askForDistrict: Kind<Search>["ask"] = (record, random) => {
  const { logradouro, distrito, cidade, uf } = record;
  if (!isStreet(record) && record.tipo_origem !== "localidade") {
    return undefined;
  }
  const place = random.pick([`${distrito}, ${cidade}`, `${distrito} ${uf}`]);
  const q = logradouro === "" ? place : `${logradouro}, ${place}`;
  const isAnswer = (found: Address) =>
    fold(found.distrito) === fold(distrito) && found.uf === uf &&
    (logradouro === "" || found.logradouro === logradouro);
  return { query: { q: small(q, random) }, isAnswer };
};

const askForNeighbourhood: Kind<Search>["ask"] = (
  record,
  random,
  directory,
) => {
  const { bairro, cidade } = record;
  if (bairro === "" || cidade === "") return undefined;
  // Without the word, it may be a street of that name, or half a name.
  const isOther = directory.hasStreet(record, bairro) || !bairro.includes(" ");
  const word = isOther || random.chance(60) ? "bairro " : "";
  const q = `${word}${bairro} ${someCity(record, random)}`;
  const isAnswer = (found: Address) =>
    write.isNeighbourhood(found.bairro, bairro) &&
    fold(found.cidade) === fold(cidade);
  return { query: { q: small(q, random) }, isAnswer };
};

/** Kinds of searches, by name. */
export const SEARCH_KINDS: Readonly<Record<string, Kind<Search>>> = {
  "as written": street(change.keep),
  "no accents": street(change.keep, { finish: fold }),
  "no type": street(change.dropType),
  "abbreviated": street(change.shorten),
  "abbreviated as in the directory": street(change.useShortName),
  "another order": street(change.keep, { writer: write.writeSearchCityFirst }),
  "last word half typed": { ask: halfTyped },
  "city half typed": street(change.halveCity),
  "highway": street(change.keep, { from: isHighway, finish: glueHighway }),
  "highway, only its number": street(change.keep, {
    from: isHighway,
    finish: bareHighway,
  }),
  "letter wrong": street(change.mistype(1, noise.SLIPS.wrong)),
  "letter missing": street(change.mistype(1, noise.SLIPS.missing)),
  "letters swapped": street(change.mistype(1, noise.SLIPS.swapped)),
  "letter doubled": street(change.mistype(1, noise.SLIPS.doubled)),
  "two typos": street(change.mistype(2)),
  "by ear": street(change.writeByEar),
  "other spelling of a person": street(change.respell),
  "numeral": street(change.renumber),
  "whole address": street(change.keep, { whole: true }),
  "number, right CEP": {
    from: (it, directory) => directory.stretchOf(it) !== undefined,
    ask: numbered,
  },
  "extra title": street(change.addTitle),
  "missing title": street(change.dropTitle),
  "wrong title": street(change.changeTitle),
  "initials": street(change.useInitials),
  "old name": street(change.useOldName, {
    from: ({ cep }, { details }) => details.oldNames?.has(cep) ?? false,
  }),
  "glued words": street(change.glue),
  "wrong neighbourhood": street(change.changeNeighbourhood),
  "with its complement": street(change.addComplement, {
    from: ({ complemento }) => /\([^()]+\)/.test(complemento),
  }),
  "quadra and lote": street(change.usePlot, { whole: true }),
  "lead-in": street((draft, random) => ({
    ...draft,
    street: noise.leadIn(draft.street, random),
  })),
  "chat": { ask: inChat },
  "nickname of the city": street(change.useNickname, {
    from: ({ cidade, uf }) => Object.hasOwn(noise.NICKNAMES, `${cidade}/${uf}`),
  }),
  "Brasília": street(change.keep, { from: change.isBrasilia }),
  "Brasília, abbreviated": street(change.shortenBlock, {
    from: change.isBrasilia,
  }),
  "Brasília by its town": street(change.useTown, {
    from: (it) => change.isBrasilia(it) && halvesOf(it.bairro).length > 0,
  }),
  "Brasília, casa": street(change.addToBlock("casa"), {
    from: change.isBrasilia,
  }),
  "Brasília, lote": street(change.addToBlock("lote"), {
    from: change.isBrasilia,
  }),
  "Palmas": street(change.keep, { from: change.isPalmas }),
  "Palmas, abbreviated": street(change.shortenBlock, { from: change.isPalmas }),
  "large user": { from: "largeUsers", ask: askForUser },
  "town": { from: "towns", ask: askForTown },
  "district": { from: "districts", ask: askForDistrict },
  "neighbourhood": { from: "streets", ask: askForNeighbourhood },
  "CEP with slips": {
    ask: ({ cep }, random) => ({
      query: { q: noise.slipCode(cep, random) },
      isAnswer: (found) => found.cep === cep,
    }),
  },
};

/** Asks searches of all kinds. */
export function searchQuestions(
  directory: Directory,
  options: QuestionOptions,
): Generator<SearchQuestion> {
  return questionsOf(directory, SEARCH_KINDS, options);
}
