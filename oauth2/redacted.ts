/** How Node, Deno and Bun ask an object what `console.log` shows of it. */
const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** An object that holds secrets, and of which only a view is shown. */
export abstract class Redacted {
  /** What is shown: no secret. */
  abstract toJSON(): Record<string, unknown>;

  /** What `console.log` shows: no secret. */
  [INSPECT](
    _depth: number,
    options: unknown,
    inspect: (value: unknown, options: unknown) => string,
  ): string {
    return `${this.constructor.name} ${inspect(this.toJSON(), options)}`;
  }
}
