/**
 * `node:util` for tests in a browser, where nothing prints as text: shows all
 * that its console would, hidden properties included.
 */

const CUSTOM = Symbol.for("nodejs.util.inspect.custom");

type Custom = (
  depth: number,
  options: unknown,
  inspect: (value: unknown) => string,
) => unknown;

/** An object with all that is in it. */
export function inspect(thing: unknown): string {
  return show(thing, new Set());
}

function show(thing: unknown, above: ReadonlySet<unknown>): string {
  if (typeof thing === "string") return `'${thing}'`;
  if (typeof thing !== "object" || thing === null) return String(thing);
  if (above.has(thing)) return "[Circular]";
  const inner = (value: unknown) => show(value, new Set([...above, thing]));
  const custom = (thing as { [CUSTOM]?: Custom })[CUSTOM];
  if (typeof custom === "function") {
    return String(custom.call(thing, 20, {}, inner));
  }
  const name = thing.constructor?.name ?? "null";
  const fields = Reflect.ownKeys(thing).map((key) => {
    const { value, get } = Object.getOwnPropertyDescriptor(thing, key)!;
    return `${String(key)}: ${get ? "[Getter]" : inner(value)}`;
  });
  const items = Symbol.iterator in thing && !Array.isArray(thing)
    ? [...thing as Iterable<unknown>].map(inner)
    : [];
  const all = [...items, ...fields].join(", ");
  return name === "Object" ? `{ ${all} }` : `${name} { ${all} }`;
}
