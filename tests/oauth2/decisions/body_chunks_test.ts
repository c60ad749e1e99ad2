/** Bodies in chunks, whose bytes are copied. */
import { assertEquals } from "@std/assert";
import type { Client } from "../../../oauth2/mod.ts";
import { createClient } from "../_client.ts";

type Chunk = Uint8Array<ArrayBuffer>;

const LARGE = 64 * 1024;
const COUNT = 300;

/** Creates a client whose responses have a body of chunks. */
function clientOf(chunks: () => Iterable<Chunk>): Client {
  return createClient({
    fetch: () => {
      const left = chunks()[Symbol.iterator]();
      const body = new ReadableStream<Chunk>({
        pull: (controller) => {
          const { done, value } = left.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      }, { highWaterMark: 0 });
      return Promise.resolve(new Response(body));
    },
  });
}

/** Creates a view of bytes in the middle of a large buffer. */
function viewOf(...bytes: number[]): Chunk {
  const view = new Uint8Array(new ArrayBuffer(LARGE), LARGE / 2, bytes.length);
  view.set(bytes);
  return view;
}

/** Views of a buffer each. */
function* manyViews(): Iterable<Chunk> {
  for (let i = 0; i < COUNT; i++) yield viewOf(i % 256);
}

/** Views of one buffer, which is overwritten for each. */
function* oneBuffer(): Iterable<Chunk> {
  const view = viewOf(0);
  for (let i = 0; i < COUNT; i++) {
    view[0] = i % 256;
    yield view.subarray();
  }
}

const COUNTED = Uint8Array.from({ length: COUNT }, (_, i) => i % 256);
const BODIES: Readonly<Record<string, [() => Iterable<Chunk>, Chunk]>> = {
  "many one-byte chunks of large buffers": [manyViews, COUNTED],
  "many chunks in one buffer that is overwritten": [oneBuffer, COUNTED],
  "a small chunk of a large buffer": [
    () => [viewOf(1, 2, 3)],
    new Uint8Array([1, 2, 3]),
  ],
  "a chunk that fills its buffer": [
    () => [new Uint8Array([1, 2, 3])],
    new Uint8Array([1, 2, 3]),
  ],
  "chunks of all sizes": [
    () => [viewOf(1), new Uint8Array(LARGE), viewOf(), viewOf(2, 3)],
    new Uint8Array([1, ...new Uint8Array(LARGE), 2, 3]),
  ],
  "an empty chunk of a large buffer": [() => [viewOf()], new Uint8Array()],
  "no chunk": [() => [], new Uint8Array()],
};
for (const [content, [chunks, expected]] of Object.entries(BODIES)) {
  Deno.test(`bytes of ${content} have a buffer of their own length`, async () => {
    const { bytes } = await clientOf(chunks).request("get", "/from");
    assertEquals(bytes, expected);
    assertEquals(bytes.buffer.byteLength, bytes.byteLength);
  });
}

Deno.test("bytes of a token response have a buffer of their own length", async () => {
  const text = new TextEncoder().encode('{"access_token":"ape"}');
  const chunks = () => [...text].map((byte) => viewOf(byte));
  const { token, response } = await clientOf(chunks).getToken();
  const { bytes } = response!;
  assertEquals([token, bytes.length], ["ape", text.length]);
  assertEquals(bytes.buffer.byteLength, bytes.length);
});
