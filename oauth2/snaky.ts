/** A name that may have to change. */
const NOT_SNAKY = /[A-Z\s:-]|__/;

/**
 * Spells a name as the OAuth specifications do: `accessToken`, `Access-Token`
 * and `access token` become `access_token`.
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
 * Spells all names in plain data in snake case. A name keeps its own spelling
 * where the snake case of it is taken, so that no value is lost.
 */
export function snaky(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(snaky);
  const entries = Object.entries(value);
  const isSnaky = entries.every(([name, item]) =>
    !NOT_SNAKY.test(name) && typeof item !== "object"
  );
  if (isSnaky) return value;
  const fields = new Map<string, unknown>();
  for (const [name, item] of entries) {
    const snakeName = toSnakeCase(name);
    const isTaken = snakeName !== name &&
      (fields.has(snakeName) || Object.hasOwn(value, snakeName));
    fields.set(isTaken ? name : snakeName, snaky(item));
  }
  // Object.fromEntries defines even "__proto__" as plain data.
  return Object.fromEntries(fields);
}
