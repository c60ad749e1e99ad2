/**
 * Messages with arrays in shared memory. Deno's `postMessage` of
 * `node:worker_threads` visits each element of a typed array, which takes
 * seconds, but not those of a buffer.
 */

const ARRAYS = { Uint8Array, Uint16Array, Int32Array, Uint32Array };

type ArrayName = keyof typeof ARRAYS;

type ArrayMaker = new (
  buffer: ArrayBufferLike,
  offset: number,
  length: number,
) => ArrayBufferView;

interface View {
  readonly view: ArrayName;
  readonly buffer: ArrayBufferLike;
  readonly offset: number;
  readonly length: number;
}

/** Replaces the arrays in data by descriptions of them, for a message. */
export function packViews(data: unknown): unknown {
  if (ArrayBuffer.isView(data)) {
    const view = data.constructor.name as ArrayName;
    const { buffer, byteOffset, length } = data as Uint8Array;
    if (!(view in ARRAYS)) throw new TypeError(`Cannot send a ${view}`);
    return { view, buffer, offset: byteOffset, length };
  }
  return mapMembers(data, packViews);
}

/** Restores the arrays in a message. */
export function unpackViews(message: unknown): unknown {
  if (isView(message)) {
    const { view, buffer, offset, length } = message;
    const Views: ArrayMaker = ARRAYS[view];
    return new Views(buffer, offset, length);
  }
  return mapMembers(message, unpackViews);
}

function isView(message: unknown): message is View {
  return typeof message === "object" && message !== null && "view" in message;
}

function mapMembers(
  data: unknown,
  map: (member: unknown) => unknown,
): unknown {
  if (Array.isArray(data)) return data.map(map);
  if (data?.constructor !== Object) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, member]) => [name, map(member)]),
  );
}
