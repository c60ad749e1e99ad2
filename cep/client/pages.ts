import { type Page, wrong } from "./answers.ts";

/**
 * Iterates over the items of all pages.
 *
 * @param read Returns the page of a cursor, `undefined` for the first one.
 * @throws {CepError} If a page refers to itself.
 */
export async function* iteratePages<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T> {
  let cursor: string | undefined;
  while (true) {
    const { data, cursor: next } = await read(cursor);
    yield* data;
    if (next === null) return;
    if (next === cursor) throw wrong("its cursor refers to the same page");
    cursor = next;
  }
}
