/**
 * `inspect` of `node:util` for tests in a browser. Shows everything that the
 * console of a browser shows, including non-enumerable properties.
 */

const CUSTOM = Symbol.for("nodejs.util.inspect.custom");

type Inspect = (value: unknown) => string;
type Custom = (depth: number, options: object, inspect: Inspect) => unknown;

/** Formats a value. */
export function inspect(value: unknown): string {
  return show(value, []);
}

function show(value: unknown, parents: readonly object[]): string {
  if (typeof value === "string") return `'${value}'`;
  if (typeof value !== "object" || value === null) return String(value);
  if (parents.includes(value)) return "[Circular]";
  const inner = (child: unknown) => show(child, [...parents, value]);
  const custom = (value as { [CUSTOM]?: Custom })[CUSTOM];
  if (typeof custom === "function") {
    return String(custom.call(value, 20, {}, inner));
  }
  const fields = Reflect.ownKeys(value).map((key) => {
    const { value: field, get } = Object.getOwnPropertyDescriptor(value, key)!;
    return `${String(key)}: ${get ? "[Getter]" : inner(field)}`;
  });
  const items = Symbol.iterator in value && !Array.isArray(value)
    ? [...value as Iterable<unknown>].map(inner)
    : [];
  const name = value.constructor?.name ?? "null";
  const text = `{ ${[...items, ...fields].join(", ")} }`;
  return name === "Object" ? text : `${name} ${text}`;
}
