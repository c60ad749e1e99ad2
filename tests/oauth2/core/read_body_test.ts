import { assertEquals } from "@std/assert";
import { readBody } from "../../../oauth2/core/read_body.ts";

const NETWORK = "https://provider.example/oauth/token";

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
        // A reader with its own buffer waits for this.
        (controller as ReadableByteStreamController).byobRequest?.respond(0);
      }
    },
    cancel: onCancel,
  });
}

const STREAMS = [
  ["a byte stream of the network", NETWORK, "bytes"],
  ["a stream of the network", NETWORK, undefined],
  ["a byte stream without a URL", "", "bytes"],
  ["a stream without a URL", "", undefined],
] as const;

for (const [name, url, type] of STREAMS) {
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
      assertEquals(await readBody({ body, url }, length), bytes);
    });
  }

  Deno.test(`readBody cancels ${name} that is longer than the limit`, async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const bytes = bytesOf(10_000);
    const body = streamOf(bytes, { chunk: 1000, type, onCancel: resolve });
    assertEquals(await readBody({ body, url }, 5000), undefined);
    // It never resolves if the stream is not cancelled.
    await promise;
  });

  Deno.test(`readBody passes on the error of ${name}`, async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      type: type as "bytes",
      pull: (controller) => controller.error(new Error("gone")),
    });
    const error = await readBody({ body, url }, 9).catch(String);
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
    const reading = readBody({ body, url }, 9, resolve);
    (await promise)("too late");
    assertEquals([await reading, reason], [new Uint8Array(), "too late"]);
  });
}

Deno.test("readBody returns no bytes without a body", async () => {
  assertEquals(await readBody(new Response(null), 0), new Uint8Array());
});
