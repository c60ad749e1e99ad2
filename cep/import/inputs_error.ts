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
