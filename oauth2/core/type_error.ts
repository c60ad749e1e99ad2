/**
 * TypeErrors of this library. Their property `kind`, which is not enumerable,
 * tells them from those of others.
 */
/** Creates the error of an invalid argument. */
export function invalid(message: string, options?: ErrorOptions): TypeError {
  return mark(new TypeError(message, options), "argument");
}

/** Creates the error of a request that the settings forbid. */
export function forbidden(message: string): TypeError {
  return mark(new TypeError(message), "policy");
}

function mark(error: TypeError, value: string): TypeError {
  return Object.defineProperty(error, "kind", { value });
}
