/**
 * Origin of this build: version, commit and repository.
 *
 * @module
 */
import origin from "./build.json" with { type: "json" };
import manifest from "./deno.json" with { type: "json" };

/** Origin of a build. */
export interface Build {
  /** Semantic version. */
  readonly version: string;
  /** Commit the build was made from, `unknown` in a checkout. */
  readonly commit: string;
  /** Address of the repository. */
  readonly repo: string;
}

/** The running build; a release writes `build.json` before it is made. */
export const BUILD: Build = { version: manifest.version, ...origin };
