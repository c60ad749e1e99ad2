import { assert, assertEquals, assertThrows } from "@std/assert";
import { encodeBody, FORM_TYPE } from "../../../oauth2/core/body.ts";
import type { HeaderFields } from "../../../oauth2/core/headers.ts";

const JSON_TYPE = "application/json";

/** Creates an object like those of another realm, which only its tag identifies. */
const tagged = (tag: string, fields: object = {}) =>
  Object.assign(Object.create({ [Symbol.toStringTag]: tag }), fields);

for (
  const [kind, body] of [
    ["text", "a=1"],
    ["an empty text", ""],
    ["a Blob", new Blob(["a"])],
    ["a File", new File(["a"], "a.txt")],
    ["a stream", new ReadableStream()],
    ["a Blob of another library", tagged("Blob")],
    ["FormData of another library", tagged("FormData")],
    ["a stream of another library", tagged("ReadableStream")],
  ] as [string, unknown][]
) {
  Deno.test(`encodeBody returns ${kind} unchanged and adds no content type`, () => {
    for (const type of [undefined, JSON_TYPE, FORM_TYPE, "text/xml"]) {
      const headers: HeaderFields = type ? { "content-type": type } : {};
      const before = { ...headers };
      assert(encodeBody(body, headers) as unknown === body);
      assertEquals(headers, before);
    }
  });
}

const text = new TextEncoder();
for (
  const [kind, body] of [
    [
      "an async generator",
      (async function* () {
        yield text.encode("a");
        yield text.encode("b");
      })(),
    ],
    ["an object with an async iterator", {
      async *[Symbol.asyncIterator]() {
        yield text.encode("ab");
      },
    }],
  ] as const
) {
  Deno.test(`encodeBody converts ${kind} to a stream`, async () => {
    const stream = encodeBody(body, {}) as ReadableStream;
    assert(stream instanceof ReadableStream);
    assertEquals(await new Response(stream).text(), "ab");
  });
}

Deno.test("encodeBody ends an async iterable when its stream is cancelled", async () => {
  let isEnded = false;
  const body = (async function* () {
    try {
      for (;;) yield text.encode("a");
    } finally {
      isEnded = true;
    }
  })();
  const reader = (encodeBody(body, {}) as ReadableStream).getReader();
  await reader.read();
  await reader.cancel();
  assert(isEnded);
});

Deno.test("encodeBody copies FormData and adds no content type", () => {
  const form = new FormData();
  form.append("a", "1");
  form.append("a", new File(["b"], "b.txt"));
  const headers: HeaderFields = {};
  const copy = encodeBody(form, headers) as FormData;
  form.set("a", "2");
  assertEquals(copy.getAll("a").length, 2);
  assertEquals((copy.getAll("a")[1] as File).name, "b.txt");
  assertEquals(headers, {});
});

const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
for (
  const [kind, body, sent] of [
    ["bytes", bytes, [1, 2, 3, 4, 5, 6, 7, 8]],
    ["a subarray", bytes.subarray(2, 4), [3, 4]],
    ["a Uint16Array", new Uint16Array(bytes.buffer, 2, 1), [3, 4]],
    ["a DataView", new DataView(bytes.buffer, 7), [8]],
    ["an ArrayBuffer", bytes.buffer, [1, 2, 3, 4, 5, 6, 7, 8]],
  ] as const
) {
  Deno.test(`encodeBody copies ${kind} and adds no content type`, () => {
    const headers: HeaderFields = {};
    const copy = encodeBody(body, headers) as Uint8Array<ArrayBuffer>;
    assertEquals([...new Uint8Array(copy)], sent);
    assert(copy as unknown !== body && copy.buffer !== bytes.buffer);
    assertEquals(headers, {});
  });
}

for (
  const [kind, body, text] of [
    ["an object", { a: "ç", b: null, c: [1, 2] }, "a=%C3%A7&c=1&c=2"],
    ["an empty object", {}, ""],
    ["URLSearchParams", new URLSearchParams("a=1&a=x+y"), "a=1&a=x+y"],
    [
      "URLSearchParams of another library",
      tagged("URLSearchParams", { toString: () => "a=1" }),
      "a=1",
    ],
  ] as [string, unknown, string][]
) {
  Deno.test(`encodeBody encodes ${kind} as a form and adds its content type`, () => {
    const headers: HeaderFields = { accept: "*/*" };
    assertEquals(encodeBody(body, headers), text);
    assertEquals(headers, { accept: "*/*", "content-type": FORM_TYPE });
    const own = { "content-type": `${FORM_TYPE};charset=utf-8` };
    assertEquals(encodeBody(body, own), text);
    assertEquals(own, { "content-type": `${FORM_TYPE};charset=utf-8` });
  });
}

Deno.test("encodeBody encodes an object as JSON for a JSON content type", () => {
  const headers = { "content-type": `${JSON_TYPE}; charset=utf-8` };
  assertEquals(encodeBody({ a: [1, null] }, headers), '{"a":[1,null]}');
  assertEquals(headers, { "content-type": `${JSON_TYPE}; charset=utf-8` });
});

Deno.test("encodeBody does not change URLSearchParams", () => {
  const body = new URLSearchParams("a=1");
  assertEquals(encodeBody(body, {}), "a=1");
  body.set("a", "2");
  assertEquals(encodeBody(body, {}), "a=2");
});

for (const body of [undefined, null]) {
  Deno.test(`encodeBody returns undefined for ${body} and adds no content type`, () => {
    const headers: HeaderFields = {};
    assertEquals(encodeBody(body, headers), undefined);
    assertEquals(headers, {});
  });
}

for (
  const [kind, body, type] of [
    ["a WritableStream", new WritableStream(), undefined],
    ["a WritableStream", new WritableStream(), "text/plain"],
    ["a TransformStream", new TransformStream(), undefined],
    ["a list", [1], FORM_TYPE],
    ["a list of pairs", [["a", "1"]], undefined],
    ["an iterable", new Set(["a"]), undefined],
    ["an object with the tag of a list", tagged("Array"), undefined],
    ["an object whose toJSON throws", {
      toJSON: () => {
        throw new Error("hush-hush");
      },
    }, JSON_TYPE],
    [
      "an object whose toJSON returns undefined",
      { toJSON: () => undefined },
      JSON_TYPE,
    ],
  ] as [string, unknown, string | undefined][]
) {
  Deno.test(`encodeBody refuses ${kind} with ${type ?? "no content type"} and does not show it`, () => {
    const headers: HeaderFields = type ? { "content-type": type } : {};
    const before = { ...headers };
    const { message } = assertThrows(
      () => encodeBody(body, headers),
      TypeError,
      "Cannot send the body: ",
    ) as Error;
    assert(!message.includes("hush"), message);
    assertEquals(headers, before);
  });
}
