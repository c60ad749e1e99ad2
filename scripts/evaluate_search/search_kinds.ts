import type { Address } from "@carteiro/cep";
import * as blocks from "./changes/blocks.ts";
import * as buildings from "./changes/buildings.ts";
import * as names from "./changes/names.ts";
import * as places from "./changes/places.ts";
import { type Change, draftOf, isToldBy } from "./draft.ts";
import { type Draw, type Kind, streetsThat } from "./kinds.ts";
import { SLIPS } from "./noise/letters.ts";
import { chat, leadIn } from "./noise/phrases.ts";
import type { Search } from "./question.ts";
import { contains, numberIn, parseComplement } from "./stretch.ts";
import { fold } from "./text.ts";
import { type Writer, writeSearch, writeSearchCityFirst } from "./write.ts";

interface Options {
  readonly draw?: Draw;
  readonly write?: Writer;
  /** Keeps the number, the neighbourhood and the state. */
  readonly whole?: boolean;
  /** Changes the written text. */
  readonly finish?: (text: string) => string;
}

/** Asks for a street with a change. */
function street(
  change: Change,
  { draw, write = writeSearch, whole = false, finish = (it) => it }: Options =
    {},
): Kind<Search> {
  return {
    draw,
    ask(record, random, directory) {
      const draft = draftOf(record, random, directory);
      const short = whole ? draft : shorten(draft, random, directory)!;
      const changed = change(short, random, directory);
      if (changed === undefined) return undefined;
      const q = finish(write(changed, random));
      return {
        // The municipality of a record may be unknown.
        query: record.cidade === "" ? { q, uf: record.uf } : { q },
        isAnswer: isToldBy(changed, directory),
      };
    },
  };
}

/** Leaves out what people seldom search with. */
const shorten: Change = (draft, random, directory) => {
  let short = buildings.dropNumber(draft, random, directory)!;
  if (random.chance(65)) {
    short = places.dropNeighbourhood(short, random, directory) ?? short;
  }
  if (random.chance(35)) return short;
  const { told } = places.dropState(short, random, directory)!;
  const mayBeNeighbourhood = short.neighbourhood === "";
  return { ...short, uf: "", told: { ...told, mayBeNeighbourhood } };
};

const keep: Change = (draft) => draft;

const HIGHWAY = /\b(BR|[A-Z]{2})[- ](\d{3})\b/;

function isHighway({ logradouro, tipo_logradouro: type }: Address): boolean {
  return ["Rodovia", "Estrada"].includes(type) && HIGHWAY.test(logradouro);
}

/** `Rodovia SC-401` → `Rodovia SC401`. */
function glueHighway(text: string): string {
  return text.replace(/\b([a-z]{2})[- ](\d{3})\b/i, "$1$2");
}

/** `Rodovia SC-401` → `sc401`. */
function bareHighway(text: string): string {
  return glueHighway(text).replace(/^\S+ /, "").toLowerCase();
}

function hasOldName({ cep }: Address, directory: {
  readonly details: { readonly oldNames?: ReadonlyMap<string, unknown> };
}): boolean {
  return directory.details.oldNames?.has(cep) ?? false;
}

const halfTyped: Kind<Search> = {
  ask(record) {
    const { logradouro, cidade, uf } = record;
    const start = logradouro.lastIndexOf(" ") + 1;
    const half = start + Math.ceil((logradouro.length - start) / 2);
    const q = logradouro.slice(0, half);
    const isAnswer = (found: Address) =>
      found.uf === uf && found.cidade === cidade &&
      fold(found.logradouro).startsWith(fold(q));
    return { query: cidade === "" ? { q, uf } : { q, uf, cidade }, isAnswer };
  },
};

const numbered: Kind<Search> = {
  draw: streetsThat((it, directory) => directory.stretchOf(it) !== undefined),
  ask(record, random, directory) {
    const numero = numberIn(directory.stretchOf(record)!, random);
    const { logradouro: q, cidade, bairro, uf } = record;
    const query = {
      q,
      uf,
      ...cidade === "" ? {} : { cidade },
      ...bairro === "" ? {} : { bairro },
      numero: `${numero}`,
    };
    const isAnswer = (found: Address) =>
      found.cep === record.cep ||
      // A street of the same name in an unknown neighbourhood.
      bairro === "" && found.logradouro === q && found.uf === uf &&
        contains(parseComplement(`- ${found.complemento}`), numero);
    return { query, isAnswer };
  },
};

const inChat: Kind<Search> = {
  ask(record, random, directory) {
    const draft = draftOf(record, random, directory);
    const { street, number, neighbourhood, city } = draft;
    if (neighbourhood === "" || city === "") return undefined;
    const q = chat({ street, number, neighbourhood, city }, random);
    const told = {
      ...draft.told,
      state: false,
      // A phrase may leave out the neighbourhood and the number.
      ...q.includes(neighbourhood) ? {} : { neighbourhood: "" },
      ...q.includes(` ${number}`) ? {} : { number: undefined },
    };
    return {
      query: { q: random.chance(60) ? q.toLowerCase() : q },
      isAnswer: isToldBy({ ...draft, told }, directory),
    };
  },
};

/** Kinds of searches for streets, by name. */
export const STREET_KINDS: Readonly<Record<string, Kind<Search>>> = {
  "as written": street(keep),
  "no accents": street(keep, { finish: fold }),
  "no type": street(names.dropType),
  "abbreviated": street(names.shorten),
  "abbreviated as in the directory": street(names.useShortName),
  "another order": street(keep, { write: writeSearchCityFirst }),
  "last word half typed": halfTyped,
  "city half typed": street(places.halveCity),
  "highway": street(keep, {
    draw: streetsThat(isHighway),
    finish: glueHighway,
  }),
  "highway, only its number": street(keep, {
    draw: streetsThat(isHighway),
    finish: bareHighway,
  }),
  "letter wrong": street(names.mistype(1, SLIPS.wrong)),
  "letter missing": street(names.mistype(1, SLIPS.missing)),
  "letters swapped": street(names.mistype(1, SLIPS.swapped)),
  "letter doubled": street(names.mistype(1, SLIPS.doubled)),
  "two typos": street(names.mistype(2)),
  "by ear": street(names.writeByEar),
  "other spelling of a person": street(names.respell),
  "numeral": street(names.renumber),
  "whole address": street(keep, { whole: true }),
  "number, right CEP": numbered,
  "extra title": street(names.addTitle),
  "missing title": street(names.dropTitle),
  "wrong title": street(names.changeTitle),
  "initials": street(names.useInitials),
  "old name": street(names.useOldName, { draw: streetsThat(hasOldName) }),
  "glued words": street(names.glue),
  "wrong neighbourhood": street(places.changeNeighbourhood),
  "with its complement": street(names.addComplement, {
    draw: streetsThat(({ complemento }) => /\([^()]+\)/.test(complemento)),
  }),
  "quadra and lote": street(buildings.usePlot, { whole: true }),
  "lead-in": street((draft, random) => ({
    ...draft,
    street: leadIn(draft.street, random),
  })),
  "chat": inChat,
  "nickname of the city": street(places.useNickname, {
    draw: streetsThat(places.hasNickname),
  }),
  "Brasília": street(keep, { draw: streetsThat(blocks.isBrasilia) }),
  "Brasília, abbreviated": street(blocks.shortenBlock, {
    draw: streetsThat(blocks.isBrasilia),
  }),
  "Brasília by its town": street(blocks.useTown, {
    draw: streetsThat(blocks.hasTown),
  }),
  "Brasília, casa": street(blocks.addToBlock("casa"), {
    draw: streetsThat(blocks.isBrasilia),
  }),
  "Brasília, lote": street(blocks.addToBlock("lote"), {
    draw: streetsThat(blocks.isBrasilia),
  }),
  "Palmas": street(keep, { draw: streetsThat(blocks.isPalmas) }),
  "Palmas, abbreviated": street(blocks.shortenBlock, {
    draw: streetsThat(blocks.isPalmas),
  }),
};
