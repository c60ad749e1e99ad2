/**
 * Text of SVG images.
 *
 * @module
 */

/** Attributes by name; `undefined` for none. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes a text for the content of an element or an attribute. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Makes an element of its attributes and of the texts of its children. */
export function element(
  name: string,
  attributes: Attributes = {},
  ...children: readonly string[]
): string {
  const pairs = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escape(format(value!))}"`);
  const start = `<${name}${pairs.join("")}`;
  if (children.length === 0) return `${start}/>`;
  return `${start}>${children.join("")}</${name}>`;
}

/** Makes a text at a point. */
export function label(
  x: number,
  y: number,
  text: string,
  attributes: Attributes = {},
): string {
  return element("text", { x, y, ...attributes }, escape(text));
}

/** Makes a group of elements, one in a line. */
export function group(
  attributes: Attributes,
  children: readonly string[],
): string {
  return element("g", attributes, `\n${children.join("\n")}\n`);
}

/** Coordinates with one digit give the same bytes on every machine. */
function format(value: string | number): string {
  return typeof value === "number"
    ? String(Math.round(value * 10) / 10)
    : value;
}

/** Maps values to coordinates. */
export type Scale = (value: number) => number;

/** Ends of a scale: values, and the coordinates of these. */
export interface ScaleOptions {
  readonly values: readonly [from: number, to: number];
  readonly at: readonly [from: number, to: number];
}

/** Maps equal differences to equal distances. */
export function linear({ values, at }: ScaleOptions): Scale {
  const [from, to] = values;
  const [start, end] = at;
  return (value) => start + (end - start) * (value - from) / (to - from);
}

/** Maps equal ratios to equal distances. */
export function logarithmic({ values, at }: ScaleOptions): Scale {
  const [from, to] = values;
  const scale = linear({ values: [Math.log10(from), Math.log10(to)], at });
  return (value) => scale(Math.log10(value));
}

/** Round values from 0 to at least a number, at most seven. */
export function ticks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((it) => it * power)
    .find((it) => most / it <= 6) ?? power * 2;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => round(i * step));
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
