/** Options with defaults applied. */
export type Resolved<O, D> =
  & { readonly [K in Exclude<keyof O, keyof D>]: Exclude<O[K], null> }
  & { readonly [K in keyof D & keyof O]-?: NonNullable<O[K]> };

/** Values without undefined and null. */
export type Defined<T> = { [K in keyof T]: NonNullable<T[K]> };

/** Copies values, except undefined and null, which would override a default. */
export function onlyDefined<T extends object>(
  values: T | undefined,
): Defined<T> {
  const defined: Record<string, unknown> = {};
  for (const name of Object.keys(values ?? {})) {
    const value = values![name as keyof T];
    if (value !== undefined && value !== null) defined[name] = value;
  }
  return defined as Defined<T>;
}

/** Applies defaults to options. */
export function withDefaults<O extends object, D extends object>(
  options: O,
  defaults: D,
): Resolved<O, D> {
  return { ...defaults, ...onlyDefined(options) } as unknown as Resolved<O, D>;
}
