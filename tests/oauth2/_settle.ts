/**
 * Waits until every pending microtask has run. An unhandled rejection is
 * reported by then.
 */
export function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}
