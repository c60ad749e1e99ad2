/**
 * Name of a release in logs and metrics.
 *
 * @module
 */
import type { Release } from "./store.ts";

/** Formats the id of a release as eight hexadecimal digits. */
export function releaseName({ id }: Pick<Release, "id">): string {
  return id.toString(16).padStart(8, "0");
}
