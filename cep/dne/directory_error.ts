/**
 * Error of an input that cannot be used.
 *
 * @module
 */

/** Error that lists every reason why a folder or zip file cannot be imported. */
export class DirectoryError extends Error {
  /** Always `DirectoryError`. */
  override readonly name = "DirectoryError";

  /** Created by {@linkcode openDirectory}. */
  constructor(
    path: string,
    /** One message per reason. */
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(
      `Cannot import the DNE from "${path}": ${problems.join("; ")}`,
      options,
    );
  }
}
