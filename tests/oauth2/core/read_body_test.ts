import { assertEquals } from "@std/assert";
import { readBody } from "../../../oauth2/core/read_body.ts";
import type { Client } from "../../../oauth2/mod.ts";
import { createClient } from "../_client.ts";

/** Bytes whose values tell their places. */
function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => i % 251);
}

/** Stream of these bytes in chunks; `type` is that of streams of `fetch`. */
function streamOf(
  bytes: Uint8Array<ArrayBuffer>,
  { chunk, type, onCancel = () => {} }: {
    chunk: number;
    type?: "bytes" | undefined;
    onCancel?: (reason: unknown) => void;
  },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    type: type as "bytes",
    pull(controller) {
      if (at < bytes.length) {
        controller.enqueue(bytes.slice(at, at += chunk));
      } else {
        controller.close();
      }
    },
    cancel: onCancel,
  });
}

/** Response with a body that is not read in one step. */
function messageOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  type: ResponseType,
) {
  const arrayBuffer = () => Promise.reject(new Error("read in one step"));
  return { body, type, headers: new Headers(), arrayBuffer };
}

const STREAMS = [
  ["a byte stream", "bytes"],
  ["a stream", undefined],
] as const;

for (const [name, type] of STREAMS) {
  for (
    const [length, chunk] of [
      [0, 1],
      [10, 3],
      [4095, 4095],
      [4096, 4096],
      [4097, 4096],
      [100_000, 7000],
      [200_000, 65_536],
    ] as const
  ) {
    Deno.test(`readBody reads ${length} bytes in chunks of ${chunk} from ${name}`, async () => {
      const bytes = bytesOf(length);
      const body = streamOf(bytes, { chunk, type });
      assertEquals(await readBody(messageOf(body, "default"), length), bytes);
    });
  }

  Deno.test(`readBody cancels ${name} that is longer than the limit`, async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const bytes = bytesOf(10_000);
    const body = streamOf(bytes, { chunk: 1000, type, onCancel: resolve });
    assertEquals(await readBody(messageOf(body, "default"), 5000), undefined);
    // It never resolves if the stream is not cancelled.
    await promise;
  });

  Deno.test(`readBody passes on the error of ${name}`, async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      type: type as "bytes",
      pull: (controller) => controller.error(new Error("gone")),
    });
    const error = await readBody(messageOf(body, "default"), 9).catch(String);
    assertEquals(error, "Error: gone");
  });

  Deno.test(`readBody hands over the function that stops ${name}`, async () => {
    let reason: unknown;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      type: type as "bytes",
      cancel: (given) => {
        reason = given;
      },
    });
    const { promise, resolve } = Promise.withResolvers<
      (reason: unknown) => void
    >();
    const reading = readBody(messageOf(body, "default"), 9, resolve);
    (await promise)("too late");
    assertEquals([await reading, reason], [new Uint8Array(), "too late"]);
  });
}

Deno.test("readBody returns no bytes without a body", async () => {
  assertEquals(await readBody(new Response(null), 0), new Uint8Array());
});

const SHORT = { "content-length": "5" };

for (
  const [name, headers, type, limit, isOneStep] of [
    ["within the limit", SHORT, "basic", 5, true],
    ["over the limit", SHORT, "basic", 4, false],
    ["of a response of this process", SHORT, "default", 5, false],
    ["of another origin, whose headers are hidden", SHORT, "cors", 5, false],
    [
      "of a compressed body",
      { ...SHORT, "content-encoding": "gzip" },
      "basic",
      5,
      false,
    ],
    ["that is missing", {}, "basic", 5, false],
    ["that is no number", { "content-length": "5, 5" }, "basic", 5, false],
    ["that is empty", { "content-length": "" }, "basic", 5, false],
  ] as const
) {
  Deno.test(`readBody reads ${isOneStep ? "in one step" : "piece by piece"} with a Content-Length ${name}`, async () => {
    const expected = bytesOf(5);
    let steps = 0;
    const message = {
      ...messageOf(streamOf(expected, { chunk: 2 }), type),
      headers: new Headers(headers),
      arrayBuffer: () => {
        steps++;
        return Promise.resolve(expected.buffer);
      },
    };
    assertEquals(
      [await readBody(message, limit), steps > 0],
      [limit < 5 ? undefined : expected, isOneStep],
    );
  });
}

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
    () => [viewOf(1, 2)],
    bytesOf(3).slice(1),
  ],
  "a chunk that fills its buffer": [() => [bytesOf(3)], bytesOf(3)],
};

for (const [content, [chunks, expected]] of Object.entries(BODIES)) {
  Deno.test(`bytes of ${content} have a buffer of their own length`, async () => {
    const { bytes } = await clientOf(chunks).request("get", "/from");
    assertEquals(bytes, expected);
    assertEquals(bytes.buffer.byteLength, bytes.byteLength);
  });
}
