import type { Address } from "@carteiro/cep";
import { Random } from "../generate_dne/random.ts";
import { ADDRESS_KINDS, askExactly } from "./address_kinds.ts";
import { Directory, placeOf } from "./directory.ts";
import { type QuestionOptions, questionsOf } from "./kinds.ts";
import type { AddressQuestion } from "./question.ts";

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
    yield {
      ...askExactly(record, directory),
      kind: PARTS_EXACT,
      place: placeOf(record),
      record,
    };
  }
}
