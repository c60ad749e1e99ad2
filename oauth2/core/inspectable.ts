/** Method that `console.log` of Node, Deno and Bun calls. */
const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** Object that prints itself without its secrets. */
export abstract class Inspectable {
  /** Returns a view without secrets, for `JSON.stringify`. */
  abstract toJSON(): Record<string, unknown>;

  /** Returns a view without secrets, for `console.log`. */
  [INSPECT](
    _depth: number,
    options: unknown,
    inspect: (value: unknown, options: unknown) => string,
  ): string {
    return `${this.constructor.name} ${inspect(this.toJSON(), options)}`;
  }
}
