/**
 * Bytes that can be read from any position: a file, a part of it, or memory.
 */
import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";

/** Bytes per read of a file. */
const READ_BYTES = 1 << 19;

/**
 * Bytes per chunk: small, so that V8 frees its lines in the young generation.
 */
export const CHUNK_BYTES = 1 << 16;

/** Bytes that can be read from any position. */
export interface Bytes {
  readonly size: number;
  /**
   * Reads the bytes from one position up to another. A chunk is valid until the
   * next one is read.
   *
   * @throws {Error} If there are fewer bytes.
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Returns the bytes of a file, which is open only while it is read. */
export function bytesOfFile(path: string, size: number): Bytes {
  return { size, read: (start, end) => readRange(path, start, end) };
}

/** Returns the bytes from one position up to another. */
export function sliceOf(bytes: Bytes, start: number, end: number): Bytes {
  return {
    size: end - start,
    read: (from, to) => bytes.read(start + from, start + to),
  };
}

/** Reads bytes, fewer at the end. */
export async function readAt(
  bytes: Bytes,
  start: number,
  length: number,
): Promise<Buffer> {
  const end = Math.min(start + length, bytes.size);
  const buffer = Buffer.alloc(Math.max(0, end - start));
  if (buffer.length === 0) return buffer;
  let target = 0;
  for await (const chunk of bytes.read(start, end)) {
    buffer.set(chunk, target);
    target += chunk.length;
  }
  return buffer.subarray(0, target);
}

export function bytesInMemory(content: Uint8Array): Bytes {
  return {
    size: content.length,
    async *read(start, end) {
      requireEnd(content.length, end);
      yield* chunksOf(content.subarray(start, end));
    },
  };
}

/**
 * Reads a file to its end, whatever its size, in chunks that share one buffer
 * to save memory.
 */
export function readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  return readRange(path, 0, Infinity);
}

async function* readRange(
  path: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    const buffer = new Uint8Array(Math.min(READ_BYTES, end - start));
    let position = start;
    while (position < end) {
      const length = Math.min(buffer.length, end - position);
      const { bytesRead } = await handle.read(buffer, 0, length, position);
      if (bytesRead === 0) {
        if (end !== Infinity) requireEnd(position, end);
        return;
      }
      yield* chunksOf(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}

function requireEnd(size: number, end: number): void {
  if (end > size) throw new Error("it is truncated");
}
