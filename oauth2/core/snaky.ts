/** Characters of a name that is not in snake case. */
const NOT_SNAKY = /[A-Z\s:-]|__/;

/**
 * Converts a name to snake case: `accessToken`, `Access-Token` and
 * `access token` become `access_token`.
 */
export function toSnakeCase(name: string): string {
  if (!NOT_SNAKY.test(name)) return name;
  return name.trim()
    .replace(/::/g, "/")
    .replace(/([A-Z])(?=[A-Z][a-z])/g, "$1_")
    .replace(/([a-z\d])(?=[A-Z])/g, "$1_")
    .replace(/[\s-]/g, "_")
    .replace(/_+/g, "_")
    .toLowerCase();
}

/**
 * Converts all names in plain data to snake case. A name is kept if its snake
 * case is another field, so that no value is lost.
 */
export function snaky(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(snaky);
  const isSnaky = Object.keys(value).every((name) =>
    !NOT_SNAKY.test(name) && typeof value[name as never] !== "object"
  );
  if (isSnaky) return value;
  const fields = new Map<string, unknown>();
  for (const [name, item] of Object.entries(value)) {
    const snakeName = toSnakeCase(name);
    const isTaken = snakeName !== name &&
      (fields.has(snakeName) || Object.hasOwn(value, snakeName));
    fields.set(isTaken ? name : snakeName, snaky(item));
  }
  // Object.fromEntries creates "__proto__" as an ordinary field.
  return Object.fromEntries(fields);
}
