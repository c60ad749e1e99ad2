import type { Address } from "@carteiro/cep";
import { Random } from "../generate_dne/random.ts";
import {
  type Directory,
  type Filter,
  type Place,
  placeOf,
} from "./directory.ts";

/** Draws a record to ask for; `undefined` if there is none. */
export type Draw = (
  directory: Directory,
  random: Random,
) => Address | undefined;

/** Kind of questions. */
export interface Kind<Asked> {
  /** Draws a record to ask for; by default a street. */
  readonly draw?: Draw | undefined;
  /** Asks for it; `undefined` if it cannot be asked for in this way. */
  readonly ask: (
    record: Address,
    random: Random,
    directory: Directory,
  ) => Asked | undefined;
}

/** Record that is asked for, and how. */
export interface Subject {
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

/** Draws the streets that a filter passes. */
export function streetsThat(filter: Filter): Draw {
  return (directory, random) => directory.drawFrom(filter, random);
}

/** Records that are drawn for each question of a kind, until one suits it. */
const MAX_DRAWS = 60;

/**
 * Asks as many different questions of each kind, if enough records suit it. A
 * kind asks the same questions whether or not the others are asked.
 *
 * @param kinds Kinds by name.
 */
export function* questionsOf<Asked>(
  directory: Directory,
  kinds: Readonly<Record<string, Kind<Asked>>>,
  { seed, count, only }: QuestionOptions,
): Generator<Asked & Subject> {
  for (const [kind, { draw, ask }] of Object.entries(kinds)) {
    if (only !== undefined && kind !== only) continue;
    const random = new Random(seed, kind);
    const asked = new Set<string>();
    for (let i = 0; i < MAX_DRAWS * count && asked.size < count; i++) {
      const record = draw === undefined
        ? directory.drawStreet(random)
        : draw(directory, random);
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
