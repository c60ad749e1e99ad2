/** Release that cannot be used until its manifest or file changes. */
export class UnusableRelease extends Error {
  /** Always `UnusableRelease`. */
  override readonly name = "UnusableRelease";
}
