import type { Schema } from "../open_api/schema.ts";
import { escapeHtml } from "../web_page/template.ts";

/** Values of an enumeration that are shown. */
const MAX_VALUES = 8;

/** Returns a text as HTML, with code where it has backticks. */
export function richText(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/** Returns the type of a value as HTML, with links to named schemas. */
export function typeHtml(schema: Schema): string {
  const { $ref, anyOf, oneOf, type, items, properties } = schema;
  if (typeof $ref === "string") return linkTo($ref);
  if ("const" in schema) return valueHtml(schema["const"]);
  if (Array.isArray(schema["enum"])) return enumHtml(schema["enum"]);
  for (const choices of [anyOf, oneOf]) {
    if (Array.isArray(choices)) return unionHtml(choices);
  }
  if (schema["contentSchema"]) {
    return typeHtml(schema["contentSchema"] as Schema);
  }
  if (type === "array") return `${itemHtml(items as Schema)}[]`;
  if (properties) return `{ ${membersHtml(schema).join(", ")} }`;
  return Array.isArray(type) ? type.join(" | ") : `${type ?? "any"}`;
}

/** Names of the members of an object, those that may be absent with a `?`. */
export function memberNames({ properties, required = [] }: Schema): string[] {
  return Object.keys(properties as object).map((name) =>
    (required as string[]).includes(name) ? name : `${name}?`
  );
}

function membersHtml(schema: Schema): string[] {
  const values = Object.values(schema["properties"] as Record<string, Schema>);
  return memberNames(schema)
    .map((name, i) => `${escapeHtml(name)}: ${typeHtml(values[i]!)}`);
}

function linkTo(reference: string): string {
  const name = reference.split("/").at(-1)!;
  return `<a href="#${name}">${name.replace(/^Erro_/, "")}</a>`;
}

function valueHtml(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

function enumHtml(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map(valueHtml);
  return [...shown, ...(values.length > MAX_VALUES ? ["…"] : [])].join(" | ");
}

function unionHtml(schemas: readonly Schema[]): string {
  return [...new Set(schemas.map(typeHtml))].join(" | ");
}

function itemHtml(items: Schema): string {
  const html = typeHtml(items);
  return html.includes(" | ") && !html.startsWith("{") ? `(${html})` : html;
}
