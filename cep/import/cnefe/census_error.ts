/** Error that lists every reason why the CNEFE cannot be read. */
export class CensusError extends Error {
  /** Always `CensusError`. */
  override readonly name = "CensusError";

  /** Created by {@linkcode readCensus}. */
  constructor(
    /** Folder or file. */
    readonly path: string,
    /** One message per reason. */
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(
      `Cannot read the CNEFE from "${path}": ${problems.join("; ")}`,
      options,
    );
  }
}
