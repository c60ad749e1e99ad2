/**
 * Origin of this build: version, commit and repository.
 */
import origin from "./build.json" with { type: "json" };
import manifest from "./deno.json" with { type: "json" };

/** Origin of a build. */
export interface Build {
  /** Semantic version. */
  readonly version: string;
  /** Commit of the sources, `unknown` in a clone. */
  readonly commit: string;
  /** URL of the repository. */
  readonly repo: string;
}

/** Running build. `deno task stamp` writes `build.json` for a release. */
export const BUILD: Build = { version: manifest.version, ...origin };
