import { decodeBase64Url, encodeBase64Url } from "@std/encoding/base64url";
import type { Position, Release } from "../store/store.ts";
import { digest } from "./entity_tag.ts";
import { HttpError } from "./errors.ts";
import { type Answer, jsonBody } from "./exchange.ts";

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
