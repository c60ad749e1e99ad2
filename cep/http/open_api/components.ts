/**
 * Components of the OpenAPI document: schemas that it refers to by name.
 */
import type { Translated } from "../../settings/setting.ts";
import type { Schema } from "./schema.ts";

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["const", "enum", "examples", "default", "required"]);

/** Collects the schemas that have a title, with descriptions in one language. */
export class Components {
  readonly #schemas = new Map<string, Schema>();

  /** @param language Language of the document. */
  constructor(readonly language: keyof Translated = "pt") {}

  /** Schemas by title, in alphabetical order. */
  get schemas(): Readonly<Record<string, Schema>> {
    const byTitle = [...this.#schemas].sort(([a], [b]) => a < b ? -1 : 1);
    return Object.fromEntries(byTitle);
  }

  /**
   * Replaces every schema that has a title, at any depth, with a reference, and
   * every description with that in the language of the document.
   *
   * @throws {TypeError} If two different schemas have the same title.
   */
  lift(schema: Schema): Schema {
    return this.#name(this.#liftMembers(schema));
  }

  #name(schema: Schema): Schema {
    const { title } = schema;
    if (typeof title !== "string") return schema;
    const other = this.#schemas.get(title) ?? schema;
    if (JSON.stringify(other) !== JSON.stringify(schema)) {
      throw new TypeError(`Cannot name schema "${title}": the name is in use`);
    }
    this.#schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  #liftMembers(schema: Schema): Schema {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [
        keyword,
        DATA.has(keyword)
          ? value
          : keyword === "description"
          ? (value as Translated)[this.language]
          : keyword === "properties"
          ? this.#liftProperties(value as Readonly<Record<string, Schema>>)
          : this.#liftValue(value),
      ]),
    );
  }

  #liftProperties(properties: Readonly<Record<string, Schema>>) {
    return Object.fromEntries(
      Object.entries(properties)
        .map(([name, schema]) => [name, this.lift(schema)]),
    );
  }

  #liftValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((it) => this.#liftValue(it));
    return typeof value === "object" && value !== null
      ? this.lift(value as Schema)
      : value;
  }
}
