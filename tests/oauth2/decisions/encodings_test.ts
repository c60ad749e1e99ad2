/** Encodings of bodies, and bodies and methods that are refused. */
import { assert, assertRejects } from "@std/assert";
import { tokenOf } from "../_calls.ts";
import { clientTest } from "../_client.ts";
import { FORM_HEADERS, onResource } from "../_exchanges.ts";
import type { Expected } from "../_fake_fetch.ts";

const FORM_TYPE = FORM_HEADERS["content-type"];

/** Class of objects that are not plain. */
class Account {
  #secret = "hidden";
  constructor(readonly name: string) {}
  toString(): string {
    return this.#secret;
  }
}
const circular: Record<string, unknown> = {};
circular.self = circular;

const JSON_TYPES = [
  "application/json",
  "Application/JSON",
  "application/json; charset=utf-8",
  "application/json;charset=utf-8",
  "text/json",
  "application/merge-patch+json",
  "application/vnd.api+json",
  "application/json-patch+json",
  "application/PROBLEM+JSON ; a=b",
];
for (const type of JSON_TYPES) {
  clientTest(
    `request with ${type} sends an object as JSON`,
    [onResource({ status: 204 }, {
      method: "PATCH",
      headers: { "content-type": type },
      body: { json: { a: { b: [1, null] } } },
    })],
    ({ client }) =>
      client.request("patch", "/from", {
        body: { a: { b: [1, null] } },
        headers: { "content-type": type },
      }),
  );
}

for (
  const [kind, body, text] of [
    ["an object", { a: 1 }, '{"a":1}'],
    ["an object without prototype", Object.create(null), "{}"],
    ["an array", [{ op: "remove" }], '[{"op":"remove"}]'],
    ["an instance of a class", new Account("ana"), '{"name":"ana"}'],
    ["a Date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["a number", 5, "5"],
    ["true", true, "true"],
    ["false", false, "false"],
    ["a string", "text", "text"],
    ["an empty string", "", ""],
  ] as [string, unknown, string][]
) {
  clientTest(
    `request with a JSON content type sends ${kind} as ${JSON.stringify(text)}`,
    [onResource({ status: 204 }, { method: "POST", body: { text } })],
    ({ client }) =>
      client.request("post", "/from", {
        body,
        headers: { "Content-Type": "application/json" },
      }),
  );
}

clientTest(
  "request uses the content type of connectionOpts",
  [onResource({ status: 204 }, { method: "POST", body: { json: { a: 1 } } })],
  ({ client }) => client.request("post", "/from", { body: { a: 1 } }),
  { connectionOpts: { headers: { "content-type": "application/json" } } },
);

for (
  const type of [
    undefined,
    FORM_TYPE,
    "Application/X-WWW-Form-Urlencoded",
    `${FORM_TYPE}; charset=utf-8`,
  ]
) {
  clientTest(
    `request with ${type ?? "no content type"} sends an object as a form`,
    [onResource({ status: 204 }, {
      method: "POST",
      headers: { "content-type": type ?? FORM_TYPE },
      body: { form: { a: "1", b: ["x", "y"] } },
    })],
    ({ client }) =>
      client.request("post", "/from", {
        body: { a: 1, b: ["x", "y"], c: null },
        headers: type ? { "content-type": type } : {},
      }),
  );
}

const bytes = () => new TextEncoder().encode("unchanged");
for (
  const [kind, make] of [
    ["text", () => "unchanged"],
    ["bytes", bytes],
    ["an ArrayBuffer", () => bytes().buffer],
    ["a DataView", () => new DataView(bytes().buffer)],
    ["a Blob", () => new Blob(["unchanged"])],
    ["a stream", () => new Blob(["unchanged"]).stream()],
    ["an async iterable", () =>
      (async function* () {
        yield new TextEncoder().encode("un");
        yield new TextEncoder().encode("changed");
      })()],
  ] as [string, () => unknown][]
) {
  for (const type of ["application/json", "text/xml", FORM_TYPE]) {
    clientTest(
      `request with ${type} sends ${kind} unchanged`,
      [onResource({ status: 204 }, {
        method: "POST",
        headers: { "content-type": type },
        body: { text: "unchanged" },
      })],
      ({ client }) =>
        client.request("post", "/from", {
          body: make(),
          headers: { "content-type": type },
        }),
    );
  }
}

for (const body of [null, undefined]) {
  for (const type of ["application/json", "text/xml", undefined]) {
    clientTest(
      `request with ${type ?? "no content type"} sends no body for ${body}`,
      [onResource({ status: 204 }, { method: "POST", body: null })],
      ({ client }) =>
        client.request("post", "/from", {
          body,
          headers: type ? { "content-type": type } : {},
        }),
    );
  }
}

for (
  const [kind, body, type] of [
    ["an array", [1], undefined],
    ["an array", [["a", "1"]], FORM_TYPE],
    ["an array", [1], "text/xml"],
    ["an array", [], undefined],
    ["an instance of a class", new Account("ana"), undefined],
    ["an instance of a class", new Account("ana"), FORM_TYPE],
    ["an instance of a class", new Account("ana"), "text/plain"],
    ["a Date", new Date(0), undefined],
    ["a Map", new Map([["a", "1"]]), undefined],
    ["a Set", new Set(["a"]), FORM_TYPE],
    ["an object", { a: 1 }, "text/xml"],
    ["an object", { a: 1 }, "multipart/form-data"],
    ["an object", { a: 1 }, "text/plain"],
    ["an object", { a: 1 }, "application/octet-stream"],
    ["an object", { a: 1 }, "application/jsonp"],
    ["an object", { a: 1 }, "application/x-json-not"],
    ["a number", 5, undefined],
    ["a number", 0, "text/plain"],
    ["a boolean", false, undefined],
    ["a boolean", true, FORM_TYPE],
    ["a bigint", 5n, undefined],
    ["a symbol", Symbol("a"), undefined],
    ["a function", () => {}, "text/plain"],
    ["a symbol", Symbol("a"), "application/json"],
    ["a function", () => {}, "application/json"],
    ["a bigint", 5n, "application/json"],
    ["an object with a bigint", { a: 5n }, "application/json"],
    ["a circular object", circular, "application/json"],
    ["a circular object", circular, undefined],
    ["an object with an object", { a: { b: 1 } }, undefined],
  ] as [string, unknown, string | undefined][]
) {
  clientTest(
    `request with ${type ?? "no content type"} refuses ${kind} (${
      show(body)
    }) and sends nothing`,
    [],
    async ({ client }) => {
      const headers = type ? { "content-type": type } : {};
      for (
        const call of [
          () => client.request("post", "/from", { body, headers }),
          () => tokenOf(client).post("/from", { body, headers }),
          () => tokenOf(client).patch("/from", { body, headers }),
        ]
      ) {
        const { message } = await assertRejects(call, TypeError) as Error;
        assert(/^Cannot send the (body|parameter)/.test(message), message);
      }
    },
  );
}

/** Returns a text for the name of a test. */
function show(body: unknown): string {
  try {
    return JSON.stringify(body) ?? typeof body;
  } catch {
    return Object.prototype.toString.call(body);
  }
}

clientTest(
  "request does not show a refused body",
  [],
  async ({ client }) => {
    for (const body of [["hush-hush"], new Map([["a", "hush-hush"]])]) {
      const { message } = await assertRejects(
        () => client.request("post", "/from", { body }),
        TypeError,
      ) as Error;
      assert(!message.includes("hush"), message);
    }
  },
);

for (const verb of ["connect", "TRACE", "Track", "", "a b", "get\r\n", "é"]) {
  clientTest(
    `request refuses the method ${JSON.stringify(verb)} and sends nothing`,
    [],
    async ({ client }) => {
      for (const options of [{}, { body: "a" }]) {
        await assertRejects(
          () => client.request(verb, "/from", options),
          TypeError,
        );
        await assertRejects(
          () => tokenOf(client).request(verb, "/from", options),
          TypeError,
        );
      }
    },
  );
}

for (
  const [verb, method] of [
    ["options", "OPTIONS"],
    ["Purge", "PURGE"],
    ["propfind", "PROPFIND"],
  ] as const
) {
  clientTest(
    `request sends the method ${verb} in upper case`,
    [onResource({ status: 204 }, { method } satisfies Expected)],
    ({ client }) => client.request(verb, "/from"),
  );
}

clientTest(
  "getToken refuses an object as a parameter, names it and sends nothing",
  [],
  async ({ client }) => {
    for (const value of [{ a: 1 }, new Account("ana"), new Map()]) {
      await assertRejects(
        () => client.getToken({ claims: value as never }),
        TypeError,
        '"claims"',
      );
    }
  },
);
