import { decodeBase64Url, encodeBase64Url } from "@std/encoding/base64url";
import type { Position, Release } from "../store/store.ts";
import { digest } from "./entity_tag.ts";
import { HttpError } from "./errors.ts";
import { type Answer, jsonBody, type Parameter } from "./exchange.ts";
import { integer } from "./open_api/schema.ts";
import { readLimit } from "./parameters.ts";

export type { Position } from "../store/store.ts";

/** Page of a list. */
export interface Page {
  /** Number of all items, `null` if it is not cheap to count them. */
  readonly total: number | null;
  /** Items, as JSON texts. */
  readonly items: readonly string[];
  /** Cursor of the next page, `null` on the last one. */
  readonly next: string | null;
}

/** Creates the response of a page: `{total, data, cursor}`. */
export function pageAnswer(
  { total, items, next }: Page,
  options: Pick<Answer, "maxAge"> = {},
): Answer {
  const text = `{"total":${total},"data":[${items.join(",")}],` +
    `"cursor":${JSON.stringify(next)}}`;
  return { status: 200, body: jsonBody(text), next, ...options };
}

/**
 * Encodes a position as an opaque cursor.
 *
 * @param query The query of the list, without its cursor and limit.
 */
export function encodeCursor(
  { id }: Pick<Release, "id">,
  query: string,
  position: Position,
): string {
  return encodeBase64Url(JSON.stringify([id, digest(query), ...position]));
}

/**
 * Decodes a cursor.
 *
 * @throws {HttpError} If it is malformed, or of another release or query.
 */
export function decodeCursor(
  { id }: Pick<Release, "id">,
  query: string,
  cursor: string,
): Position {
  const [release, hash, ...position] = parse(cursor);
  if (release !== id || hash !== digest(query)) {
    throw new HttpError("cursor_invalid");
  }
  return position;
}

function parse(cursor: string): Position {
  try {
    const text = new TextDecoder().decode(decodeBase64Url(cursor));
    const values: unknown = JSON.parse(text);
    if (Array.isArray(values) && values.every(isValue)) return values;
  } catch {
    // Reported below.
  }
  throw new HttpError("cursor_invalid");
}

function isValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

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
