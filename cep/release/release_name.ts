import type { Release } from "./release.ts";

/** Formats the id of a release as eight hexadecimal digits. */
export function releaseName({ id }: Pick<Release, "id">): string {
  return id.toString(16).padStart(8, "0");
}

/** Returns the properties of a release for the log. */
export function describeRelease(release: Release): Record<string, unknown> {
  return {
    release: releaseName(release),
    dne_version: release.dneVersion,
    seeded_at: release.seededAt,
    total_ceps: release.totalCeps,
  };
}
