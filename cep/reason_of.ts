/**
 * The text of an error.
 *
 * @module
 */

/** Message of an error, or the text of anything else that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
