/**
 * Spells a name as the OAuth specifications do: `accessToken`, `Access-Token`
 * and `access token` become `access_token`.
 */
export function toSnakeCase(name: string): string {
  return name.trim()
    .replace(/::/g, "/")
    .replace(/([A-Z])(?=[A-Z][a-z])/g, "$1_")
    .replace(/([a-z\d])(?=[A-Z])/g, "$1_")
    .replace(/[\s-]/g, "_")
    .replace(/_+/g, "_")
    .toLowerCase();
}

/**
 * Copies plain data with all names in snake case. Where two names become one,
 * the value of the name that was spelled so already is kept.
 */
export function snaky(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(snaky);
  const fields = new Map<string, unknown>();
  for (const [name, item] of Object.entries(value)) {
    const snakeName = toSnakeCase(name);
    if (snakeName === name || !Object.hasOwn(value, snakeName)) {
      fields.set(snakeName, snaky(item));
    }
  }
  // Object.fromEntries defines even "__proto__" as plain data.
  return Object.fromEntries(fields);
}
