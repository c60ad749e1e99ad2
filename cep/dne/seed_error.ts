/**
 * The error of an import that the files do not deserve.
 *
 * @module
 */

/** An import that was refused because of what the files hold. */
export class SeedError extends Error {
  /** Always `SeedError`. */
  override readonly name = "SeedError";
}
