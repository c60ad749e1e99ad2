/** Options of {@linkcode DirectoryError}. */
export interface DirectoryErrorOptions extends ErrorOptions {
  /**
   * Kind of the files.
   *
   * @default {"base"}
   */
  readonly kind?: "base" | "delta";
}

/** Error that lists every reason why a folder or zip file cannot be imported. */
export class DirectoryError extends Error {
  /** Always `DirectoryError`. */
  override readonly name = "DirectoryError";

  /** Created by {@linkcode openDirectory}. */
  constructor(
    /** Folder or zip file. */
    readonly path: string,
    /** One message per reason. */
    readonly problems: readonly string[],
    { kind = "base", ...options }: DirectoryErrorOptions = {},
  ) {
    const verb = kind === "delta" ? "update" : "import the DNE";
    super(`Cannot ${verb} from "${path}": ${problems.join("; ")}`, options);
  }
}
