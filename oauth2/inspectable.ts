/** Method by which Node, Deno and Bun ask an object for its view in `console.log`. */
const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** Object that holds secrets and prints a view without them. */
export abstract class Inspectable {
  /** View without secrets, for `JSON.stringify`. */
  abstract toJSON(): Record<string, unknown>;

  /** View without secrets, for `console.log`. */
  [INSPECT](
    _depth: number,
    options: unknown,
    inspect: (value: unknown, options: unknown) => string,
  ): string {
    return `${this.constructor.name} ${inspect(this.toJSON(), options)}`;
  }
}
