import type { Release } from "../store/store.ts";
import { HttpError } from "./errors.ts";
import type { Answer, Parameter } from "./exchange.ts";
import { integer } from "./open_api/schema.ts";
import { decodeCursor, encodeCursor, pageAnswer } from "./page.ts";
import { readLimit } from "./parameters.ts";

/** Maximum number of items per page: most lists of places fit into one. */
const PAGE_ITEMS = 1000;

/** Parameters of a list. */
export const PAGE_PARAMETERS: readonly Parameter[] = [
  {
    name: "limite",
    in: "query",
    description: {
      en: `items per page, 1 to ${PAGE_ITEMS}, by default ${PAGE_ITEMS}`,
      pt: `itens por página, de 1 a ${PAGE_ITEMS}; o padrão é ${PAGE_ITEMS}`,
    },
    example: "100",
    schema: integer(1, PAGE_ITEMS),
  },
  {
    name: "cursor",
    in: "query",
    description: {
      en: "`cursor` of the previous page; empty for the first one",
      pt: "`cursor` da página anterior; vazio para a primeira",
    },
    example: "",
  },
];

/** Options of {@linkcode answerList}. */
export interface AnswerListOptions<T> extends Pick<Answer, "maxAge"> {
  /** Release of the list, whose items never change. */
  readonly release: Release;
  /** Name that identifies the list within the release. */
  readonly name: string;
  /**
   * Query string of the request, if it may have `limite` and `cursor`.
   *
   * @default {""}
   */
  readonly query?: string;
  /** Converts an item into a value for JSON. */
  readonly toBody: (item: T) => unknown;
}

/**
 * Answers with the page of a list that `limite` and `cursor` select.
 *
 * @throws {HttpError} If a parameter is not allowed.
 */
export function answerList<T>(
  list: readonly T[],
  { release, name, query = "", toBody, ...options }: AnswerListOptions<T>,
): Answer {
  const parameters = new URLSearchParams(query);
  const sizes = { initial: PAGE_ITEMS, most: PAGE_ITEMS };
  const limit = readLimit(parameters, sizes);
  const cursor = parameters.get("cursor");
  const start = cursor
    ? toIndex(list, decodeCursor(release, name, cursor)[0])
    : 0;
  const end = start + limit;
  return pageAnswer({
    total: list.length,
    items: list.slice(start, end).map((it) => JSON.stringify(toBody(it))),
    next: end < list.length ? encodeCursor(release, name, [end]) : null,
  }, options);
}

/** Checks the position of a cursor, which may be forged. */
function toIndex(list: readonly unknown[], position: unknown): number {
  const index = typeof position === "number" ? position : NaN;
  if (index > 0 && Object.hasOwn(list, index)) return index;
  throw new HttpError("cursor_invalid");
}
