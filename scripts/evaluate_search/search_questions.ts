import type { Directory } from "./directory.ts";
import { type Kind, type QuestionOptions, questionsOf } from "./kinds.ts";
import { PLACE_KINDS } from "./place_kinds.ts";
import type { Search, SearchQuestion } from "./question.ts";
import { STREET_KINDS } from "./search_kinds.ts";

/** Kinds of searches, by name. */
export const SEARCH_KINDS: Readonly<Record<string, Kind<Search>>> = {
  ...STREET_KINDS,
  ...PLACE_KINDS,
};

/** Asks searches of all kinds. */
export function searchQuestions(
  directory: Directory,
  options: QuestionOptions,
): Generator<SearchQuestion> {
  return questionsOf(directory, SEARCH_KINDS, options);
}
