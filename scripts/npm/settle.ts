/** Things done at the same time. */

/**
 * Waits for all, so that each takes away what it made even if another fails.
 *
 * @throws {unknown} The only error, or all of them in one.
 */
export async function settle<T>(
  promises: readonly Promise<T>[],
): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  const errors = results.flatMap((it) =>
    it.status === "rejected" ? [it.reason] : []
  );
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) {
    throw new AggregateError(errors, `${errors.length} things failed`);
  }
  return results.flatMap((it) => it.status === "fulfilled" ? [it.value] : []);
}
