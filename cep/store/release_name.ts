/**
 * The name of a release for people.
 *
 * @module
 */
import type { Release } from "./store.ts";

/** Name of a release in logs and metrics: its id in eight hexadecimal digits. */
export function releaseName({ id }: Pick<Release, "id">): string {
  return id.toString(16).padStart(8, "0");
}
