import { assertEquals } from "@std/assert";
import { readBody } from "../../../oauth2/core/read_body.ts";

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
