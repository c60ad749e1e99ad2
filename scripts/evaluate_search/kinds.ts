import type { Address } from "@carteiro/cep";
import type { Random } from "../generate_dne/random.ts";
import { contains, numberIn, parseComplement } from "./stretch.ts";
import type { Subject, Subjects } from "./subjects.ts";

/** Query of a search, without its limit. */
interface Query {
  readonly text: string;
  readonly uf?: string;
  readonly city?: string;
  readonly neighbourhood?: string;
  readonly number?: string;
}

/** Query for a record. */
export interface Question {
  readonly query: Query;
  readonly record: Address;
  /** True for the record, and for others that the query does not tell apart. */
  readonly isAnswer: (found: Address) => boolean;
}

/** Kind of questions. */
export interface Kind {
  /** Kind of records to ask for. */
  readonly of: keyof Subjects;
  /** Percentage to find. */
  readonly goal?: number;
  /** Only the first result counts. */
  readonly first?: boolean;
  /** Asks for a record; `undefined` if it cannot be asked for in this way. */
  readonly ask: (subject: Subject, random: Random) => Question | undefined;
}

/** Kinds of questions, by name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  "as written": {
    of: "streets",
    goal: 99,
    ask: ({ record }) => askForStreet(record, record.logradouro),
  },
  "without accents and capitals": {
    of: "streets",
    ask: ({ record }) => askForStreet(record, fold(record.logradouro)),
  },
  "without its type": {
    of: "streets",
    ask: ({ record }) => askForStreet(record, nameOf(record)),
  },
  "abbreviated": {
    of: "streets",
    goal: 98,
    ask: ({ record, shortName }) =>
      shortName === "" ? undefined : askForStreet(record, shortName),
  },
  "last word half typed": {
    of: "streets",
    goal: 97,
    ask: ({ record }) => {
      const { logradouro, cidade } = record;
      const start = logradouro.lastIndexOf(" ") + 1;
      const half = start + Math.ceil((logradouro.length - start) / 2);
      const query = {
        text: logradouro.slice(0, half),
        ...cidade === "" ? {} : { city: cidade },
        uf: record.uf,
      };
      return { query, record, isAnswer: isSameStreet(record) };
    },
  },
  "letter wrong": {
    of: "streets",
    goal: 93,
    ask: misspelt((word, at, random) =>
      word.slice(0, at) + otherLetter(word[at]!, random) + word.slice(at + 1)
    ),
  },
  "letter missing": {
    of: "streets",
    goal: 93,
    ask: misspelt((word, at) => word.slice(0, at) + word.slice(at + 1)),
  },
  "letters swapped": {
    of: "streets",
    goal: 93,
    ask: misspelt((word, at) => {
      const i = Math.min(at, word.length - 2);
      return word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2);
    }),
  },
  "number, right CEP first": {
    of: "stretches",
    goal: 99,
    first: true,
    ask: ({ record, stretch }, random) => {
      if (stretch === undefined) return undefined;
      const { logradouro: text, cidade, bairro, uf, cep } = record;
      const number = numberIn(stretch, random);
      const query = {
        text,
        uf,
        ...cidade === "" ? {} : { city: cidade },
        ...bairro === "" ? {} : { neighbourhood: bairro },
        number: `${number}`,
      };
      const isAnswer = (found: Address) =>
        found.cep === cep ||
        // A street of the same name in an unknown neighbourhood.
        bairro === "" && found.logradouro === text && found.uf === uf &&
          contains(parseComplement(`- ${found.complemento}`), number);
      return { query, record, isAnswer };
    },
  },
  "district as the city": {
    of: "districts",
    ask: ({ record }) => {
      const { logradouro, distrito, uf } = record;
      const text = logradouro === "" ? distrito : `${logradouro}, ${distrito}`;
      const isAnswer = (found: Address) =>
        found.cep === record.cep ||
        found.distrito === distrito && found.logradouro === logradouro &&
          found.uf === uf;
      return { query: { text, uf }, record, isAnswer };
    },
  },
};

/** Asks for a street in its city; in its state, if the city is unknown. */
function askForStreet(record: Address, street: string): Question {
  const { cidade, uf } = record;
  const query = cidade === ""
    ? { text: street, uf }
    : { text: `${street}, ${cidade}` };
  return { query, record, isAnswer: isSameStreet(record) };
}

/** Compares names only if the city is known: they are frequent elsewhere. */
function isSameStreet({ cep, logradouro, cidade, uf }: Address) {
  return (found: Address) =>
    found.cep === cep ||
    cidade !== "" && found.logradouro === logradouro &&
      found.cidade === cidade && found.uf === uf;
}

/** Returns the name without its type. */
function nameOf({ logradouro, tipo_logradouro: type }: Address): string {
  const isTyped = type !== "" && logradouro.startsWith(`${type} `);
  return isTyped ? logradouro.slice(type.length + 1) : logradouro;
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

const LEAST_LETTERS = 4;

/** Misspells a word of four or more letters of the name. */
function misspelt(
  misspell: (word: string, at: number, random: Random) => string,
): Kind["ask"] {
  return ({ record }, random) => {
    const { logradouro } = record;
    const name = nameOf(record);
    const type = logradouro.slice(0, logradouro.length - name.length);
    const words = name.split(" ");
    const long = words.flatMap((word, i) =>
      word.length >= LEAST_LETTERS && /^\p{L}+$/u.test(word) ? [i] : []
    );
    if (long.length === 0) return undefined;
    const i = random.pick(long);
    const word = words[i]!;
    words[i] = misspell(word, random.int(word.length), random);
    return askForStreet(record, type + words.join(" "));
  };
}

const LETTERS = [..."abcdefghijlmnopqrstuvxz"];

function otherLetter(letter: string, random: Random): string {
  const folded = fold(letter);
  return random.pick(LETTERS.filter((it) => it !== folded));
}
