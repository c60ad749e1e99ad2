/** Bodies that come in chunks: their bytes are kept, the buffers of the chunks are not. */
import { assertEquals } from "@std/assert";
import { Client } from "../../../oauth2/mod.ts";
import { SITE } from "../testing.ts";

type Chunk = Uint8Array<ArrayBuffer>;

const LARGE = 64 * 1024;
const COUNT = 300;

/** A client whose answers have a body of chunks, each made when it is read. */
function clientOf(chunks: () => Iterable<Chunk>): Client {
  return new Client("abc", "hush-hush", {
    site: SITE,
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

/** A view of some bytes in the middle of a large buffer. */
function viewOf(...bytes: number[]): Chunk {
  const view = new Uint8Array(new ArrayBuffer(LARGE), LARGE / 2, bytes.length);
  view.set(bytes);
  return view;
}

function* manyViews(): Iterable<Chunk> {
  for (let i = 0; i < COUNT; i++) yield viewOf(i % 256);
}

/** Views of one buffer, which is written to again for each of them. */
function* oneBuffer(): Iterable<Chunk> {
  const view = viewOf(0);
  for (let i = 0; i < COUNT; i++) {
    view[0] = i % 256;
    yield view.subarray();
  }
}

const COUNTED = Uint8Array.from({ length: COUNT }, (_, i) => i % 256);
const BODIES: Readonly<Record<string, [() => Iterable<Chunk>, Chunk]>> = {
  "many chunks, each a byte of a large buffer": [manyViews, COUNTED],
  "many chunks in one buffer, each over the one before": [oneBuffer, COUNTED],
  "a chunk that is a small part of a large buffer": [
    () => [viewOf(1, 2, 3)],
    new Uint8Array([1, 2, 3]),
  ],
  "a chunk that is a whole buffer": [
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
for (const [what, [chunks, expected]] of Object.entries(BODIES)) {
  Deno.test(`bytes of ${what} have a buffer of their own size`, async () => {
    const { bytes } = await clientOf(chunks).request("get", "/from");
    assertEquals(bytes, expected);
    assertEquals(bytes.buffer.byteLength, bytes.byteLength);
  });
}

Deno.test("bytes of a token answer have a buffer of their own size", async () => {
  const text = new TextEncoder().encode('{"access_token":"ape"}');
  const chunks = () => [...text].map((byte) => viewOf(byte));
  const { token, response } = await clientOf(chunks).getToken();
  const { bytes } = response!;
  assertEquals([token, bytes.length], ["ape", text.length]);
  assertEquals(bytes.buffer.byteLength, bytes.length);
});
