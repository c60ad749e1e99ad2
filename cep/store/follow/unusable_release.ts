/**
 * Error of a release that is not what its manifest says.
 *
 * @module
 */

/** Release that cannot be used until its manifest or file changes. */
export class UnusableRelease extends Error {
  /** Always `UnusableRelease`. */
  override readonly name = "UnusableRelease";
}
