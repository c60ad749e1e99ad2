/** Error of an import that was refused because of the content of the files. */
export class SeedError extends Error {
  /** Always `SeedError`. */
  override readonly name = "SeedError";
}

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

/** Error that contains those of several sources or paths. */
export class InputsError extends Error {
  /** Always `InputsError`. */
  override readonly name = "InputsError";

  /** Created by {@linkcode seed}. */
  constructor(
    /** One error per source or path. */
    readonly errors: readonly Error[],
  ) {
    super(errors.map(({ message }) => message).join("; "), {
      cause: errors[0],
    });
  }
}

const REFUSALS = [SeedError, DirectoryError, CensusError, InputsError];

/** Failed call of the operating system. Threads can send it to each other. */
export interface SystemFailure {
  readonly syscall: string;
}

/**
 * Returns true if an import was refused because of the content of its files: the
 * same files would be refused again. A path that does not exist, a disk that
 * cannot be read or a thread that has ended is a failure instead.
 */
export function isRefusal(error: unknown): boolean {
  if (!REFUSALS.some((it) => error instanceof it)) return false;
  const parts = error instanceof InputsError ? error.errors : [error];
  return parts.every((it) => failureBehind(it) === undefined);
}

/** Finds the failed call of the operating system behind an error. */
export function failureBehind(error: unknown): SystemFailure | undefined {
  let cause = error;
  while (typeof cause === "object" && cause !== null) {
    if ("syscall" in cause) return { syscall: `${cause.syscall}` };
    // Deno, without a permission.
    const { name } = cause as Partial<Error>;
    if (name === "NotCapable") return { syscall: name };
    cause = (cause as Partial<Error>).cause;
  }
  return undefined;
}
