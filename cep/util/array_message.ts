/** Constructors of arrays by name. */
const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array };

/** Array, as a message has it. */
interface ArrayPlace {
  readonly array: keyof typeof ARRAYS;
  readonly buffer: ArrayBufferLike;
  readonly start: number;
  readonly length: number;
}

/**
 * Replaces the arrays in a value by their places in memory: Deno visits every
 * number of an array that is sent to a thread, which takes seconds for an index.
 */
export function toArrayMessage(value: unknown): unknown {
  return mapObjects(value, (it) =>
    ArrayBuffer.isView(it)
      ? {
        array: it.constructor.name,
        buffer: it.buffer,
        start: it.byteOffset,
        length: (it as Uint8Array).length,
      }
      : undefined);
}

/** Restores the arrays of {@linkcode toArrayMessage}. */
export function fromArrayMessage<T>(message: unknown): T {
  return mapObjects(message, (it) => {
    if (!("array" in it)) return undefined;
    const { array, buffer, start, length } = it as ArrayPlace;
    const constructor = ARRAYS[array] as new (
      buffer: ArrayBufferLike,
      start: number,
      length: number,
    ) => object;
    return new constructor(buffer, start, length);
  }) as T;
}

/** Replaces the objects in a value for which a function returns another one. */
function mapObjects(
  value: unknown,
  replace: (it: object) => object | undefined,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return value.map((it) => mapObjects(it, replace));
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key, mapObjects(it, replace)]),
  );
}
