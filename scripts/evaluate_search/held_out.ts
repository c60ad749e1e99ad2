import type { Address } from "@carteiro/cep";
import { parseRow } from "@carteiro/cep/dne";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../generate_dne/random.ts";
import { cityKey, Directory } from "./directory.ts";
import {
  ADDRESS_KINDS,
  type AddressQuestion,
  type QuestionOptions,
  questionsOf,
} from "./kinds.ts";
import { looseKey } from "./text.ts";

/**
 * Percentage of the streets that are left out of an import, and of the addresses
 * that are on such streets. In 2022, 8 % of the Brazilians lived in favelas, where
 * many streets have no CEP; new estates and private roads add to these.
 */
export const HELD_OUT_PERCENT = 10;

/** Chooses streets: all records of each, in one neighbourhood. */
export function chooseHeldOut(
  directory: Directory,
  seed: number,
): Directory {
  const streets = directory.streets.filter((record) => {
    const { logradouro, bairro } = record;
    const key = `${looseKey(logradouro)}/${bairro}/${cityKey(record)}`;
    return record.tipo_origem === "logradouro" &&
      new Random(seed, key).chance(HELD_OUT_PERCENT);
  });
  return new Directory(streets, directory.details);
}

/** Copies the files of a DNE without some streets. */
export function copyWithout(
  heldOut: Directory,
  from: string,
  to: string,
): void {
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to)) {
    if (!/^LOG_LOGRADOURO_..\.TXT$/i.test(name)) continue;
    const path = join(to, name);
    const lines = readFileSync(path, "latin1").split(/(?<=\n)/).filter((line) =>
      heldOut.find(parseRow("LOG_LOGRADOURO", line.trimEnd()).CEP) === undefined
    );
    writeFileSync(path, lines.join(""), "latin1");
  }
}

/**
 * Asks for streets that were left out, with the noise of other addresses. None
 * is the right answer. What another record fits as well is not asked.
 */
export function heldOutQuestions(
  directory: Directory,
  heldOut: Directory,
  options: QuestionOptions,
): Generator<AddressQuestion> {
  const isLeft = ({ cep }: Address) => heldOut.find(cep) === undefined;
  const kinds = Object.entries(ADDRESS_KINDS)
    .filter(([, { from }]) => typeof from !== "string")
    .map(([name, { from, ask }]) => {
      const kind: typeof ADDRESS_KINDS[string] = {
        from,
        ask(record, random) {
          const question = ask(record, random, directory);
          if (question === undefined || question.hasNone) return undefined;
          const { isAnswer, ...asked } = question;
          const around = directory.namesakeStreets(record);
          return around.some((it) => isLeft(it) && isAnswer(it.cep))
            ? undefined
            : { ...asked, hasNone: true, isAnswer: (cep) => cep === null };
        },
      };
      return [name, kind] as const;
    });
  return questionsOf(heldOut, Object.fromEntries(kinds), options);
}
